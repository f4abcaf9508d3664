#!/usr/bin/env python3
"""Plan every training step of the corpus, run or judge it, and print a table.

    corpus.py linalg      the small linalg programs: planned at each share of
                          what they need without recomputation and at the
                          smallest arena found, compiled and run beside the
                          input on equal inputs
    corpus.py stablehlo   the StableHLO programs, planned at the first share
                          that has a plan, judged by shared/tools/planeval.py

usage: corpus.py FORM [--shares 75,50] [--effort N] [--build DIR]
                 [--shared DIR] [--sizes small,real] [NAME ...]
exit status: 1 if a plan is wrong, over its budget, not what was measured, or is
missing above the bound that remat-plan gave
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
REFUSED = re.compile(r"smallest (?:arena|peak) found is (\d+) bytes, and none is "
                     r"below (\d+) bytes")


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True,
                          text=True)


def first_error(done):
    found = re.search(r"error: (.*)", done.stderr)
    text = found.group(1) if found else done.stderr.strip()[-200:]
    return text or f"exit status {done.returncode}"


class Plan:
    """One run of remat-plan; `numbers` is the attribute it left, {} if none."""

    def __init__(self, bench, program, options):
        self.output = bench.work / "planned.mlir"
        begin = time.monotonic()
        self.done = run(bench.opt, program, f"--remat-plan={options}",
                        *bench.print_options, "-o", self.output)
        self.seconds = time.monotonic() - begin
        self.good = self.done.returncode == 0
        self.numbers = self.read_numbers() if self.good else {}
        self.refused = REFUSED.search(self.done.stderr)

    def read_numbers(self):
        found = re.search(r"remat\.plan = \{([^}]*)\}", self.output.read_text())
        pairs = re.findall(r"(\w+) = (\d+)", found.group(1)) if found else []
        return {name: int(value) for name, value in pairs}

    def more(self, name):
        """Extra time in %, of the plan or of its bound."""
        whole = self.numbers.get("cost_before")
        if not whole:
            return "0.00"
        return f"{100 * (self.numbers[name] / whole - 1):.2f}"


class Bench:
    def __init__(self, args, work):
        self.args, self.work = args, pathlib.Path(work)
        self.opt = args.build / "bin" / "remat-opt"
        self.corpus = args.shared / "corpus"
        self.print_options = []
        self.right = True

    def fail(self, *cells):
        self.right = False
        show(*cells)

    def options(self, budget, more=""):
        return f"budget={budget} effort={self.args.effort} {more}"


def show(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def head(*names):
    show(*names)
    show(*["---"] * len(names))


# The linalg programs.


def run_planned(bench, program, plan):
    done = run(bench.args.build / "bin" / "remat-run", program, plan.output,
               "--stock", "--json", "--repeat", bench.args.repeat)
    if done.returncode not in (0, 1) or not done.stdout:
        return None, first_error(done)
    return json.loads(done.stdout), None


def show_run(bench, name, label, keep_all, budget, program, plan):
    seen, error = run_planned(bench, program, plan)
    if error:
        return bench.fail(name, label, f"NOT RUN: {error}")
    planned = plan.numbers["arena"]
    exact = seen["measured_peak"] == planned <= budget
    good = exact and seen["equal"] and seen["inputs_unchanged"]
    bench.right &= good
    show(name, label, f"{seen['stock_peak']:,}", f"{keep_all:,}", f"{budget:,}",
         f"{planned:,}", f"{seen['measured_peak']:,}",
         f"all {seen['results']}" if good else "**WRONG**",
         plan.more("cost"), plan.more("cost_bound"), plan.numbers["reruns"],
         f"{plan.seconds:.1f}", f"{1e3 * seen['base_seconds']:.2f}",
         f"{1e3 * seen['seconds']:.2f}")


def show_refused(bench, name, label, keep_all, budget, plan):
    """Right only if nothing was found that would have fitted."""
    if not plan.refused or int(plan.refused.group(1)) <= budget:
        return bench.fail(name, label, f"NO PLAN: {first_error(plan.done)}")
    smallest, bound = (int(number) for number in plan.refused.groups())
    if bound <= budget and label != "50 %" and label != "75 %":
        bench.right = False
    show(name, label, "", f"{keep_all:,}", f"{budget:,}",
         f"none: smallest found {smallest:,}, bound {bound:,}")


def bench_linalg(bench, program):
    name = program.name.split(".")[0]
    whole = Plan(bench, program, f"strategy=keep-all effort={bench.args.effort}")
    if not whole.good:
        return bench.fail(name, "", f"NO PLAN: {first_error(whole.done)}")
    keep_all = whole.numbers.get("arena") or arena_as_it_is(whole)
    for share in bench.args.shares:
        budget = -(-keep_all * share // 100)
        plan = Plan(bench, program, bench.options(budget))
        row = name, f"{share} %", keep_all, budget
        if plan.good:
            show_run(bench, *row, program, plan)
        else:
            show_refused(bench, *row, plan)
    least = Plan(bench, program, bench.options(2, "best-effort"))
    budget = least.numbers.get("arena", 0)
    plan = Plan(bench, program, bench.options(budget))
    if not least.good or not plan.good:
        return bench.fail(name, "least", f"{budget:,}", "NO PLAN: "
                          + first_error(plan.done if least.good else least.done))
    if not plan.numbers:  # it fits as it is
        return show(name, "least", "", f"{keep_all:,}", "nothing can be saved")
    return show_run(bench, name, "least", keep_all, budget, program, plan)


def arena_as_it_is(plan):
    found = re.search(r"arena ([\d.]+) B", plan.done.stderr)
    return int(found.group(1)) if found else 0


def all_linalg(bench):
    head("program", "at", "stock B", "keep all B", "budget B", "planned B",
         "measured B", "equal", "time +%", "bound +%", "more ops", "plan s",
         "before ms", "after ms")
    for program in files_of(bench, ["*.small.linalg.mlir"]):
        bench_linalg(bench, program)


# The StableHLO programs.


def judge(bench, before, plan, budget):
    done = run(sys.executable, bench.args.shared / "tools" / "planeval.py",
               before, plan.output, budget)
    return done.returncode == 0, done.stdout.strip()


def bench_stablehlo(bench, program):
    name = ".".join(program.name.split(".")[:2])
    before = bench.work / "before.mlir"
    run(bench.opt, program, *bench.print_options, "-o", before)
    for share in (*bench.args.shares, None):
        budget = f"{share}%" if share else 2
        more = "fit=live" if share else "fit=live best-effort"
        plan = Plan(bench, program, bench.options(budget, more))
        if plan.good:
            break
    if not plan.good:
        return bench.fail(name, f"NO PLAN: {first_error(plan.done)}")
    if not plan.numbers:
        return show(name, "", "nothing to do")
    bytes_ = plan.numbers["budget"] if share else plan.numbers["peak"]
    right, said = judge(bench, before, plan, bytes_)
    bench.right &= right
    peaks = said.split() if right else ["0", "0"]
    return show(name, f"{share} %" if share else "least",
                f"{int(peaks[0]):,}", f"{bytes_:,}", f"{int(peaks[1]):,}",
                "right" if right else f"**WRONG** {said}",
                plan.more("cost"), plan.more("cost_bound"),
                plan.numbers["reruns"], f"{plan.seconds:.1f}")


def all_stablehlo(bench):
    bench.print_options = ["--mlir-print-op-generic"]
    head("program", "at", "peak before B", "budget B", "peak B", "judged",
         "time +%", "bound +%", "more ops", "s")
    whole = ["*.flat.stablehlo.mlir", "mlp.*.stablehlo.mlir",
             "mobile.*.stablehlo.mlir"]
    for program in files_of(bench, whole):
        bench_stablehlo(bench, program)


def files_of(bench, patterns):
    found = {path for pattern in patterns for path in bench.corpus.glob(pattern)}
    if not found:
        sys.exit(f"corpus.py: no programs in {bench.corpus}")
    names, sizes = bench.args.names, bench.args.sizes
    return [path for path in sorted(found)
            if (not names or path.name.split(".")[0] in names)
            and path.name.split(".")[1] in sizes]


def numbers(text):
    return [int(word) for word in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("form", choices=("linalg", "stablehlo"))
    parser.add_argument("names", nargs="*")
    parser.add_argument("--shares", type=numbers)
    parser.add_argument("--effort", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=21)
    parser.add_argument("--sizes", type=lambda text: text.split(","),
                        default=["small", "real"])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--shared", type=pathlib.Path,
                        default=ROOT.parent / "shared")
    args = parser.parse_intermixed_args()
    if not args.shares:
        args.shares = [75, 50] if args.form == "linalg" else [50]
    with tempfile.TemporaryDirectory() as work:
        bench = Bench(args, work)
        (all_linalg if args.form == "linalg" else all_stablehlo)(bench)
    return 0 if bench.right else 1


if __name__ == "__main__":
    sys.exit(main())
