#!/usr/bin/env python3
"""Every strategy on the training steps of the corpus at their real size.

Each flat StableHLO program is printed as a graph by remat-opt (fit=live) and
planned by remat-bench at each share of its peak by auto and by each classical
strategy, first in the order in which the ops stand, then in any. Where auto has
no plan at a share, the smallest peak that --minimum found takes its place.
Programs come in order of size. The tables are Markdown: extra cost in %, "-"
where a strategy has no plan within the budget, "late" where it was stopped.

usage: corpus-plans.py [--shares 75,50,30] [--effort N] [--order fixed,any]
                       [--limit SECONDS] [--build DIR] [--shared DIR]
                       [--json OUT] [NAME ...]
exit status: 1 if a plan is wrong, or if one of the others, or auto's own in
fixed order, costs less than auto's or fits where auto's does not
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
OTHERS = "keep-all sqrt-n chen chain min-cut knapsack greedy dtr".split()
MOST_TRIES = 10  # the time of so many plans for the smallest budget


class Bench:
    def __init__(self, args, work):
        self.args, self.work = args, pathlib.Path(work)
        self.rows, self.faults, self.unused = [], [], set(OTHERS)
        self.fixed = {}  # auto's rows, by graph and budget

    def bin(self, name):
        return str(self.args.build / "bin" / name)


def programs(args):
    """The flat form, or the whole program where it has no calls."""
    found = {}
    for path in sorted((args.shared / "corpus").glob("*.real*.stablehlo.mlir")):
        name = path.name.split(".")[0]
        if not args.names or name in args.names:
            found[name] = min(found.get(name, path), path,
                              key=lambda p: ".flat." not in p.name)
    return sorted(found.values(), key=lambda path: path.stat().st_size)


def print_graph(bench, program):
    path = bench.work / (program.name.split(".")[0] + ".json")
    done = subprocess.run(
        [bench.bin("remat-opt"), program, "-o", "/dev/null",
         "--remat-print-graph=json fit=live"], capture_output=True, text=True)
    if not done.stderr.startswith("{"):
        sys.exit(f"{program.name}: {done.stderr.strip()[:200]}")
    path.write_text(done.stderr)
    return path, len(json.loads(done.stderr)["ops"])


def ask(bench, graph, reorder, *options, plans=1):
    """remat-bench's answer; null if it took too long for so many plans."""
    limit = bench.args.limit * plans

    def stop_late():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    done = subprocess.run(
        [bench.bin("remat-bench"), "plan", graph, "--json", "-", "--effort",
         str(bench.args.effort), *options] + ["--reorder"] * reorder,
        capture_output=True, text=True, preexec_fn=stop_late)
    return json.loads(done.stdout) if done.stdout else None


def fault(bench, text):
    bench.faults.append(text)
    print(f"FAULT: {text}", file=sys.stderr, flush=True)


def plan(bench, graph, reorder, budget, strategy, plans=1):
    row = ask(bench, graph, reorder, "--budgets", budget, "--strategies",
              strategy, plans=plans)
    if row:
        bench.rows.append(row)
        if "wrong" in row:
            fault(bench, f"{graph.stem} {budget} {strategy}: {row['wrong']}")
    return row


def compare(bench, ours, theirs):
    """Says where auto is worse."""
    where = (f"{ours['graph']} reorder={'true' if ours['reorder'] else 'false'}"
             f" {ours['at']} ({ours['budget']} B): {theirs['strategy']} ")
    if theirs["fits"] and not ours["fits"]:
        fault(bench, where + f"fits, at {theirs['peak']} bytes")
    elif theirs["fits"] and theirs["cost"] < ours["cost"]:
        fault(bench, where + f"costs {theirs['cost']}, auto {ours['cost']}")


def compare_orders(bench, ours):
    """Moving ops must not make a plan dearer; `ours` is of either order."""
    key = ours["graph"], ours["budget"]
    if not ours["reorder"]:
        bench.fixed[key] = ours
    elif key in bench.fixed:
        compare(bench, ours, dict(bench.fixed[key], strategy="fixed order"))


def run_others(bench, graph, ours):
    """{strategy: extra cost or why none}"""
    cells = {}
    compare_orders(bench, ours)
    for name in OTHERS:
        row = plan(bench, graph, ours["reorder"], f"{ours['budget']}B", name)
        cells[name] = "late" if not row else "-"
        if row and row["fits"]:
            cells[name] = f"{row['overhead']:.2f}"
            bench.unused.discard(name)
        if row:
            compare(bench, ours, row)
    return cells


def show(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def show_plan(name, ours, label, cells):
    bound = 100 * (ours["cost_bound"] / ours["cost_before"] - 1)
    peak = ours["peak_before"]
    show(name, ours["ops"], label, f"{ours['budget'] / 2**20:,.1f}",
         f"{100 * ours['budget'] / peak:.1f}", f"{ours['overhead']:.2f}",
         f"{bound:.2f}", f"{ours['gap']:.2f}", f"{ours['seconds']:.1f}",
         *cells.values())


def least_plan(bench, graph, reorder):
    """The plan at the smallest budget found, and what it is called."""
    found = ask(bench, graph, reorder, "--minimum", plans=MOST_TRIES)
    if not found:
        return None, "least"
    bound = 100 * found["peak_bound"] / found["peak_before"]
    ours = plan(bench, graph, reorder, f"{found['peak']}B", "auto",
                plans=MOST_TRIES)
    if ours and not ours["fits"]:
        compare(bench, ours, dict(found, strategy="--minimum"))
        ours = found
    return ours, f"least, bound {bound:.1f} %"


def bench_program(bench, graph, ops, reorder):
    for share in bench.args.shares:
        ours = plan(bench, graph, reorder, f"{share}%", "auto")
        label = f"{share} %"
        if not ours:
            show(graph.stem, ops, label, f"none within {bench.args.limit} s")
            continue
        if not ours["fits"]:
            run_others(bench, graph, ours)
            ours, label = least_plan(bench, graph, reorder)
        if not ours or not ours["fits"]:
            show(graph.stem, ops, label, "not found in time")
        else:
            show_plan(graph.stem, ours, label, run_others(bench, graph, ours))
        if label.startswith("least"):
            return


def bench_all(bench, reorder):
    print("\nOps in %s order:\n" % ("any" if reorder else "fixed"))
    names = ["program", "ops", "at", "MiB", "%", "auto +%", "bound +%", "gap %",
             "s", *OTHERS]
    show(*names)
    show(*["---"] * len(names))
    for program in programs(bench.args):
        bench_program(bench, *print_graph(bench, program), reorder)


def numbers(text):
    return [int(word) for word in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--shares", type=numbers, default=[75, 50, 30])
    parser.add_argument("--effort", type=int, default=1, choices=range(4))
    parser.add_argument("--order", default="fixed,any")
    parser.add_argument("--limit", type=int, default=20,
                        help="seconds of the processor for one plan (20)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--shared", type=pathlib.Path,
                        default=ROOT.parent / "shared")
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory() as work:
        bench = Bench(args, work)
        for order in args.order.split(","):
            bench_all(bench, order == "any")
    print("\nNo plan within any of these budgets: %s. Worse than another: %d.\n"
          % (", ".join(n for n in OTHERS if n in bench.unused) or "none",
             len(bench.faults)))
    print("\n".join(bench.faults))
    if args.json:
        args.json.write_text(json.dumps(bench.rows, indent=1))
    return 1 if bench.faults else 0


if __name__ == "__main__":
    sys.exit(main())
