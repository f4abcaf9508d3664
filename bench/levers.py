#!/usr/bin/env python3
"""Arenas of the small linalg programs without a plan, and what each lever of
remat-plan-memory saves; with --run each is executed with all levers beside the
stock lowering: results must be equal and the arena as many bytes as measured.

usage: levers.py [--build DIR] [--shared DIR] [--run] [NAME ...]
exit status: 1 if an arena is larger than the stock peak, or a run is wrong
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEVERS = {"apart": "forward=false in-place=false",
          "forward": "in-place=false",
          "in place": "forward=false",
          "default": "",
          "scratch": "forward=false in-place=false scratch=results",
          "all": "scratch=results"}


def lower(args, program, options, output):
    subprocess.run([args.build / "bin" / "remat-opt", program,
                    f"--remat-to-arena={options}", "-o", output], check=True)
    text = output.read_text()
    arena = sum(int(n) for n in re.findall(r"remat\.offsets.*memref<(\d+)xi8>", text))
    return arena, len(re.findall(r"memref\.copy ", text))


def run(args, program, lowered, arena):
    done = subprocess.run([args.build / "bin" / "remat-run", program, lowered,
                           "--stock", "--json"], capture_output=True, text=True)
    if not done.stdout:
        return "FAILED"
    seen = json.loads(done.stdout)
    right = seen["equal"] and seen["stock_equal"] and seen["measured_peak"] == arena
    return f"equal, {seen['measured_peak']:,}" if right else "**WRONG**"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--shared", type=pathlib.Path,
                        default=ROOT.parent / "shared")
    parser.add_argument("--run", action="store_true")
    args = parser.parse_args()
    corpus, bad = args.shared / "corpus", False
    stock = dict(re.findall(r"^\| (\w+) \| (\d+) \| \d+ \| [\d.e+-]+ \|",
                            (corpus / "README.md").read_text(), re.M))
    heads = ["program", "stock", *LEVERS, "under stock", "copies"]
    heads += ["run with all, measured"] if args.run else []
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "lowered.mlir"
        for name in args.names or stock:
            program = corpus / f"{name}.small.linalg.mlir"
            found = [lower(args, program, options, output)
                     for options in LEVERS.values()]
            peak, (arena, copies) = int(stock[name]), found[-1]
            bad |= max(size for size, _ in found) > peak
            cells = [name, f"{peak:,}", *(f"{size:,}" for size, _ in found),
                     f"{100 * (1 - arena / peak):.1f} %", f"{found[0][1]} to {copies}"]
            cells += [run(args, program, output, arena)] if args.run else []
            bad |= "equal" not in cells[-1] if args.run else False
            print(f"| {' | '.join(cells)} |", flush=True)
    return bad


if __name__ == "__main__":
    sys.exit(main())
