#!/usr/bin/env python3
"""Plans a program, runs it as it is and as planned, and shows both.

usage: show-plan.py [--budget BUDGET] [--planned FILE] [--build DIR]
                    [--repeat N] [PROGRAM.mlir]

Exit status: 0 if the measured bytes are the planned ones and within the budget,
all results are equal bit for bit and no input was overwritten; 1 if not; 2 if a
program could not be planned or run. Times are shown and not judged.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Failed(Exception):
    pass


def step(text):
    """Says what goes on; the function returned says how long it took."""
    begin = time.monotonic()
    print(f"  {text} ...", end="", flush=True)
    return lambda: print(f" {time.monotonic() - begin:.1f} s", flush=True)


def run(command):
    """Output and errors of a command, whatever its exit status."""
    try:
        return subprocess.run([str(word) for word in command],
                              capture_output=True, text=True)
    except OSError as error:
        raise Failed(f"{command[0]}: {error.strerror}; scripts/setup builds it")


def errors_of(done, name):
    """What a tool complained of, without the source lines it quotes."""
    lines = re.findall(r"^.*\b(?:error|note|warning): .*$", done.stderr, re.M)
    return "\n".join(lines) or done.stderr.strip() or f"{name} failed"


def relative(path):
    path = pathlib.Path(path).resolve()
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def plan(args, options, output):
    """Runs remat-plan; its remark."""
    done = run([args.build / "bin" / "remat-opt", args.program,
                f"--remat-plan={options}", "-o", output])
    if done.returncode:
        raise Failed(errors_of(done, "remat-opt"))
    remark = re.search(r"remat-plan: .*", done.stderr)
    return remark.group(0) if remark else ""


def read_plan(path):
    """The numbers that remat-plan wrote on the function, {} if none."""
    found = re.search(r"remat\.plan = \{([^}]*)\}", pathlib.Path(path).read_text())
    pairs = re.findall(r"(\w+) = (\d+)", found.group(1)) if found else []
    return {name: int(value) for name, value in pairs}


def run_both(args, planned):
    done = run([args.build / "bin" / "remat-run", args.program, planned,
                "--stock", "--json", "--repeat", args.repeat])
    if done.returncode not in (0, 1) or not done.stdout:
        raise Failed(errors_of(done, "remat-run"))
    return json.loads(done.stdout)


def broken_promises(promise, seen):
    """What is not as it was promised, in words."""
    broken = []
    if seen["measured_peak"] != promise["arena"]:
        broken.append(f"the program took {seen['measured_peak']:,} bytes, and "
                      f"{promise['arena']:,} were planned")
    if "budget" in promise and seen["measured_peak"] > promise["budget"]:
        broken.append(f"the program took {seen['measured_peak']:,} bytes, over "
                      f"the budget of {promise['budget']:,}")
    if not seen["equal"]:
        broken.append(f"results differ: {json.dumps(seen['difference'])}")
    if not seen["inputs_unchanged"]:
        broken.append("an input was overwritten")
    return broken


def print_bytes(label, count, whole):
    share = f"{100 * count / whole:6.1f} %" if whole else ""
    print(f"  {label:42}{count:>13,} B {share}")


def print_time(label, seconds, before):
    print(f"  {label:42}{1e3 * seconds:>13.3f} ms"
          f" {100 * (seconds / before - 1):+5.1f} %")


def print_table(promise, keep_all, seen):
    print("\nMemory")
    print_bytes("stock lowering, freed after last use", seen["stock_peak"],
                keep_all)
    print_bytes("one arena, in the program's own order", seen["base_peak"],
                keep_all)
    print_bytes("arena without recomputation", keep_all, keep_all)
    if "budget" in promise:
        print_bytes("budget", promise["budget"], keep_all)
    print_bytes("planned", promise["arena"], keep_all)
    print_bytes("measured", seen["measured_peak"], keep_all)
    before = seen["base_seconds"]
    print("\nTime (median; it depends on the machine)")
    print_time("before", before, before)
    print_time("predicted", before * promise["cost"] / promise["cost_before"],
               before)
    print_time("measured", seen["seconds"], before)
    print(f"\n{promise['recomputed']} values recomputed, by "
          f"{promise['reruns']} more ops")


def show(args, work):
    planned = args.planned or work / "planned.mlir"
    done = step("what it needs without recomputation")
    plan(args, "strategy=keep-all", work / "keep-all.mlir")
    done()
    keep_all = read_plan(work / "keep-all.mlir").get("arena")
    if not args.planned:
        done = step(f"planning to {args.budget}")
        remark = plan(args, f"budget={args.budget}", planned)
        done()
        print(f"  {remark}")
    promise = read_plan(planned)
    if not promise and not args.planned:
        return 0  # the remark has said that it fits as it is
    if "arena" not in promise:
        raise Failed("the plan is not of an arena; remat-run needs one")
    done = step("compiling and running it as it is, as planned, and by the "
                "stock passes")
    seen = run_both(args, planned)
    done()
    print_table(promise, keep_all or seen["base_peak"], seen)
    broken = broken_promises(promise, seen)
    if not broken:
        print(f"all {seen['results']} results equal bit for bit")
    for what in broken:
        print(f"NOT AS PROMISED: {what}")
    return 1 if broken else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", type=pathlib.Path,
                        default=ROOT / "examples" / "gpt4.mlir")
    parser.add_argument("--budget", default="50%", help="default: 50%%")
    parser.add_argument("--planned", type=pathlib.Path,
                        help="take this planned program and plan nothing")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path(
        os.environ.get("REMAT_BUILD", ROOT / "build")))
    parser.add_argument("--repeat", type=int, default=51,
                        help="runs of which the median time is shown")
    args = parser.parse_args()
    print(f"remat: {relative(args.program)}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        try:
            return show(args, pathlib.Path(folder))
        except Failed as failure:
            print(f"\n{failure}", file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main())
