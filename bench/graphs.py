#!/usr/bin/env python3
"""Plan the public benchmark graphs and judge every plan without trusting us.

Each graph becomes MLIR by shared/tools/graph2mlir.py, remat-opt plans it in
fixed order at each budget (a fraction of its peak, in bytes, rounded up), and
shared/tools/planeval.py judges the result. The table shows our cost beside the
best known one of shared/bench/graphs/README.md, with our bound.

usage: graphs.py [--remat-opt PROGRAM] [--shared DIR] [--least FRACTION]
                 [--effort N] [GRAPH ...]
exit status: 1 if a plan is wrong, over its budget or missing where one is known
"""
import argparse
import math
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
INFEASIBLE = {"vgg16_b256_train": [0.80]}  # below its largest single step


def read_known(readme):
    """{graph: (peak, {fraction: (cost, proved, bound)})}"""
    peaks, known = {}, {}
    for line in open(readme):
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if len(cells) == 6 and cells[3].isdigit():
            peaks[cells[0]] = int(cells[3])
        if len(cells) == 2 and re.match(r"0\.\d+[:,]", cells[1]):
            known[cells[0]] = read_row(cells[1])
    return {g: (peaks[g], known.get(g, {})) for g in peaks}


def read_row(text):
    row = {}
    for part in text.split("·"):
        m = re.match(r"\s*([\d., ]+): (\d+)\s*(=|≥ (\d+))?", part)
        for fraction in m.group(1).split(","):
            cost = int(m.group(2))
            bound = cost if m.group(3) == "=" else int(m.group(4) or 0)
            row[float(fraction)] = (cost, m.group(3) == "=", bound)
    return row


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, **more)


class Bench:
    def __init__(self, args):
        self.args = args
        self.tools = os.path.join(args.shared, "tools")
        self.graphs = os.path.join(args.shared, "bench", "graphs")
        self.work = tempfile.mkdtemp()

    def path(self, name):
        return os.path.join(self.work, name)

    def make_mlir(self, graph):
        source = os.path.join(self.graphs, graph + ".json")
        text = run([sys.executable, os.path.join(self.tools, "graph2mlir.py"),
                    source]).stdout
        plain = self.path(graph + ".mlir")
        with open(plain, "w") as f:
            f.write(text)
        before = self.path(graph + ".before.mlir")
        run([self.args.remat_opt, plain, "--mlir-print-op-generic",
             "--allow-unregistered-dialect", "-o", before], check=True)
        return plain, before

    def plan(self, plain, budget):
        after = self.path("after.mlir")
        begin = time.time()
        done = run([self.args.remat_opt, plain,
                    "--remat-plan=budget=%d fit=live reorder=false effort=%d"
                    % (budget, self.args.effort),
                    "--mlir-print-op-generic", "-o", after])
        return done, after, time.time() - begin

    def judge(self, before, after, budget):
        return run([sys.executable, os.path.join(self.tools, "planeval.py"),
                    "--fixed-order", before, after, str(budget)])

    def bound_of(self, after, cost_before):
        """Ours counts the sinks too, which the judge does not."""
        text = open(after).read()
        figures = [int(re.search(r"%s = (\d+)" % name, text).group(1))
                   for name in ("cost_bound", "cost_before")
                   if "remat.plan" in text]
        return cost_before + figures[0] - figures[1] if figures else cost_before


def show(graph, fraction, cost, known, bound, seconds, verdict):
    best = known[0] if known else 0
    over = "%+.3f %%" % (100.0 * (cost - best) / best) if best and cost else ""
    gap = "%.3f %%" % (100.0 * (cost - bound) / bound) if cost and bound else ""
    print("%-22s %.2f %16s %16s%s %10s %16s %9s %6.1f  %s"
          % (graph, fraction, cost or "-", best or "-",
             "=" if known and known[1] else " ", over, bound or "-", gap,
             seconds, verdict), flush=True)


def expect_refusal(bench, graph, peak, fraction, plain):
    done, _, seconds = bench.plan(plain, math.ceil(fraction * peak))
    refused = done.returncode != 0 and "no plan fits the budget" in done.stderr
    show(graph, fraction, 0, None, 0, seconds,
         "refused, rightly" if refused else "WRONG: not refused")
    return refused


def bench_graph(bench, graph, peak, row):
    plain, before = bench.make_mlir(graph)
    right = True
    for fraction in sorted(row, reverse=True):
        if fraction < bench.args.least:
            continue
        budget = math.ceil(round(fraction * peak, 6))
        done, after, seconds = bench.plan(plain, budget)
        if done.returncode:
            right = False
            show(graph, fraction, 0, row[fraction], 0, seconds, "NO PLAN")
            continue
        verdict = bench.judge(before, after, budget)
        right &= verdict.returncode == 0
        figures = verdict.stdout.split()
        cost = int(figures[3]) if verdict.returncode == 0 else 0
        bound = bench.bound_of(after, int(figures[2])) if cost else 0
        show(graph, fraction, cost, row[fraction], bound, seconds, "right" if verdict.returncode == 0
             else "WRONG: " + verdict.stdout.strip())
    hopeless = [0.90] if graph.endswith("_test") else INFEASIBLE.get(graph, [])
    for fraction in hopeless:
        right &= expect_refusal(bench, graph, peak, fraction, plain)
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("graphs", nargs="*")
    parser.add_argument("--remat-opt", default=os.path.join(
        HERE, "..", "build", "bin", "remat-opt"))
    parser.add_argument("--shared",
                        default=os.path.join(HERE, "..", "..", "shared"))
    parser.add_argument("--least", type=float, default=0.0)
    parser.add_argument("--effort", type=int, default=1)
    args = parser.parse_args()
    bench = Bench(args)
    known = read_known(os.path.join(bench.graphs, "README.md"))
    for name in os.listdir(bench.graphs):
        if name.endswith("_test.json"):
            known[name[:-5]] = (peak_of(bench, name[:-5]), {})
    print("%-22s %4s %16s %16s  %10s %16s %9s %6s"
          % ("graph", "at", "cost", "best known", "", "bound", "gap", "s"))
    right = True
    for graph in args.graphs or sorted(known):
        right &= bench_graph(bench, graph, *known[graph])
    return 0 if right else 1


def peak_of(bench, graph):
    """The peak of a graph as it stands, as the judge counts it."""
    _, before = bench.make_mlir(graph)
    verdict = run([sys.executable, os.path.join(bench.tools, "planeval.py"),
                   before, before])
    return int(verdict.stdout.split()[0])


if __name__ == "__main__":
    sys.exit(main())
