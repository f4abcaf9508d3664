#!/usr/bin/env python3
"""Does a larger budget ever cost more? Does a second run give another plan?

Each graph is planned at 20 budgets between its smallest found and its peak, each
by a run of its own, twice: a plan that costs more than one at a smaller budget
is a violation, and so is a schedule that is not the same again. Graphs are the
public ones of shared/bench/graphs, and those of the small StableHLO programs of
shared/corpus as remat-opt prints them; or the files given.

usage: monotone.py [--effort N] [--budgets N] [--reorder] [--once] [--build DIR]
                   [--shared DIR] [FILE.json ...]
exit status: 1 if there is a violation or a wrong plan
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROW = "%-36s %6s %8s %9s %11s %8s"


def bench(args, graph, *options):
    command = [os.path.join(args.build, "bin", "remat-bench"), "plan", graph,
               "--effort", str(args.effort), "--json", "-", "--schedules"]
    done = subprocess.run(command + list(options) + ["--reorder"] * args.reorder,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def corpus_graphs(args, work):
    """The small StableHLO programs, as graphs."""
    opt = os.path.join(args.build, "bin", "remat-opt")
    pattern = os.path.join(args.shared, "corpus", "*.small.flat.stablehlo.mlir")
    for program in sorted(glob.glob(pattern)):
        name = os.path.basename(program).split(".")[0]
        path = os.path.join(work, name + ".json")
        done = subprocess.run(
            [opt, program, "--remat-print-graph=json fit=live", "-o",
             os.devnull], capture_output=True, text=True)
        with open(path, "w") as out:
            out.write(done.stderr)
        if done.returncode or not done.stderr.startswith("{"):
            print("%-36s cannot be printed: %s" % (name, done.stderr[:80]))
        else:
            yield path


def budgets_of(args, graph):
    """Evenly from the smallest found to a byte below the peak."""
    smallest = bench(args, graph, "--minimum")[0]
    low, peak = smallest["peak"], smallest["peak_before"]
    count = args.budgets
    return sorted({low + (peak - 1 - low) * i // (count - 1)
                   for i in range(count) if peak > low})


def check(args, graph):
    name = os.path.basename(graph)[:-5]
    budgets = budgets_of(args, graph)
    rows, rises, other, wrong, unfit = [], [], 0, 0, 0
    for budget in budgets:
        runs = [bench(args, graph, "--budgets", "%dB" % budget)[0]
                for _ in range(1 if args.once else 2)]
        rows.append(runs[0])
        wrong += any("wrong" in run for run in runs)
        unfit += not runs[0]["fits"]
        other += any(run["schedule"] != runs[0]["schedule"] for run in runs)
    best = None
    for row in rows:
        if row["fits"] and best and row["cost"] > best["cost"]:
            rises.append("  %d: cost %d, at %d bytes %d (+%.3f %%)" % (
                row["budget"], row["cost"], best["budget"], best["cost"],
                100.0 * (row["cost"] - best["cost"]) / best["cost"]))
        if row["fits"] and (not best or row["cost"] < best["cost"]):
            best = row
    print(ROW % (name, rows[0]["ops"] if rows else "-", len(rows), len(rises),
                 unfit, other) + ("  WRONG" if wrong else ""))
    print("\n".join(rises), end="\n" if rises else "", flush=True)
    return len(rows), len(rises), unfit, other, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--build", default=os.path.join(HERE, "..", "build"))
    parser.add_argument("--shared",
                        default=os.path.join(HERE, "..", "..", "shared"))
    parser.add_argument("--budgets", type=int, default=20)
    parser.add_argument("--effort", type=int, default=1, choices=range(4))
    parser.add_argument("--reorder", action="store_true")
    parser.add_argument("--once", action="store_true",
                        help="without a second run")
    args = parser.parse_args()
    print(ROW % ("graph", "ops", "budgets", "dearer", "without plan", "other"))
    totals = [0] * 5
    with tempfile.TemporaryDirectory() as work:
        graphs = args.files or sorted(glob.glob(os.path.join(
            args.shared, "bench", "graphs", "*.json"))) + \
            list(corpus_graphs(args, work))
        for graph in graphs:
            totals = [a + b for a, b in zip(totals, check(args, graph))]
    print("%d plans: %d cost more than one at a smaller budget, %d without a "
          "plan, %d other the second time, %d wrong" % tuple(totals))
    return 1 if any(totals[1:]) else 0


if __name__ == "__main__":
    sys.exit(main())
