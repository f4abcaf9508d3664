#!/usr/bin/env python3
"""How long remat-plan-memory takes on bufferized programs of the corpus, and how
that grows.

Each program of real size is lowered to memrefs first; then the pass is run on
that. Seconds are those of the pass as MLIR times it, the least of three runs. The last
line fits  seconds = c * ops ^ e  through all rows.

usage: plan-memory.py [--build DIR] [--shared DIR] [--effort N] [--limit S]
                      [NAME ...]
exit status: 1 if a program took more than --limit seconds (10)
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from fit import exponent

ROOT = pathlib.Path(__file__).resolve().parent.parent
TO_MEMREFS = ("builtin.module(remat-inline-calls,remat-protect-arguments,"
              "remat-unshare-inits,remat-carry-in-place,one-shot-bufferize{"
              "bufferize-function-boundaries=1 allow-return-allocs-from-loops=1 "
              "function-boundary-type-conversion=identity-layout-map},"
              "remat-lower,canonicalize,cse,remat-lend-results)")


def run(*command):
    done = subprocess.run([str(word) for word in command], text=True,
                          capture_output=True)
    if done.returncode:
        sys.exit(done.stderr.strip().splitlines()[0])
    return done


def seconds_of_pass(opt, program, option):
    said = run(opt, program, option, "--mlir-timing", "--mlir-timing-display=list",
               "--mlir-disable-threading", "-o", "/dev/null").stderr
    return float(re.search(r"([\d.]+) \([^)]*\) +remat-plan-memory", said).group(1))


def measure(args, name, work):
    opt = args.build / "bin" / "remat-opt"
    memrefs, lives = work / f"{name}.mlir", work / f"{name}.csv"
    run(opt, args.shared / "corpus" / f"{name}.real.linalg.mlir",
        f"--pass-pipeline={TO_MEMREFS}", "-o", memrefs)
    ops = len(re.findall(r"^ +(?:%[^=]* = )?\w+\.\w+", memrefs.read_text(), re.M))
    option = f"--remat-plan-memory=effort={args.effort}"
    seconds = min(seconds_of_pass(opt, memrefs, option) for _ in range(3))
    run(opt, memrefs, f"{option} lives-out={lives}", "-o", "/dev/null")
    row = json.loads(run(args.build / "bin" / "remat-bench", "memory", lives,
                         "--json").stdout)
    print(f"{name:16s} {ops:8,d} {len(row['offsets']):8,d} {seconds:8.3f} "
          f"{row['arena']:16,d} "
          f"{100 * (row['arena'] / row['lower_bound'] - 1):8.3f}", flush=True)
    return ops, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("names", nargs="*", default=["gpt4", "gpt12", "gpt48"])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--shared", type=pathlib.Path,
                        default=ROOT.parent / "shared")
    parser.add_argument("--effort", type=int, default=1)
    parser.add_argument("--limit", type=float, default=10)
    args = parser.parse_args()
    print(f"{'program':16s} {'ops':>8s} {'buffers':>8s} {'seconds':>8s} "
          f"{'arena':>16s} {'over %':>8s}")
    with tempfile.TemporaryDirectory() as folder:
        rows = [measure(args, name, pathlib.Path(folder)) for name in args.names]
    if len(rows) > 1:
        print(f"seconds grow with ops to the power of {exponent(rows):.2f}")
    return any(seconds > args.limit for _, seconds in rows)


if __name__ == "__main__":
    sys.exit(main())
