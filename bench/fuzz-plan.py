#!/usr/bin/env python3
"""Plan random training steps and run them: no plan may change a bit or a byte.

    fuzz-plan.py [--first SEED] [--count N] [--seconds S] [--keep DIR] [--build DIR]

Each seed gives a small program on tensors: layers forward, their gradients
backward, updated weights; with residual sums, views, slices written into
tensors, masks, loops, branches, calls, ops of two results, shared inits, names,
donated arguments. It is planned at several budgets, down to the smallest arena
found. Each plan must pass remat-verify, stay within its budget, and, run beside
its input, give equal bits in exactly the arena it promised.

exit status: 1 if a program was not handled so; it is kept, and its commands are printed
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
REFUSED = re.compile(r"smallest arena found is (\d+) bytes, and none is below (\d+) bytes")
RECORD = re.compile(r"remat\.plan = \{([^}]*)\}")
N = 8
MATRIX, VECTOR, MASK = f"tensor<{N}x{N}xf32>", f"tensor<{N}xf32>", f"tensor<{N}x{N}xi1>"
FLAT = f"tensor<{N * N}xf32>"
STRATEGIES = ["greedy", "min-cut", "search", "exact", "chain", "chen", "knapsack", "dtr", "layers",
              "recompute-all", "sqrt-n", "every-n n=3"]
PRELUDE = """#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
#ii = affine_map<(i) -> (i)>
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ki = affine_map<(i, j, k) -> (k, i)>
#jk = affine_map<(i, j, k) -> (j, k)>
#mn = affine_map<(i, j, k) -> (i, j)>
"""


class Writer:
    """Writes one program; values live in lists by what they are."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count, self.depth = 0, 1
        self.lines, self.helpers, self.shared = [], [], {}

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def put(self, text):
        self.lines.append("  " * self.depth + text)

    def chance(self, share):
        return self.random.random() < share

    def empty(self, kind):
        if kind in self.shared and self.chance(0.3):
            return self.shared[kind]
        name = self.name()
        self.put(f"{name} = tensor.empty() : {kind}")
        if self.depth == 1:
            self.shared[kind] = name
        return name

    def zeros(self, kind):
        key = "zero " + kind
        if key in self.shared and self.chance(0.3):
            return self.shared[key]
        init, name = self.empty(kind), self.name()
        self.put(f"{name} = linalg.fill ins(%zero : f32) outs({init} : {kind}) -> {kind}")
        if self.depth == 1:
            self.shared[key] = name
        return name

    def generic(self, reads, outs, maps, body, kinds=("parallel", "parallel")):
        """`reads` and `outs` are (name, type); `body` gives lines and yields."""
        name = self.name()
        ins = ", ".join(n for n, _ in reads), ", ".join(t for _, t in reads)
        out = ", ".join(n for n, _ in outs), ", ".join(t for _, t in outs)
        types = out[1] if len(outs) == 1 else f"({out[1]})"
        iterators = ", ".join(f'"{k}"' for k in kinds)
        left = name if len(outs) == 1 else f"{name}:{len(outs)}"
        self.put(f"{left} = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
                 f"iterator_types = [{iterators}]}} ins({ins[0]} : {ins[1]}) "
                 f"outs({out[0]} : {out[1]}) {{")
        element = [t[:-1].split("x")[-1] for _, t in reads + outs]
        arguments = ", ".join(f"%b{i}: {e}" for i, e in enumerate(element))
        self.put(f"^bb0({arguments}):")
        for line in body:
            self.put("  " + line)
        self.put(f"}} -> {types}")
        return [name] if len(outs) == 1 else [f"{name}#{i}" for i in range(len(outs))]

    def binary(self, a, b, op="addf", out=None):
        if out is None:
            out = self.empty(MATRIX)
        return self.generic([(a, MATRIX), (b, MATRIX)], [(out, MATRIX)], ["#ij"] * 3,
                            [f"%p = arith.{op} %b0, %b1 : f32",
                             "linalg.yield %p : f32"])[0]

    def accumulated(self, a, out):
        """A sum into what `out` holds: its destination is read."""
        return self.generic([(a, MATRIX)], [(out, MATRIX)], ["#ij"] * 2,
                            ["%p = arith.addf %b0, %b1 : f32", "linalg.yield %p : f32"])[0]

    def unary(self, a):
        op = self.random.choice(["math.exp", "math.tanh", "math.sin", "arith.negf"])
        return self.generic([(a, MATRIX)], [(self.empty(MATRIX), MATRIX)], ["#ij"] * 2,
                            [f"%p = {op} %b0 : f32", "%q = arith.mulf %p, %half : f32",
                             "linalg.yield %q : f32"])[0]

    def matmul(self, a, b, maps="#ik #kj", out=None):
        if maps == "#ik #kj" and self.chance(0.7):
            name, out = self.name(), out or self.zeros(MATRIX)
            self.put(f"{name} = linalg.matmul ins({a}, {b} : {MATRIX}, {MATRIX}) "
                     f"outs({out} : {MATRIX}) -> {MATRIX}")
            return name
        return self.generic([(a, MATRIX), (b, MATRIX)], [(out or self.zeros(MATRIX), MATRIX)],
                            maps.split() + ["#mn"],
                            ["%p = arith.mulf %b0, %b1 : f32", "%q = arith.addf %b2, %p : f32",
                             "linalg.yield %q : f32"], ("parallel", "parallel", "reduction"))[0]

    def bias(self, a, vector):
        return self.generic([(a, MATRIX), (vector, VECTOR)], [(self.empty(MATRIX), MATRIX)],
                            ["#ij", "#j", "#ij"],
                            ["%p = arith.addf %b0, %b1 : f32", "linalg.yield %p : f32"])[0]

    def column_sum(self, a):
        return self.generic([(a, MATRIX)], [(self.zeros(VECTOR), VECTOR)], ["#ij", "#j"],
                            ["%p = arith.addf %b0, %b1 : f32", "linalg.yield %p : f32"],
                            ("reduction", "parallel"))[0]

    def relu(self, a):
        """Two results: the value and its mask."""
        outs = [(self.empty(MATRIX), MATRIX), (self.empty(MASK), MASK)]
        return self.generic([(a, MATRIX)], outs, ["#ij"] * 3,
                            ["%m = arith.cmpf ogt, %b0, %zero : f32",
                             "%p = arith.select %m, %b0, %zero : f32",
                             "linalg.yield %p, %m : f32, i1"])

    def masked(self, a, mask):
        return self.generic([(a, MATRIX), (mask, MASK)], [(self.empty(MATRIX), MATRIX)],
                            ["#ij"] * 3, ["%p = arith.select %b1, %b0, %zero : f32",
                                          "linalg.yield %p : f32"])[0]

    def reshaped(self, a):
        flat, name = self.name(), self.name()
        self.put(f"{flat} = tensor.collapse_shape {a} [[0, 1]] : {MATRIX} into {FLAT}")
        self.put(f"{name} = tensor.expand_shape {flat} [[0, 1]] output_shape [{N}, {N}] : "
                 f"{FLAT} into {MATRIX}")
        return name

    def halves_swapped(self, a, into):
        half = f"tensor<{N // 2}x{N}xf32>"
        low, name, last = self.name(), self.name(), self.name()
        at = [f"[{row}, 0] [{N // 2}, {N}] [1, 1]" for row in (0, N // 2)]
        self.put(f"{low} = tensor.extract_slice {a}{at[0]} : {MATRIX} to {half}")
        self.put(f"{name} = tensor.insert_slice {low} into {into}{at[1]} : {half} into {MATRIX}")
        if self.chance(0.5):
            return name
        high = self.name()
        self.put(f"{high} = tensor.extract_slice {a}{at[1]} : {MATRIX} to {half}")
        self.put(f"{last} = tensor.insert_slice {high} into {name}{at[0]} : {half} into {MATRIX}")
        return last

    def named(self, a):
        name = self.name()
        policy = self.random.choice(["", "", " policy save", " policy recompute"])
        self.put(f'{name} = remat.checkpoint {a} named "n{self.count}"{policy} : {MATRIX}')
        return name

    def looped(self, a, captured):
        carried, name, step = self.name(), self.name(), self.name()
        self.put(f"{name} = scf.for {step} = %c0 to %c3 step %c1 iter_args({carried} = {a}) "
                 f"-> ({MATRIX}) {{")
        self.depth += 1
        inner = self.binary(carried, captured, "mulf") if self.chance(0.5) else \
            self.matmul(carried, captured)
        if self.chance(0.5):
            inner = self.unary(inner)
        self.put(f"scf.yield {inner} : {MATRIX}")
        self.depth -= 1
        self.put("}")
        return name

    def branched(self, a, b):
        name = self.name()
        self.put(f"{name} = scf.if %flag -> ({MATRIX}) {{")
        self.depth += 1
        self.put(f"scf.yield {self.unary(a) if self.chance(0.5) else a} : {MATRIX}")
        self.depth -= 1
        self.put("} else {")
        self.depth += 1
        self.put(f"scf.yield {self.binary(a, b, 'subf')} : {MATRIX}")
        self.depth -= 1
        self.put("}")
        return name

    def called(self, a, b):
        """A private function of its own, or one that another call made."""
        which = self.random.randrange(len(self.helpers) + 1)
        if which == len(self.helpers):
            outer = self.lines, self.depth, self.shared
            self.lines, self.depth, self.shared = [], 1, {}
            inner = self.unary(self.matmul("%x", "%y"))
            result = self.binary(inner, "%x") if self.chance(0.5) else inner
            body = "\n".join(self.lines)
            self.lines, self.depth, self.shared = outer
            self.helpers.append(
                f"func.func private @help{len(self.helpers)}(%x: {MATRIX}, %y: {MATRIX}) -> {MATRIX} {{\n"
                f"{CONSTANTS}{body}\n  return {result} : {MATRIX}\n}}\n")
        name = self.name()
        self.put(f"{name} = func.call @help{which}({a}, {b}) : ({MATRIX}, {MATRIX}) -> {MATRIX}")
        return name

    def layer(self, x, weight, vector):
        """Forward; gives its result and a function that writes the backward."""
        kind = self.random.choice(["linear", "linear", "relu", "relu", "unary", "reshape",
                                   "slice", "loop", "if", "call", "square", "accumulate"])
        pre = self.bias(self.matmul(x, weight), vector) if self.chance(0.5) else \
            self.matmul(x, weight)
        if self.chance(0.2):
            pre = self.named(pre)
        mask, out = None, pre
        if kind == "relu":
            out, mask = self.relu(pre)
        elif kind == "unary":
            out = self.unary(pre)
        elif kind == "reshape":
            out = self.unary(self.reshaped(pre))
        elif kind == "slice":
            out = self.halves_swapped(pre, self.random.choice([x, self.zeros(MATRIX), pre]))
        elif kind == "loop":
            out = self.looped(pre, self.random.choice([x, weight, pre]))
        elif kind == "if":
            out = self.branched(pre, x)
        elif kind == "call":
            out = self.called(pre, self.random.choice([x, weight]))
        elif kind == "square":
            out = self.binary(pre, pre, "mulf")
        elif kind == "accumulate":
            out = self.accumulated(self.unary(pre), pre)
        residual = self.chance(0.4)
        y = self.binary(out, x, "addf") if residual else out

        def backward(gradient):
            g = self.masked(gradient, mask) if mask else self.binary(gradient, out, "mulf") \
                if kind in ("unary", "reshape", "square") else gradient
            if self.chance(0.3):
                g = self.binary(g, pre, "mulf")
            if kind == "loop" and self.chance(0.7):
                g = self.looped(g, pre)
            if kind == "call" and self.chance(0.7):
                g = self.called(g, out)
            of_weight = self.matmul(x, g, "#ki #kj")
            of_vector = self.column_sum(g)
            before = self.matmul(g, weight, "#ik #jk")
            if residual:
                before = self.accumulated(gradient, before) if self.chance(0.3) else \
                    self.binary(before, gradient)
            return before, of_weight, of_vector

        return y, backward

    def update(self, weight, gradient, kind):
        where = "#ij" if kind == MATRIX else "#ii"
        return self.generic([(weight, kind), (gradient, kind)], [(self.empty(kind), kind)],
                            [where] * 3,
                            ["%p = arith.mulf %b1, %half : f32", "%q = arith.subf %b0, %p : f32",
                             "linalg.yield %q : f32"],
                            ("parallel",) * (2 if kind == MATRIX else 1))[0]

    def program(self):
        layers = self.random.randrange(2, 8)
        weights, y, backwards = [], "%x", []
        for i in range(layers):
            donated = " {jax.buffer_donor = true}" if self.chance(0.2) else ""
            weights.append((f"%w{i}", f"%u{i}", donated))
        for weight, vector, _ in weights:
            y, backward = self.layer(y, weight, vector)
            backwards.append(backward)
        gradient = self.binary(y, "%x", "subf")
        results = [(y, MATRIX)] if self.chance(0.4) else []
        for (weight, vector, _), backward in list(zip(weights, backwards))[::-1]:
            gradient, of_weight, of_vector = backward(gradient)
            done = self.chance(0.5)
            results.append((self.update(weight, of_weight, MATRIX) if done else of_weight, MATRIX))
            results.append((of_vector, VECTOR))
        if self.chance(0.5):
            results.append((gradient, MATRIX))
        if self.chance(0.1):
            results.append((self.random.choice([results[0][0], results[-1][0]]),
                            MATRIX) if results[0][1] == results[-1][1] == MATRIX
                           else ("%x", MATRIX))
        types = ", ".join(t for _, t in results)
        self.put(f"return {', '.join(n for n, _ in results)} : {types}")
        arguments = "".join(f", {w}: {MATRIX}{d}, {u}: {VECTOR}" for w, u, d in weights)
        return (PRELUDE + "".join(self.helpers) +
                f"func.func @step(%flag: i1, %x: {MATRIX}{arguments}) -> ({types}) {{\n"
                + CONSTANTS + "\n".join(self.lines) + "\n}\n")


CONSTANTS = """  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
"""


class Wrong(Exception):
    pass


def run(*command):
    try:
        return subprocess.run([str(word) for word in command], capture_output=True,
                              text=True, timeout=120)
    except subprocess.TimeoutExpired:
        raise Wrong(f"takes more than two minutes: {' '.join(map(str, command))}")


class Trial:
    def __init__(self, build, folder, seed):
        self.opt, self.runner = build / "bin" / "remat-opt", build / "bin" / "remat-run"
        self.program = folder / f"step-{seed}.mlir"
        self.planned = folder / f"step-{seed}.planned.mlir"
        self.program.write_text(Writer(seed).program())
        self.random = random.Random(seed)
        self.plans = self.recomputing = 0
        self.missed = False  # no plan at what was the smallest arena found

    def good(self, *command):
        done = run(*command)
        if done.returncode:
            raise Wrong(f"{' '.join(map(str, command))}\n{done.stdout[-800:]}{done.stderr[-1500:]}")
        return done

    def plan(self, budget, more=""):
        """The record of a plan, None if it changes nothing, or who refused it."""
        flag = f"--remat-plan=budget={budget} fit=arena {more}"
        done = run(self.opt, self.program, flag, "-o", self.planned)
        refused = REFUSED.search(done.stderr)
        if done.returncode and not refused:
            raise Wrong(f"{self.opt} {self.program} '{flag}'\n{done.stderr[-1500:]}")
        return None if done.returncode else self.planned.read_text(), refused

    def check(self, text, limit, flag):
        found = RECORD.search(text)
        if not found:
            if text != self.plain:
                raise Wrong(f"changed without a record at {flag}")
            return
        record = dict(re.findall(r"(\w+) = (\d+)", found.group(1)))
        arena, budget = int(record["arena"]), int(record.get("budget", 1 << 60))
        if arena > budget or (limit and arena > limit):
            raise Wrong(f"an arena of {arena} at {flag}")
        self.good(self.opt, self.planned, f"--remat-verify=original={self.program}",
                  "-o", "/dev/null")
        done = run(self.runner, self.program, self.planned, "--json", "--repeat", 1)
        report = json.loads(done.stdout) if done.stdout else {}
        right = (done.returncode == 0 and report["equal"] and report["inputs_unchanged"]
                 and report["measured_peak"] == report["planned_arena"] == arena)
        if not right:
            raise Wrong(f"planned at {flag}: {arena} bytes\n{done.stdout}{done.stderr}")
        self.plans += 1
        self.recomputing += int(record["recomputed"]) > 0

    def whole(self):
        self.plain = self.good(self.opt, self.program).stdout
        more = self.random.choice(["", "", "reorder=false", "effort=0", "max-recompute=2",
                                   "strategy=" + self.random.choice(STRATEGIES)])
        smallest = None
        for budget in ("85%", "65%", "50%", "2"):
            text, refused = self.plan(budget, more)
            if text is not None:
                self.check(text, None, f"budget={budget} {more}")
            elif refused:
                found, bound = map(int, refused.groups())
                if found < bound:
                    raise Wrong(f"found {found} below the bound {bound} at {budget} {more}")
                smallest = min(found, smallest or found)
        if smallest:
            text, refused = self.plan(smallest, more)
            self.missed = text is None
            if text is not None:
                self.check(text, smallest, f"budget={smallest} {more}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    args = parser.parse_args()
    folder = args.keep or pathlib.Path(tempfile.mkdtemp(prefix="fuzz-plan-"))
    folder.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    wrong = programs = plans = recomputing = missed = 0
    for seed in range(args.first, args.first + args.count):
        if time.monotonic() - begin > args.seconds:
            break
        trial = Trial(args.build, folder, seed)
        programs += 1
        try:
            trial.whole()
            trial.program.unlink()
            trial.planned.unlink(missing_ok=True)
        except Wrong as reason:
            wrong += 1
            print(f"seed {seed}: {reason}", flush=True)
        plans, recomputing = plans + trial.plans, recomputing + trial.recomputing
        missed += trial.missed
    print(f"{programs} programs, {plans} plans ({recomputing} recompute), {wrong} programs wrong, "
          f"{missed} without a plan at the smallest arena found")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
