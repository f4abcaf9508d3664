#!/usr/bin/env python3
"""The public benchmark graphs beside the best known costs, in one table.

`remat-bench plan` plans each graph in fixed order at each budget of
shared/bench/graphs (a fraction of its peak, in bytes, rounded up); cost, bound,
seconds (without parsing) and bytes are as it says. Each of its plans is written
as MLIR and judged by shared/tools/planeval.py, which knows nothing of ours. With
--remat-opt each graph is also planned as MLIR, by remat-opt, and that plan is
judged too; its cost may be another, for there each last value has a reader.

A row is `reached` (beaten: `below`) or `MISSED`; `proved` if our bound is our
cost; `bound low` where the known bound is higher than ours. The last lines
count them and give the longest seconds by size of graph.

usage: graphs.py [--effort N] [--remat-opt] [--least FRACTION] [--build DIR]
                 [--shared DIR] [--json OUT] [GRAPH ...]
exit status: 1 if a plan is wrong, over its budget or missing where one is known
"""
import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
INFEASIBLE = {"vgg16_b256_train": [0.80]}  # below its largest single step
ROW = "%-20s %5s %4s %15s %15s%s %8s %15s %15s%s %7s %5s %7s %7s  %s"


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


def budget_of(peak, fraction):
    return math.ceil(round(fraction * peak, 6))


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, **more)


def replay(graph, schedule):
    """The planned program: what runs again reads its inputs through fences."""
    nodes, reads = graph["nodes"], [[] for _ in graph["nodes"]]
    for u, v in graph["edges"]:
        if u not in reads[v]:
            reads[v].append(u)
    read = {u for inputs in reads for u in inputs}
    types = ["tensor<%dxi8>" % size for _, size in nodes]
    now, lines = {}, []
    for at, v in enumerate(schedule):
        inputs = [now[u] for u in reads[v]]
        if v in now and inputs:
            lines.append('"remat.recompute"(%s) : (%s) -> %s' % (
                inputs[0], types[reads[v][0]], types[reads[v][0]]))
            inputs[0] = "%%f%d" % at
            lines[-1] = "  %s = %s" % (inputs[0], lines[-1])
        name = "%%s%d" % at
        lines.append(
            '  %s = "bench.op"(%s) {id = %d : i64, remat.cost = %d : i64, '
            'remat.recomputable = true} : (%s) -> %s'
            % (name, ", ".join(inputs), v, nodes[v][0],
               ", ".join(types[u] for u in reads[v]), types[v]))
        if v not in read and v not in now:
            lines.append('  "bench.sink"(%s) : (%s) -> ()' % (name, types[v]))
        now[v] = name
    return ('"builtin.module"() ({\n"func.func"() <{function_type = () -> (), '
            'sym_name = "g"}> ({\n%s\n  "func.return"() : () -> ()\n}) : () -> '
            '()\n}) : () -> ()\n' % "\n".join(lines))


class Judge:
    """The independent judge, of our plans as MLIR."""

    def __init__(self, args):
        self.args = args
        self.opt = os.path.join(args.build, "bin", "remat-opt")
        self.tools = os.path.join(args.shared, "tools")
        self.work = tempfile.mkdtemp()

    def path(self, name):
        return os.path.join(self.work, name)

    def take(self, source):
        text = run([sys.executable, os.path.join(self.tools, "graph2mlir.py"),
                    source]).stdout
        self.graph = json.load(open(source))
        with open(self.path("plain.mlir"), "w") as f:
            f.write(text)
        with open(self.path("before.mlir"), "w") as f:
            f.write(replay(self.graph, range(len(self.graph["nodes"]))))

    def ask(self, budget, before="before.mlir"):
        """(cost, None), or what is wrong."""
        done = run([sys.executable, os.path.join(self.tools, "planeval.py"),
                    "--fixed-order", self.path(before),
                    self.path("after.mlir"), str(budget)])
        if done.returncode:
            return 0, "WRONG: " + (done.stdout + done.stderr).strip()[-300:]
        return int(done.stdout.split()[3]), None

    def verdict(self, row):
        with open(self.path("after.mlir"), "w") as f:
            f.write(replay(self.graph, row["schedule"]))
        cost, wrong = self.ask(row["budget"])
        if wrong or cost == row["cost"]:
            return wrong or "right"
        return "WRONG: the judge counts a cost of %d" % cost

    def verdict_of_opt(self, budget):
        run([self.opt, self.path("plain.mlir"), "--mlir-print-op-generic",
             "-o", self.path("before-opt.mlir")], check=True)
        done = run([self.opt, self.path("plain.mlir"),
                    "--remat-plan=budget=%d fit=live reorder=false effort=%d"
                    % (budget, self.args.effort),
                    "--mlir-print-op-generic", "-o", self.path("after.mlir")])
        if done.returncode:
            refused = "no plan fits the budget" in done.stderr
            return "refuses" if refused else "WRONG: " + done.stderr[-200:]
        cost, wrong = self.ask(budget, "before-opt.mlir")
        return wrong or "judged at %d" % cost


