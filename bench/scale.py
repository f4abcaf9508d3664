#!/usr/bin/env python3
"""How planning grows with the program: time, memory, and what it is worth.

Training graphs of transformers and of convolutional nets, of 1,000, 10,000 and
100,000 ops, are planned at some budgets (parts of their peak). The first plan
that fits is that of effort 0. The last table fits  y = c * ops ^ e  through the
points of each kind and budget: straight lines on logarithmic scales. Memory is
what the planner held at once. With --strategies each of these is run by itself,
in place of the first plan and the best.

usage: scale.py [--build DIR] [--shared DIR] [--budgets LIST] [--effort N]
                [--strategies LIST | all] [--limit SECONDS] [--reorder]
                [--json OUT] [OPS ...]
exit status: 1 if a plan is wrong or over the limit of seconds, or, of auto, if
there is none
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

from fit import exponent

HERE = os.path.dirname(os.path.abspath(__file__))
ROW = "%-12s %7s %5s %-13s %1s %9s %8s %7s %9s %9s %8s %8s"


def generators(shared):
    return {"transformer": os.path.join(shared, "tools", "transformer_graph.py"),
            "convnet": os.path.join(HERE, "convnet-graph.py")}


def make_graph(script, ops, path):
    subprocess.run([sys.executable, script, str(ops), path], check=True,
                   stdout=subprocess.DEVNULL)


def plan(args, graph, budget, strategy, effort):
    """The one plan, as remat-bench tells of it; null if it took too long."""
    command = [os.path.join(args.build, "bin", "remat-bench"), "plan", graph,
               "--budgets", budget, "--effort", str(effort), "--json", "-",
               "--strategies", strategy]
    try:
        done = subprocess.run(command + ["--reorder"] * args.reorder, text=True,
                              capture_output=True, timeout=args.limit)
    except subprocess.TimeoutExpired:
        return None
    if not done.stdout:
        sys.exit(done.stderr.strip() or "remat-bench gave no report")
    return json.loads(done.stdout)


def verdict(row):
    if "wrong" in row:
        return "WRONG"
    if row["fits"]:
        return ""
    return "no plan can fit" if row["peak_bound"] > row["budget"] else "NO PLAN"


def over_bound(row):
    """How many times the extra cost is that of the bound."""
    extra = row["cost"] - row["cost_before"]
    least = row["cost_bound"] - row["cost_before"]
    return "%.3f" % (extra / least) if least > 0 else "-" if extra else "1.000"


def show(kind, row):
    fits = row["fits"]
    print(ROW % (kind, row["ops"], row["at"], row["strategy"], row["effort"],
                 "%.3f" % row["seconds"], "%.1f" % (row["memory"] / 2**20),
                 "%d" % (row["memory"] / row["ops"]),
                 "%.3f" % row["overhead"] if fits else "-",
                 "%.3f" % row["gap"] if fits else "-",
                 over_bound(row) if fits else "-",
                 row["recomputed_ops"] if fits else "-") + "  " + verdict(row),
          flush=True)


def show_exponent(points):
    found = exponent(points)
    return "-" if found is None else "%.2f" % found


def show_growth(rows):
    """Log-log: seconds and bytes by ops, and the exponents."""
    lines = {}
    for kind, row in rows:
        key = (kind, row["at"], row["strategy"], row["effort"])
        lines.setdefault(key, []).append(row)
    print("\n%-12s %5s %-13s %1s %8s %8s  %s" % (
        "growth of", "at", "strategy", "e", "seconds", "memory",
        "log10 of ops: of seconds, of bytes"))
    for key, mine in lines.items():
        points = "  ".join("%.2f: %.2f, %.2f" % (
            math.log10(r["ops"]), math.log10(max(r["seconds"], 1e-4)),
            math.log10(r["memory"])) for r in mine)
        print("%-12s %5s %-13s %1s %8s %8s  %s" % (
            key + (show_exponent([(r["ops"], r["seconds"]) for r in mine]),
                   show_exponent([(r["ops"], r["memory"]) for r in mine]), points)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ops", nargs="*", type=int,
                        default=[1000, 10000, 100000])
    parser.add_argument("--build", default=os.path.join(HERE, "..", "build"))
    parser.add_argument("--shared",
                        default=os.path.join(HERE, "..", "..", "shared"))
    parser.add_argument("--budgets", default="0.8,0.5,0.3")
    parser.add_argument("--effort", type=int, default=1, choices=range(4))
    parser.add_argument("--strategies")
    parser.add_argument("--limit", type=float, default=600,
                        help="seconds for one plan (600)")
    parser.add_argument("--reorder", action="store_true")
    parser.add_argument("--json")
    args = parser.parse_args()
    rows, bad = [], False
    runs = [("auto", 0), ("auto", args.effort)]
    if args.strategies:
        names = args.strategies
        if names == "all":
            names = ("keep-all,recompute-all,every-n,sqrt-n,min-cut,greedy,"
                     "chain,chen,knapsack,dtr,layers")
        runs = [(name, args.effort) for name in names.split(",")]
    print(ROW % ("kind", "ops", "at", "strategy", "e", "seconds", "MiB", "B/op",
                 "over %", "gap %", "x bound", "reruns"))
    with tempfile.TemporaryDirectory() as work:
        for kind, script in generators(args.shared).items():
            for ops in args.ops:
                graph = os.path.join(work, "%s%d.json" % (kind, ops))
                make_graph(script, ops, graph)
                for budget in args.budgets.split(","):
                    for name, effort in runs:
                        row = plan(args, graph, budget, name, effort)
                        if not row:
                            bad = True
                            print("%-12s %7d %5s %-13s %d over %g s" % (
                                kind, ops, budget, name, effort, args.limit),
                                flush=True)
                            continue
                        rows.append((kind, row))
                        show(kind, row)
                        bad |= "wrong" in row or name == "auto" and \
                            verdict(row) == "NO PLAN"
    show_growth(rows)
    if args.json:
        with open(args.json, "w") as out:
            json.dump([dict(row, kind_of_graph=kind) for kind, row in rows],
                      out, indent=1)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
