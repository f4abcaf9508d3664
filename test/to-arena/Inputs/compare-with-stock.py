"""Lowers each small linalg program to its arena; compares with the measured table."""
import glob
import os
import re
import subprocess
import sys

corpus = sys.argv[1]
rows = re.findall(r"^\| (\w+) \| (\d+) \| \d+ \| [\d.e+-]+ \|",
                  open(os.path.join(corpus, "README.md")).read(), re.M)
assert rows, "no table of measured peaks"
wrong = 0
for name, stock in rows:
    path = os.path.join(corpus, name + ".small.linalg.mlir")
    out = subprocess.run(["remat-opt", path, "--remat-to-arena"],
                         check=True, capture_output=True, text=True).stdout
    allocations = re.findall(r"memref\.alloca?\(.*", out)
    arena = re.search(r"remat\.offsets.*memref<(\d+)xi8>", allocations[0])
    fits = len(allocations) == 1 and int(arena[1]) <= int(stock)
    print(f"{name}: {len(allocations)} allocation, arena {arena[1]}, "
          f"stock {stock}{'' if fits else ': WRONG'}")
    wrong += not fits
sys.exit(wrong > 0)