def plan(args, path, budgets):
    """remat-bench's rows, one for each budget."""
    command = [os.path.join(args.build, "bin", "remat-bench"), "plan", path,
               "--effort", str(args.effort), "--json", "-", "--schedules", "--budgets",
               ",".join("%dB" % b for b in budgets)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def percent(a, b):
    return "%.3f" % (100.0 * (a - b) / b) if b else "-"


def compare(row, known):
    """What is to be said of a plan, by the best known one."""
    if "wrong" in row:
        return "WRONG: " + row["wrong"]
    if not row["fits"]:
        proved = row["peak_bound"] > row["budget"]
        if not known:
            return "none, rightly" if proved else "NO PROOF"
        return "NO PLAN"
    cost, _, bound = known or (0, False, 0)
    words = []
    if known:
        words.append("below" if row["cost"] < cost else
                     "reached" if row["cost"] == cost else "MISSED")
    if row["cost_bound"] == row["cost"]:
        words.append("proved")
    elif row["cost_bound"] < bound:
        words.append("bound low")
    return ", ".join(words)


def show(row, fraction, known, verdict):
    fits, (cost, proved, bound) = row["fits"], known or (0, False, 0)
    print(ROW % (row["graph"], row["ops"], "%.2f" % fraction,
                 row["cost"] if fits else "-", cost or "-",
                 "=" if proved else " ",
                 percent(row["cost"], cost) if fits and cost else "-",
                 row["cost_bound"] if fits else "-", bound or "-",
                 "=" if proved else " ",
                 percent(row["cost"], row["cost_bound"]) if fits else "-",
                 row["recomputed_ops"] if fits else "-",
                 "%.2f" % row["seconds"], "%.1f" % (row["memory"] / 2**20),
                 verdict), flush=True)


def bench_graph(args, judge, graph, peak, known):
    path = os.path.join(args.shared, "bench", "graphs", graph + ".json")
    fractions = [f for f in sorted(known, reverse=True) if f >= args.least]
    fractions += [0.90] if graph.endswith("_test") else \
        INFEASIBLE.get(graph, [])
    budgets = [budget_of(peak, f) for f in fractions]
    judge.take(path)
    rows = plan(args, path, budgets) if budgets else []
    for row, fraction in zip(rows, fractions):
        verdict = compare(row, known.get(fraction))
        if row["fits"]:
            verdict += ", " + judge.verdict(row)
        if args.remat_opt:
            verdict += "; remat-opt " + judge.verdict_of_opt(row["budget"])
        row.pop("schedule")
        row.update(fraction=fraction, verdict=verdict)
        show(row, fraction, known.get(fraction), verdict)
    return rows


def summarize(rows):
    for word in ("below", "reached", "MISSED", "proved", "bound low",
                 "NO PLAN", "WRONG"):
        count = sum(word in row["verdict"] for row in rows)
        if count:
            print("%4d %s" % (count, word))
    for least, most, limit in (0, 250, 5), (250, 500, 20), (500, 1000, 60):
        seconds = [r["seconds"] for r in rows if least < r["ops"] <= most]
        if seconds:
            print("longest of %d to %d ops: %.2f s (%d s asked for)"
                  % (least + 1, most, max(seconds), limit))


def peak_of(args, graph):
    """Of the graph as it is."""
    path = os.path.join(args.shared, "bench", "graphs", graph + ".json")
    command = [os.path.join(args.build, "bin", "remat-bench"), "plan", path,
               "--budgets", "1", "--strategies", "keep-all", "--json", "-"]
    return json.loads(run(command).stdout)["peak"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("graphs", nargs="*")
    parser.add_argument("--build", default=os.path.join(HERE, "..", "build"))
    parser.add_argument("--shared",
                        default=os.path.join(HERE, "..", "..", "shared"))
    parser.add_argument("--least", type=float, default=0.0)
    parser.add_argument("--effort", type=int, default=1, choices=range(4))
    parser.add_argument("--remat-opt", action="store_true")
    parser.add_argument("--json")
    args = parser.parse_args()
    folder = os.path.join(args.shared, "bench", "graphs")
    known = read_known(os.path.join(folder, "README.md"))
    for name in sorted(os.listdir(folder)):
        if name.endswith("_test.json"):
            known[name[:-5]] = (peak_of(args, name[:-5]), {})
    print(ROW % ("graph", "ops", "at", "cost", "best known", " ", "over %",
                 "bound", "known bound", " ", "gap %", "extra", "s", "MiB", ""))
    judge, rows = Judge(args), []
    for graph in args.graphs or sorted(known):
        rows += bench_graph(args, judge, graph, *known[graph])
    summarize(rows)
    if args.json:
        with open(args.json, "w") as out:
            json.dump(rows, out, indent=1)
    bad = ("WRONG", "NO PLAN", "NO PROOF")
    return 1 if any(word in r["verdict"] for r in rows for word in bad) else 0


if __name__ == "__main__":
    sys.exit(main())
