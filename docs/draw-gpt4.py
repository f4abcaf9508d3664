#!/usr/bin/env python3
"""Draws docs/gpt4.svg: the arena of examples/gpt4.mlir and what a budget costs.

usage: draw-gpt4.py [--build DIR] [--png FILE]

Above, every buffer of the lowered program of 1 KiB or more as a box: its offsets
against the time it is held, without recomputation and as planned to 50 %. Below, the predicted
extra time of plans over budgets, and the bound below which no plan can be. All
numbers come from remat-opt. Needs matplotlib.
"""
import argparse
import csv
import pathlib
import re
import subprocess
import tempfile

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.collections import PatchCollection  # noqa: E402
from matplotlib.patches import Rectangle  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
STEP = ROOT / "examples" / "gpt4.mlir"
KIB = 1024
BUDGETS = (100, 90, 80, 70, 60, 50, 45, 40, 35, 30, 25, 20, 18, 16, 15,
           14, 12)
INK, LINE, SHADE = "#24292f", "#c2410c", "#cbd5e1"


class Tools:
    def __init__(self, build, work):
        self.opt, self.work = build / "bin" / "remat-opt", work

    def run(self, *words):
        return subprocess.run([self.opt, *words], capture_output=True,
                              text=True, check=False)

    def plan(self, options):
        """The planned program and its remat.plan; None if nothing fits."""
        output = self.work / "planned.mlir"
        if self.run(STEP, f"--remat-plan={options}", "-o", output).returncode:
            return None
        attribute = re.search(r"remat\.plan = \{([^}]*)\}", output.read_text())
        pairs = re.findall(r"(\w+) = (\d+)", attribute.group(1))
        return output, {name: int(value) for name, value in pairs}

    def buffers(self, program):
        """[(first step, end, bytes, offset)] of the lowered program."""
        lives = self.work / "lives.csv"
        shown = self.run(program, "--remat-to-arena", "--dump-pass-pipeline",
                         "-o", "/dev/null").stderr
        pipeline = shown[shown.index("builtin.module("):]
        pipeline = pipeline.replace("lives-out={}", f"lives-out={lives}")
        done = self.run(program, f"--pass-pipeline={pipeline}", "-o", "/dev/null")
        assert done.returncode == 0, done.stderr
        return [tuple(int(row[name]) for name in
                      ("lower", "upper", "size", "offset"))
                for row in csv.DictReader(open(lives))]


def draw_arena(axes, buffers, title, budget):
    end = max(b[1] for b in buffers)
    boxes = [Rectangle((first, offset / KIB), last - first, size / KIB)
             for first, last, size, offset in buffers if size >= KIB]
    lengths = [(last - first) / end
               for first, last, size, _ in buffers if size >= KIB]
    held = PatchCollection(boxes, cmap="viridis_r", edgecolor="white",
                           linewidth=0.25)
    held.set_array(lengths)
    held.set_clim(0, 1)
    axes.add_collection(held)
    axes.axhline(budget / KIB, color=LINE, linewidth=1.4)
    axes.set_xlim(0, end)
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel("ops, in the order they run")


def draw_costs(axes, points, refused):
    shares = [share for share, _, _ in points]
    over = [cost for _, cost, _ in points]
    bound = [low for _, _, low in points]
    axes.fill_between(shares, 0, bound, color=SHADE, linewidth=0,
                      label="no plan is below this")
    axes.plot(shares, over, color=INK, marker="o", markersize=3.5,
              linewidth=1.2, label="our plans")
    axes.axvline(50, color=LINE, linewidth=1.4)
    axes.axvspan(0, refused, color="#f1f5f9")
    axes.text(refused - 1, 0.5 * max(over), "no plan found", rotation=90,
              ha="right", va="center", fontsize=8, color=INK)
    axes.set_xlim(0, 101)
    axes.set_ylim(0, None)
    axes.set_xlabel("budget, in % of the arena without recomputation")
    axes.set_ylabel("more time (predicted), %")
    axes.legend(frameon=False, fontsize=8, loc="upper right")


def sweep(tools):
    """[(share, extra time, its bound)]; a bound holds for less memory too.

    Also the first share that was refused, 0 if none was."""
    points, bound = [], 0
    for share in BUDGETS:
        planned = tools.plan(f"budget={share}%")
        if not planned:
            return points, share
        cost, low = (100 * (planned[1][name] / planned[1]["cost_before"] - 1)
                     for name in ("cost", "cost_bound"))
        bound = max(bound, low)
        points.append((share, cost, bound))
    return points, 0


def draw(tools):
    plt.rcParams.update({"font.family": "sans-serif", "font.size": 9,
                         "svg.hashsalt": "remat", "svg.fonttype": "none", "text.color": INK,
                         "axes.edgecolor": INK, "axes.spines.top": False,
                         "axes.spines.right": False})
    figure = plt.figure(figsize=(8.2, 6.4), layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=(3, 2))
    before = figure.add_subplot(grid[0, 0])
    after = figure.add_subplot(grid[0, 1], sharey=before)

    program, whole = tools.plan("strategy=keep-all")
    draw_arena(before, tools.buffers(program), "without recomputation: "
               f"{whole['arena']:,} B", whole["arena"] // 2)
    program, half = tools.plan("budget=50%")
    draw_arena(after, tools.buffers(program),
               f"planned to 50 %: {half['arena']:,} B", half["budget"])
    before.set_ylim(0, 1.02 * whole["arena"] / KIB)
    before.set_ylabel("offset in the arena, KiB")
    before.annotate("budget", (0, half["budget"] / KIB), xytext=(4, 4),
                    textcoords="offset points", color=LINE, fontsize=9)
    after.tick_params(labelleft=False)

    draw_costs(figure.add_subplot(grid[1, :]), *sweep(tools))
    return figure


def save_svg(figure, path):
    """With coordinates to a tenth of a point, which is enough to see."""
    figure.savefig(path, metadata={"Date": None})
    text = re.sub(r"(\d+\.\d)\d+", r"\1", path.read_text())
    path.write_text(re.sub(r"[ \t]+$", "", text, flags=re.M))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--png", type=pathlib.Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        figure = draw(Tools(args.build, pathlib.Path(work)))
    save_svg(figure, ROOT / "docs" / "gpt4.svg")
    if args.png:
        figure.savefig(args.png, dpi=110)


if __name__ == "__main__":
    main()
