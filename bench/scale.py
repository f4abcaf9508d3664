#!/usr/bin/env python3
"""How planning grows with the program: time, memory, and what it is worth.

Training graphs of transformers and of convolutional nets, of 1,000, 10,000 and
100,000 ops, are planned at half of their peak (--budget). The first plan that
fits is that of effort 0. The last table fits  seconds = c * ops ^ e  through the
points of each kind, a straight line on logarithmic scales.

usage: scale.py [--build DIR] [--shared DIR] [--budget PART] [--effort N]
                [--limit SECONDS] [--reorder] [--json OUT] [OPS ...]
exit status: 1 if a plan is wrong, none was found, or it took over the limit
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROW = "%-12s %8s %10s %8s %9s %8s %8s %9s %9s"


def generators(shared):
    return {"transformer": os.path.join(shared, "tools", "transformer_graph.py"),
            "convnet": os.path.join(HERE, "convnet-graph.py")}


def make_graph(script, ops, path):
    subprocess.run([sys.executable, script, str(ops), path], check=True,
                   stdout=subprocess.DEVNULL)


def plan(args, graph, effort):
    """The one plan, as remat-bench tells of it; null if it took too long."""
    command = [os.path.join(args.build, "bin", "remat-bench"), "plan", graph,
               "--budgets", args.budget, "--effort", str(effort), "--json", "-"]
    try:
        done = subprocess.run(command + ["--reorder"] * args.reorder, text=True,
                              capture_output=True, timeout=args.limit)
    except subprocess.TimeoutExpired:
        return None
    if not done.stdout:
        sys.exit(done.stderr.strip() or "remat-bench gave no report")
    return json.loads(done.stdout)["plans"][0]


def seconds_to_fit(first, best):
    return first["seconds"] if first["fits"] else best["seconds"]


def show(kind, first, best):
    fits = best["fits"]
    if "wrong" in best:
        verdict = "WRONG"
    else:
        verdict = "%.3f" % best["gap"] if fits else "NO PLAN"
    print(ROW % (kind, best["ops"], "%.1f" % (best["memory"] / 2**20),
                 "%d" % (best["memory"] / best["ops"]),
                 "%.3f" % seconds_to_fit(first, best),
                 "%.3f" % first["gap"] if first["fits"] else "-",
                 "%.2f" % best["seconds"],
                 "%.3f" % best["overhead"] if fits else "-", verdict),
          flush=True)


def exponent(points):
    """The slope of the line of least squares through the logarithms."""
    points = [(math.log(x), math.log(y)) for x, y in points if y > 0]
    if len(points) < 2:
        return None
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    return (sum((x - mean_x) * (y - mean_y) for x, y in points)
            / sum((x - mean_x) ** 2 for x, _ in points))


def show_growth(rows):
    print("\n%-12s %14s %14s %14s" % ("exponent of", "first plan", "seconds",
                                      "memory"))
    for kind in dict.fromkeys(kind for kind, _, _ in rows):
        mine = [(first, best) for k, first, best in rows if k == kind]
        slopes = [exponent([(b["ops"], seconds_to_fit(f, b)) for f, b in mine]),
                  exponent([(b["ops"], b["seconds"]) for _, b in mine]),
                  exponent([(b["ops"], b["memory"]) for _, b in mine])]
        print("%-12s %14s %14s %14s" % (
            (kind,) + tuple("-" if s is None else "%.2f" % s for s in slopes)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ops", nargs="*", type=int,
                        default=[1000, 10000, 100000])
    parser.add_argument("--build", default=os.path.join(HERE, "..", "build"))
    parser.add_argument("--shared",
                        default=os.path.join(HERE, "..", "..", "shared"))
    parser.add_argument("--budget", default="0.5")
    parser.add_argument("--effort", type=int, default=1, choices=range(4))
    parser.add_argument("--limit", type=float, default=600,
                        help="seconds for one plan (600)")
    parser.add_argument("--reorder", action="store_true")
    parser.add_argument("--json")
    args = parser.parse_args()
    rows, late = [], False
    print(ROW % ("kind", "ops", "MiB", "B/op", "first s", "gap %", "s",
                 "over %", "gap %"))
    with tempfile.TemporaryDirectory() as work:
        for kind, script in generators(args.shared).items():
            for ops in args.ops:
                graph = os.path.join(work, "%s%d.json" % (kind, ops))
                make_graph(script, ops, graph)
                first = plan(args, graph, 0)
                best = first and plan(args, graph, args.effort)
                if not best:
                    late = True
                    print("%-12s %8d over %g s" % (kind, ops, args.limit),
                          flush=True)
                    continue
                rows.append((kind, first, best))
                show(*rows[-1])
    show_growth(rows)
    if args.json:
        with open(args.json, "w") as out:
            json.dump([{"kind": k, "first": f, "best": b}
                       for k, f, b in rows], out, indent=1)
    right = all(b["fits"] and "wrong" not in b for _, _, b in rows)
    return 0 if right and not late else 1


if __name__ == "__main__":
    sys.exit(main())
