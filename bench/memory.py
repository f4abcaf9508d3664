#!/usr/bin/env python3
"""Offsets in an arena: public sets beside MiniMalloc, and sets of known optimum.

`sets` places the buffers of shared/bench/minimalloc and shared/bench/dsa at each
effort. `question` asks whether A to K of MiniMalloc fit in 1,048,576 bytes, which
is what MiniMalloc answers; with --minimalloc BINARY it answers beside us, in the
same run. `planted` cuts rectangles into pieces (planted-buffers.py), so that the
optimum is known: the share solved, the time, and the exponent of growth. `growth`
places what training steps of more and more layers keep alive.

Seconds are of the processor. MiniMalloc is built from github.com/google/minimalloc
(cmake -DCMAKE_BUILD_TYPE=Release, target `minimalloc`).

usage: memory.py [--build DIR] [--shared DIR] [--effort LIST]
                 [--minimalloc BINARY] [--limit SECONDS] [--counts LIST]
                 [--seeds N] [sets | question | planted | growth ...]
exit status: 1 if a placement is wrong or an arena of A to K is too large
"""
import argparse
import glob
import json
import os
import resource
import subprocess
import sys
import tempfile

from fit import exponent

HERE = os.path.dirname(os.path.abspath(__file__))
CAPACITY = 1 << 20


def place(args, path, effort, more=()):
    command = [os.path.join(args.build, "bin", "remat-bench"), "memory", path,
               "--json", "--effort", str(effort), *more]
    done = subprocess.run(command, text=True, capture_output=True)
    if not done.stdout:
        sys.exit(done.stderr.strip() or "remat-bench gave no report")
    return json.loads(done.stdout)


def name_of(path):
    return os.path.basename(path)[:-len(".csv")]


def mark(row):
    return "WRONG" if "wrong" in row else "=" if row["proven"] else ""


def hard_sets(args):
    return sorted(glob.glob(os.path.join(args.shared, "bench", "minimalloc",
                                         "?.*.csv")))


def bench_sets(args):
    """Arena over bound, "=" where it is proven best, at each effort."""
    right = True
    paths = hard_sets(args) + sorted(glob.glob(os.path.join(
        args.shared, "bench", "dsa", "*.csv")))
    print("%-14s %7s %1s %14s %14s %8s %1s %8s %8s" % (
        "instance", "buffers", "e", "bound", "arena", "over %", "", "s", "MiB"))
    total = {}
    for path in paths:
        for effort in args.effort:
            row = place(args, path, effort)
            over = 100 * (row["arena"] / row["lower_bound"] - 1)
            print("%-14s %7d %1d %14d %14d %8.3f %1s %8.3f %8.1f" % (
                name_of(path), len(row["offsets"]), effort, row["lower_bound"],
                row["arena"], over, mark(row), row["seconds"],
                row["memory"] / 2**20), flush=True)
            right &= "wrong" not in row
            if "minimalloc" in path:
                total[effort] = total.get(effort, 0) + row["seconds"]
                right &= effort == 0 or row["arena"] <= CAPACITY
    for effort, seconds in total.items():
        print("A to K at effort %d: %.3f s" % (effort, seconds))
    return right


