"""Random functions of many blocks that branch to each other, irreducible cycles
included, and hand buffers on as block arguments: planned, they must compute what
they compute with an allocation for each buffer, of a size that looks dynamic.

    random-branches.py FIRST COUNT FOLDER
"""
import os
import random
import re
import subprocess
import sys

TYPE = "memref<4xf32>"


def dominators(successors):
    """By block, the blocks that every path to it goes through."""
    count = len(successors)
    every = set(range(count))
    found = [{0}] + [set(every) for _ in range(count - 1)]
    changed = True
    while changed:
        changed = False
        for b in range(1, count):
            before = [found[p] for p in range(count) if b in successors[p]]
            new = set.intersection(*before) | {b} if before else set(every)
            changed |= new != found[b]
            found[b] = new
    return found


class Writer:
    def __init__(self, seed, dynamic):
        self.random = random.Random(seed)
        self.dynamic = dynamic
        self.count = 0
        self.lines = []

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def put(self, text):
        self.lines.append("  " + text)

    def compute(self, pool):
        a, b, out = (self.random.choice(pool) for _ in range(3))
        op = self.random.choice(["addf", "subf", "maximumf"])
        self.put(f"linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = "
                 f"[\"parallel\"]}} ins({a}, {b} : {TYPE}, {TYPE}) outs({out} : {TYPE}) {{")
        self.put("^bb0(%p: f32, %q: f32, %o: f32):")
        self.put(f"  %r = arith.{op} %p, %q : f32")
        self.put("  %s = arith.mulf %r, %half : f32")
        self.put("  linalg.yield %s : f32")
        self.put("}")

    def make(self):
        name, scalar = self.name(), self.random.choice(["%half", "%one"])
        if self.dynamic:
            self.put(f"{name}d = memref.alloc(%n) : memref<?xf32>")
            self.put(f"{name} = memref.cast {name}d : memref<?xf32> to {TYPE}")
        else:
            self.put(f"{name} = memref.alloc() : {TYPE}")
        self.put(f"linalg.fill ins({scalar} : f32) outs({name} : {TYPE})")
        return name

    def fill_block(self, pool, own):
        for _ in range(self.random.randrange(1, 6)):
            kind = self.random.random()
            if kind < 0.35:
                own.append(self.make())
            elif kind < 0.5:
                a, b = self.random.choice(pool + own), self.random.choice(pool + own)
                if a != b:
                    self.put(f"memref.copy {a}, {b} : {TYPE} to {TYPE}")
            else:
                self.compute(pool + own)

    def branch(self, b, targets, pool):
        """Stops for lack of fuel, else goes where an element says."""
        fuel, less, more = self.name(), self.name(), self.name()
        self.put(f"{fuel} = memref.load %fuel[%c0] : memref<1xi32>")
        self.put(f"{less} = arith.subi {fuel}, %i1 : i32")
        self.put(f"memref.store {less}, %fuel[%c0] : memref<1xi32>")
        self.put(f"{more} = arith.cmpi sgt, {fuel}, %i0 : i32")
        self.put(f"cf.cond_br {more}, ^go{b}, ^end")
        self.put(f"^go{b}:")
        element, bit = self.name(), self.name()
        self.put(f"{element} = memref.load {self.random.choice(pool)}[%c0] : {TYPE}")
        self.put(f"{bit} = arith.cmpf olt, {element}, %half : f32")
        x, y = (f"^b{t}({self.random.choice(pool)} : {TYPE})" for t in targets)
        self.put(f"cf.cond_br {bit}, {x}, {y}")

    def program(self):
        count = self.random.randrange(2, 8)
        successors = [[self.random.randrange(1, count + 1) for _ in range(2)]
                      for _ in range(count + 1)]
        dominating = dominators(successors)
        own = [["%x", "%y"]] + [[f"%m{b}"] for b in range(1, count + 1)]
        own[0] += [self.make() for _ in range(self.random.randrange(3))]
        entry = list(own[0])
        for b in range(count + 1):
            if b:
                self.put(f"^b{b}(%m{b}: {TYPE}):")
            # What a dominator further down makes is not known yet.
            pool = [v for d in sorted(dominating[b] - {b}) for v in own[d]]
            self.fill_block(pool, own[b])
            self.branch(b, successors[b], pool + own[b])
        self.put("^end:")
        for v in entry[2:]:
            self.compute(["%x", "%y", v])
        body = "\n".join(self.lines)
        return f"""#id = affine_map<(i) -> (i)>
func.func @main(%x: {TYPE}, %y: {TYPE}, %fuel: memref<1xi32>) {{
  %c0 = arith.constant 0 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i4 = arith.constant 4 : i32
  %i40 = arith.constant 40 : i32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  memref.store %i4, %fuel[%c0] : memref<1xi32>
  %size = memref.load %fuel[%c0] : memref<1xi32>
  %n = arith.index_cast %size : i32 to index
  memref.store %i40, %fuel[%c0] : memref<1xi32>
{body}
  return
}}
"""



def main(first, count, folder):
    wrong = planned = left = 0
    for seed in range(first, first + count):
        one, other, arena = (os.path.join(folder, f"branches-{seed}{suffix}.mlir")
                             for suffix in ("", "-apart", "-arena"))
        for path, dynamic in ((one, False), (other, True)):
            with open(path, "w") as file:
                file.write(Writer(seed, dynamic).program())
        done = subprocess.run(["remat-opt", one, "--remat-plan-memory", "-o", arena],
                              capture_output=True, text=True)
        run = subprocess.run(["remat-run", other, arena], capture_output=True, text=True)
        if done.returncode or run.returncode:
            wrong += 1
            print(f"seed {seed}:\n{done.stderr[:2000]}{run.stdout}{run.stderr[:2000]}")
            continue
        text = open(arena).read()
        planned += sum(len(found.split(",")) // 2 for found in
                       re.findall(r"remat\.offsets = array<i64: ([^>]*)>", text))
        left += len(re.findall(r"memref\.alloc\(\) : ", text))
    print(f"{count} functions, {wrong} wrong; {planned} buffers planned, {left} left")
    return wrong > 0 or not planned


sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
