"""Rewrites programs to random schedules and judges the outcome.

The generator is seeded. Of four schedules each, two make values again late,
as a planner would, and two run ops again anywhere; two of them reorder pure
ops besides. Judged: the verifier of MLIR, the peak that the graph of the
rewritten program has against a count of our own, remat-verify; for fit=live
planeval, on the program as rewritten and as lowered to barriers; for fit=arena
the bits of the results when both programs run.

usage: random_schedules.py FIT SEEDS PLANEVAL SCRATCH FILE...
"""
import heapq
import json
import random
import subprocess
import sys


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s\n%s%s" % (" ".join(command)[:300], done.stdout, done.stderr[:3000]))
    return done.stdout, done.stderr


class Graph:
    def __init__(self, path, fit):
        _, text = run("remat-opt", path, "--remat-print-graph=fit=%s json" % fit, "-o", "/dev/null")
        data = json.loads(next(l for l in text.split("\n") if l.startswith('{"arguments"')))
        self.ops = data["ops"]
        self.maker = [None] * len(data["arguments"])
        self.bytes = [0] * len(data["arguments"])
        self.viewed = {}
        self.results = []
        for number, op in enumerate(self.ops):
            self.results.append(range(len(self.maker), len(self.maker) + len(op["results"])))
            for result in op["results"]:
                if isinstance(result, dict):
                    self.viewed[len(self.maker)] = result["view"]
                self.bytes.append(0 if isinstance(result, dict) else result)
                self.maker.append(number)
        self.returned = data["returned"]
        for value in self.returned:
            while value in self.viewed:
                value = self.viewed[value]
            self.bytes[value] = 0
        self.again = [op.get("recomputable", False) for op in self.ops]
        self.reads = [[self.maker[v] for v in op["inputs"] if self.maker[v] is not None]
                      for op in self.ops]

    def order(self, rng, jump):
        """Program order, disturbed; what may not be recomputed keeps its order."""
        waits = [set(reads) for reads in self.reads]
        fixed = [o for o in range(len(self.ops)) if not self.again[o]]
        for before, after in zip(fixed, fixed[1:]):
            waits[after].add(before)
        readers = [[] for _ in self.ops]
        for o, some in enumerate(waits):
            for r in some:
                readers[r].append(o)
        left = [len(some) for some in waits]
        rank = [o + rng.uniform(-jump, jump) for o in range(len(self.ops))]
        ready = [(rank[o], o) for o in range(len(self.ops)) if not left[o]]
        heapq.heapify(ready)
        steps = []
        while ready:
            o = heapq.heappop(ready)[1]
            steps.append(o)
            for r in readers[o]:
                left[r] -= 1
                if not left[r]:
                    heapq.heappush(ready, (rank[r], r))
        return steps

    def late(self, rng, order):
        """Some values are dropped soon and made again when they are read."""
        keep, share = rng.choice([3, 10, 50]), rng.choice([.1, .5, .9])
        dropped = [self.again[o] and rng.random() < share for o in range(len(self.ops))]
        last, steps = {}, []

        def need(o):
            if o in last and (not dropped[o] or len(steps) - last[o] <= keep):
                return
            for r in self.reads[o]:
                need(r)
            last[o] = len(steps)
            steps.append(o)

        for o in order:
            need(o)
            for r in self.reads[o]:
                last[r] = max(last[r], len(steps) - keep // 2)
            if len(steps) > 10000:
                return None
        return steps

    def anywhere(self, rng, order):
        share, steps = rng.choice([.02, .2, .5]), []
        for o in order:
            while steps and rng.random() < share:
                r = rng.choice(steps)
                if self.again[r]:
                    steps.append(r)
            steps.append(o)
        return steps

    def readers(self, steps):
        latest, readers = {}, [[] for _ in steps]
        for i, o in enumerate(steps):
            for r in self.reads[o]:
                readers[latest[r]].append(i)
            latest[o] = i
        for value in self.returned:
            if self.maker[value] is not None:
                readers[latest[self.maker[value]]].append(len(steps))
        return readers

    def without_dead(self, steps):
        readers, alive, first = self.readers(steps), [True] * (len(steps) + 1), {}
        for i, o in enumerate(steps):
            first.setdefault(o, i)
        for i in range(len(steps) - 1, -1, -1):
            alive[i] = first[steps[i]] == i or any(alive[r] for r in readers[i])
        return [o for i, o in enumerate(steps) if alive[i]]

    def peak(self, steps):
        steps = self.without_dead(steps)
        owner = {v: None for v in range(len(self.bytes)) if self.maker[v] is None}
        change, last, size = [0] * (len(steps) + 1), {}, {}
        for i, o in enumerate(steps):
            for v in self.ops[o]["inputs"]:
                last[owner[v]] = i
            made = {v: owner[self.viewed[v]] if v in self.viewed else (i, v)
                    for v in self.results[o]}
            for v, storage in made.items():
                if v not in self.viewed:
                    last[storage], size[storage] = i, self.bytes[v]
            owner.update(made)
        for storage, held in size.items():
            change[storage[0]] += held
            change[last[storage] + 1] -= held
        live = peak = 0
        for i, o in enumerate(steps):
            live += change[i]
            peak = max(peak, live + self.ops[o].get("workspace", 0))
        return peak


def judge(graph, steps, fit, judge_path, before, after):
    option = "steps=%s fit=%s" % (",".join(map(str, steps)), fit)
    run("remat-opt", before, "--remat-apply-schedule=" + option, "--mlir-print-op-generic", "-o", after)
    _, text = run("remat-opt", after, "--remat-print-graph=fit=" + fit, "-o", "/dev/null")
    found = int(next(l for l in text.split("\n") if l.startswith("peak ")).split()[1].strip(","))
    if found != graph.peak(steps):
        sys.exit("peak %d, should be %d: %s" % (found, graph.peak(steps), option))
    run("remat-opt", after, "--remat-verify=original=" + before, "-o", "/dev/null")
    if fit != "live":
        run("remat-run", before, after)
        return
    run(sys.executable, judge_path, before, after)
    run("remat-opt", after, "--remat-lower=to=stablehlo", "--mlir-print-op-generic", "-o", after + ".low")
    run(sys.executable, judge_path, before, after + ".low")


def main(fit, seeds, judge_path, out, *files):
    sys.setrecursionlimit(1000000)
    judged = 0
    for path in files:
        before = out + ".before"
        run("remat-opt", path, "--mlir-print-op-generic", "-o", before)
        graph = Graph(before, fit)
        for seed in range(int(seeds)):
            rng = random.Random(seed)
            for kind in range(4):
                order = list(range(len(graph.ops)))
                if kind & 2:
                    order = graph.order(rng, rng.choice([3, 30, 300]))
                steps = graph.anywhere(rng, order) if kind & 1 else graph.late(rng, order)
                if steps:
                    judge(graph, steps, fit, judge_path, before, out + ".after")
                    judged += 1
    print("%d schedules right" % judged)


main(*sys.argv[1:])
