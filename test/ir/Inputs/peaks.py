"""Compares the graph that is read with what the judge counts.

usage: peaks.py JUDGE FILE...
For each file the graph's own peak, without what goes on inside regions (the
judge leaves that out), must be the peak that the judge prints.
"""
import json
import subprocess
import sys


def read_graph(path):
    run = subprocess.run(
        ["remat-opt", path, "--remat-print-graph=fit=live json", "-o",
         "/dev/null"], capture_output=True, text=True, check=True)
    return json.loads(next(l for l in run.stderr.split("\n") if l[:1] == "{"))


def find_peak(graph):
    root = list(range(len(graph["arguments"])))
    bytes_of, first, last = [0] * len(root), {}, {}
    for step, op in enumerate(graph["ops"]):
        for value in op["inputs"]:
            last[root[value]] = step
        for result in op["results"]:
            is_view = isinstance(result, dict)
            number = len(root)
            root.append(root[result["view"]] if is_view else number)
            bytes_of.append(0 if is_view else result)
            if not is_view:
                first[number] = last[number] = step
    for value in graph["returned"]:
        bytes_of[root[value]] = 0
    change = [0] * (len(graph["ops"]) + 1)
    for value, step in first.items():
        change[step] += bytes_of[value]
        change[last[value] + 1] -= bytes_of[value]
    live = peak = 0
    for c in change:
        live += c
        peak = max(peak, live)
    return peak


def main(judge, paths):
    for path in paths:
        run = subprocess.run([sys.executable, judge, path, path],
                             capture_output=True, text=True)
        ours, judged = str(find_peak(read_graph(path))), run.stdout.split()[:1]
        if [ours] != judged:
            print("%s: peak %s, the judge says %s" % (path, ours, run.stdout))
            return 1
    print("%d peaks agree" % len(paths))
    return 0


sys.exit(main(sys.argv[1], sys.argv[2:]))