def ask_minimalloc(args, path):
    """Processor seconds; null if it gave no answer in time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([
        args.minimalloc, "--capacity=%d" % CAPACITY, "--input=" + path,
        "--output=" + os.devnull, "--timeout=%ds" % args.limit],
        capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = (after.ru_utime + after.ru_stime - before.ru_utime
               - before.ru_stime)
    return None if done.returncode else seconds


def bench_question(args):
    """Do they fit in 1,048,576 bytes?"""
    print("%-14s %7s %9s %11s" % ("instance", "", "ours, s", "MiniMalloc, s"))
    ours, theirs, right = 0, 0, True
    for path in hard_sets(args):
        row = place(args, path, max(args.effort),
                    ["--capacity", str(CAPACITY)])
        seconds = ask_minimalloc(args, path) if args.minimalloc else None
        print("%-14s %7s %9.3f %11s" % (
            name_of(path), row["answer"], row["seconds"],
            "-" if seconds is None else "%.3f" % seconds), flush=True)
        ours, theirs = ours + row["seconds"], theirs + (seconds or 0)
        right &= row["answer"] == "fits" and "wrong" not in row
    print("%-14s %7s %9.3f %11.3f" % ("all", "", ours, theirs))
    return right


def bench_planted(args):
    """Share solved to optimality, mean of arena over bound, mean seconds."""
    right = True
    print("%-16s %7s %1s %7s %8s %8s" % ("kind", "buffers", "e", "solved",
                                        "over %", "s"))
    for kind in ("guillotine", "pinwheel", "guillotine-holes",
                 "pinwheel-holes"):
        for effort in args.effort:
            points = []
            for count in args.counts:
                rows = []
                for seed in range(1, args.seeds + 1):
                    with tempfile.TemporaryDirectory() as folder:
                        path = os.path.join(folder, "planted.csv")
                        subprocess.run([
                            sys.executable,
                            os.path.join(HERE, "planted-buffers.py"),
                            str(count), kind, str(seed), path], check=True,
                            stdout=subprocess.DEVNULL)
                        rows.append(place(args, path, effort))
                seconds = sum(r["seconds"] for r in rows) / len(rows)
                over = sum(r["arena"] / r["lower_bound"] - 1
                           for r in rows) / len(rows)
                solved = sum(r["proven"] for r in rows)
                print("%-16s %7d %1d %3d/%-3d %8.3f %8.3f" % (
                    kind, count, effort, solved, len(rows), 100 * over,
                    seconds), flush=True)
                points.append((count, seconds))
                right &= not any("wrong" in r for r in rows)
            if len(points) > 1:
                print("%-16s effort %d: seconds grow as buffers ^ %.2f" % (
                    kind, effort, exponent(points)), flush=True)
    return right


# Of a layer of a transformer, in units of its hidden state: bytes of a value, and
# whether the way back needs it.
LAYER = [(1, True), (3, True), (1, False), (8, False), (8, True), (1, True),
         (1, False), (1, True), (1, True), (4, True), (4, True), (1, False),
         (1, True)]
WEIGHTS = [12, 4, 16, 16]


def training_step(count):
    """Lives and sizes of about `count` buffers: values of the way forward live
    until the next one is made, or until their gradient is; gradients until the
    next one is, those of weights until the end."""
    hidden, tick = 1 << 16, 0
    layers = max(1, count // (2 * len(LAYER) + len(WEIGHTS)))
    end = 2 * layers * len(LAYER)
    for layer in range(layers):
        for size, is_kept in LAYER:
            back = end - 1 - tick
            yield tick, (back if is_kept else tick + 1) + 1, size * hidden
            yield back, back + 2, size * hidden
            tick += 1
        for size in WEIGHTS:
            yield end - tick, end + 1, size * hidden
        if layer % 6 == 5:  # as where pictures get smaller
            hidden += 1 << 10


def bench_growth(args):
    """Arena over bound and seconds, by the number of buffers."""
    right = True
    print("%7s %1s %8s %1s %8s" % ("buffers", "e", "over %", "", "s"))
    for effort in args.effort:
        points = []
        for count in args.counts:
            with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
                file.write("id,lower,upper,size\n")
                for i, buffer in enumerate(training_step(count)):
                    file.write("%d,%d,%d,%d\n" % (i, *buffer))
                file.flush()
                row = place(args, file.name, effort)
            points.append((len(row["offsets"]), row["seconds"]))
            print("%7d %1d %8.3f %1s %8.3f" % (
                len(row["offsets"]), effort,
                100 * (row["arena"] / row["lower_bound"] - 1), mark(row),
                row["seconds"]), flush=True)
            right &= "wrong" not in row
        if len(points) > 1:
            print("effort %d: seconds grow as buffers ^ %.2f" % (
                effort, exponent(points)), flush=True)
    return right


def main():
    parts = {"sets": bench_sets, "question": bench_question,
             "planted": bench_planted, "growth": bench_growth}
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    numbers = lambda text: [int(n) for n in text.split(",")]
    parser.add_argument("--build", default=os.path.join(HERE, "..", "build"))
    parser.add_argument("--shared", default=os.path.join(HERE, "..", "..",
                                                         "shared"))
    parser.add_argument("--effort", type=numbers, default=[1])
    parser.add_argument("--minimalloc", help="its binary")
    parser.add_argument("--limit", type=int, default=60,
                        help="seconds for each answer of MiniMalloc")
    parser.add_argument("--counts", type=numbers,
                        default=[100, 300, 1000, 3000, 10000, 30000, 100000])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("parts", nargs="*", metavar="part")
    args = parser.parse_args()
    for part in args.parts:
        if part not in parts:
            parser.error("no part of that name: " + part)
    right = True
    for part in args.parts or parts:
        right &= parts[part](args)
    sys.exit(not right)


main()
