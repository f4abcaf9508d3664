"""Plans the chain at nine units and below: units needed, ops run again."""
import re
import subprocess
import sys

UNIT = 256 * 256 * 4
for units in range(9, 1, -1):
    strategy = "auto" if units > 3 else "exact"
    done = subprocess.run(
        ["remat-opt", sys.argv[1], "--remat-plan=fit=live strategy="
         f"{strategy} budget={units * UNIT}"], capture_output=True, text=True)
    record = dict(re.findall(r"(peak|reruns) = (\d+)", done.stdout))
    if done.returncode:
        print(f"{units}: none")
    else:
        print(f"{int(record.get('peak', 9 * UNIT)) // UNIT} of {units}: {record.get('reruns', 0)}")
