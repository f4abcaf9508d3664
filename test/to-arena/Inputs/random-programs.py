"""Random programs with nested loops, branches, slices and shared inits, each run
in its arena and by the stock lowering: results must be equal bit for bit, one
allocation must be left, and the arena planned must be the bytes measured.

    random-programs.py FIRST COUNT FOLDER
"""
import json
import os
import random
import re
import subprocess
import sys

TYPE = {"v": "tensor<6xf32>", "m": "tensor<6x6xf32>"}
HEAD = """#v = affine_map<(i) -> (i)>
#m = affine_map<(i, j) -> (i, j)>
func.func @main(%a0: tensor<6xf32>, %a1: tensor<6x6xf32>, %a2: i1) -> ({types}) {{
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
"""


class Writer:
    """Writes a block at a time; `values` holds what may be read, by shape."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.count = 0
        self.lines = []

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def put(self, depth, text):
        self.lines.append("  " * depth + text)

    def pick(self, values, shape):
        return self.random.choice([n for n, s in values if s == shape][-6:])

    def init(self, values, shape, depth, filled):
        """An empty or a fill; now and then one that others use too."""
        kind = ("fill" if filled else "empty") + shape
        shared = [n for n, s in values if s == kind]
        if shared and self.random.random() < 0.4:
            return shared[-1]
        name = self.name()
        if filled:
            empty = self.init(values, shape, depth, False)
            self.put(depth, f"{name} = linalg.fill ins(%zero : f32) "
                            f"outs({empty} : {TYPE[shape]}) -> {TYPE[shape]}")
        else:
            self.put(depth, f"{name} = tensor.empty() : {TYPE[shape]}")
        if self.random.random() < 0.4:
            values.append((name, kind))
        return name

    def elementwise(self, values, depth):
        shape = self.random.choice("vvm")
        a, b, out = (self.pick(values, shape) for _ in range(3))
        accumulates = self.random.random() < 0.25
        if not accumulates:
            out = self.init(values, shape, depth, False)
        op = self.random.choice(["addf", "subf", "mulf", "maximumf"])
        name, t, kind = self.name(), TYPE[shape], '"parallel"'
        kinds = ", ".join([kind] * (1 if shape == "v" else 2))
        self.put(depth, f"{name} = linalg.generic {{indexing_maps = [#{shape}, #{shape}, #{shape}], "
                        f"iterator_types = [{kinds}]}} ins({a}, {b} : {t}, {t}) outs({out} : {t}) {{")
        self.put(depth, "^bb0(%x: f32, %y: f32, %o: f32):")
        self.put(depth + 1, f"%p = arith.{op} %x, %y : f32")
        self.put(depth + 1, "%q = arith.mulf %p, %half : f32")
        self.put(depth + 1, f"%r = arith.subf %q, {'%o' if accumulates else '%p'} : f32")
        self.put(depth + 1, "linalg.yield %r : f32")
        self.put(depth, f"}} -> {t}")
        values.append((name, shape))

    def matmul(self, values, depth):
        a, b = self.pick(values, "m"), self.pick(values, "m")
        out, name, t = self.init(values, "m", depth, True), self.name(), TYPE["m"]
        self.put(depth, f"{name} = linalg.matmul ins({a}, {b} : {t}, {t}) outs({out} : {t}) -> {t}")
        values.append((name, "m"))

    def row(self, values, depth):
        name, row = self.name(), self.random.randrange(6)
        at = f"[{row}, 0] [1, 6] [1, 1]"
        matrix = self.pick(values, "m")
        if self.random.random() < 0.4:
            self.put(depth, f"{name} = tensor.extract_slice {matrix}{at} : {TYPE['m']} to {TYPE['v']}")
            values.append((name, "v"))
        else:
            vector = self.pick(values, "v")
            self.put(depth, f"{name} = tensor.insert_slice {vector} into {matrix}{at} : "
                            f"{TYPE['v']} into {TYPE['m']}")
            values.append((name, "m"))

    def loop(self, values, depth):
        shapes = [self.random.choice("vm") for _ in range(self.random.randrange(1, 4))]
        types = ", ".join(TYPE[s] for s in shapes)
        starts = [self.pick(values, s) for s in shapes]
        inner = list(values) + [(self.name(), s) for s in shapes]
        carried = [n for n, _ in inner[len(values):]]
        name, bound, step = self.name(), self.name(), self.name()
        self.put(depth, f"{bound} = arith.constant {self.random.randrange(4)} : index")
        pairs = ", ".join(f"{c} = {s}" for c, s in zip(carried, starts))
        self.put(depth, f"{name}:{len(shapes)} = scf.for {step} = %c0 to {bound} step %c1 "
                        f"iter_args({pairs}) -> ({types}) {{")
        self.block(inner, depth + 1, self.random.randrange(1, 5))
        ends = ", ".join(self.pick(inner, s) for s in shapes)
        self.put(depth + 1, f"scf.yield {ends} : {types}")
        self.put(depth, "}")
        values += [(f"{name}#{i}", s) for i, s in enumerate(shapes)]

    def branch(self, values, depth):
        shapes = [self.random.choice("vm") for _ in range(self.random.randrange(1, 3))]
        types, name = ", ".join(TYPE[s] for s in shapes), self.name()
        self.put(depth, f"{name}:{len(shapes)} = scf.if %a2 -> ({types}) {{")
        for is_last in (False, True):
            inner = list(values)
            self.block(inner, depth + 1, self.random.randrange(4))
            ends = ", ".join(self.pick(inner, s) for s in shapes)
            self.put(depth + 1, f"scf.yield {ends} : {types}")
            self.put(depth, "}" if is_last else "} else {")
        values += [(f"{name}#{i}", s) for i, s in enumerate(shapes)]

    def block(self, values, depth, count):
        flat = [self.elementwise] * 4 + [self.matmul, self.row, self.row]
        nested = [self.loop, self.loop, self.branch] if depth < 4 else []
        for _ in range(count):
            self.random.choice(flat + nested)(values, depth)

    def program(self):
        values = [("%a0", "v"), ("%a1", "m")]
        self.block(values, 1, self.random.randrange(4, 14))
        made = [v for v in values[2:] if v[1] in TYPE] or values
        results = self.random.sample(made, min(len(made), 3))
        types = ", ".join(TYPE[s] for _, s in results)
        self.put(1, f"return {', '.join(n for n, _ in results)} : {types}")
        return HEAD.format(types=types) + "\n".join(self.lines) + "\n}\n"


def main(first, count, folder):
    wrong = 0
    for seed in range(first, first + count):
        path = os.path.join(folder, f"random-{seed}.mlir")
        with open(path, "w") as file:
            file.write(Writer(seed).program())
        arena = subprocess.run(["remat-opt", path, "--remat-to-arena"],
                               capture_output=True, text=True)
        left = len(re.findall(r"memref\.alloca?\(", arena.stdout))
        lent = os.path.join(folder, f"lent-{seed}.mlir")
        subprocess.run(["remat-opt", path, "-o", lent,
                        "--remat-to-arena=scratch=results"],
                       capture_output=True)
        run = subprocess.run(["remat-run", path, lent, "--stock", "--json"],
                             capture_output=True, text=True)
        report = json.loads(run.stdout) if run.stdout else {}
        right = (not arena.returncode and left <= 1 and not run.returncode
                 and report.get("stock_equal") and report.get("equal"))
        if not right:
            print(f"seed {seed}: {left} allocations\n{arena.stderr}{run.stdout}{run.stderr}")
        wrong += not right
    print(f"{count} programs, {wrong} wrong")
    return wrong > 0


sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
