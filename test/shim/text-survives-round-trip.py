"""Any text given to a string or list option comes back from the printed
pipeline: seeded random strings, written as \\HH, through mlir-opt twice."""
import random
import re
import subprocess
import sys

command, empty = sys.argv[1].split(), sys.argv[2]
rng = random.Random(1)
letters = "abz09 {}{}'\"\\,;=()[]<>-_%*\t\n\u00e9"
texts = ["", " ", "{}", "{x}", "{", "}{", "'", "\"a b\"", "\\41", "a=b c=d",
         "builtin.module(a{b={c d} e='f g'},func.func(h))", "save:*;offload:b?"]
texts += ["".join(rng.choice(letters) for _ in range(rng.randrange(1, 12)))
          for _ in range(300)]


def escape(text):
    return "".join("\\%02X" % byte for byte in text.encode())


def run(pipeline):
    ran = subprocess.run(
        command + [empty, "-o", "/dev/null", "--dump-pass-pipeline",
                   "--pass-pipeline=" + pipeline], capture_output=True)
    assert ran.returncode == 0, ran.stderr.decode()
    out = ran.stderr.decode()
    pipeline = out[out.index("builtin.module("):out.index("\n)\n") + 2]
    shown = re.findall(r"remark: text=<(.*?)>\nmodule", out, re.S)
    items = re.findall(r"remark: item=<(.*?)>\nmodule", out, re.S)
    return pipeline, shown, items


first = "builtin.module(" + ",".join(
    "test-options{text=%s list=%s,x}" % (escape(t), escape(t) or "y")
    for t in texts) + ")"
pipeline, shown, items = run(first)
assert shown == texts, [p for p in zip(shown, texts) if p[0] != p[1]][:3]
assert items[0::2] == [t or "y" for t in texts]
again = run(pipeline)
assert again == (pipeline, shown, items), "changed when read back"
print(len(texts), "texts survive")
