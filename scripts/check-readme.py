#!/usr/bin/env python3
"""Runs every command block of README.md and compares what it shows.

usage: check-readme.py [--write] [--build DIR]

A block of `sh` is run from the root, in order, in a folder where all files are
links; `sh fails` must fail. The block of `text` that follows must show its
output. Numbers may differ: they are those of the day (--write renews them).
scripts/test would run this again; it is not run, but must exist.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(sh|sh fails|text)\n(.*?)^```$", re.M | re.S)
WIDEST = 96


def run(commands, folder, build):
    path = os.pathsep.join([str(build / "bin"), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-e", "-c", commands], cwd=folder, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, "PATH": path, "REMAT_BUILD": str(build)})
    return done.returncode, tidy(done.stdout)


def tidy(output):
    """Without empty lines at the ends; long lines are cut."""
    lines = [line.rstrip() for line in output.strip("\n").split("\n")]
    return "\n".join(fold(line) for line in lines) + "\n"


def fold(line):
    """A long line on several, the later ones indented."""
    if len(line) <= WIDEST or " | " in line:
        return line
    cut = line.rfind(" ", 0, WIDEST)
    if cut <= 0:
        return line
    return line[:cut] + "\n    " + fold(line[cut + 1:])


def shape(text):
    """The words of a text, its numbers all alike."""
    text = re.sub(r"[+-]?\d[\d,.]*", "N", text)
    return " ".join(text.split())


def check(text, folder, build):
    """The text with outputs as they are now, and what went wrong."""
    wrong, shown = [], None

    def visit(match):
        nonlocal shown
        kind, body = match.groups()
        if kind == "text":
            if shape(body) != shape(shown or ""):
                wrong.append(f"README shows\n{body}\nand it is\n{shown}")
            return f"```text\n{shown}```"
        status, shown = run(body, folder, build)
        if (status != 0) != (kind == "sh fails"):
            wrong.append(f"status {status} from\n{body}\n{shown}")
        return match.group(0)

    return BLOCK.sub(visit, text), wrong


def link_all(folder, build):
    for entry in ROOT.iterdir():
        if not entry.name.startswith((".git", "build", "out")):
            (folder / entry.name).symlink_to(entry)
    (folder / "build").symlink_to(build)


def unknown_names(text):
    """Passes and programs that the README names and nobody has."""
    known = (ROOT / "docs" / "passes.md").read_text()
    known += " ".join(["remat-opt", "remat-run", "remat-to-arena",
                       "remat-to-cpu"])
    return [f"nobody has {name}"
            for name in sorted(set(re.findall(r"\bremat-[a-z-]+\w", text)))
            if name not in known]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    args = parser.parse_args()
    readme = ROOT / "README.md"
    text = readme.read_text()
    with tempfile.TemporaryDirectory() as folder:
        link_all(pathlib.Path(folder), args.build.resolve())
        now, wrong = check(text, folder, args.build.resolve())
    if args.write:
        readme.write_text(now)
        wrong = [what for what in wrong if what.startswith("status")]
    wrong += unknown_names(text)
    if "`scripts/test`" not in text or not os.access(ROOT / "scripts/test", os.X_OK):
        wrong.append("no scripts/test")
    print("\n".join(wrong) or "README is right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
