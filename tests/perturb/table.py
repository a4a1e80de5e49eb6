"""Prints what the runs of each row came to, as docs/reliability.md has it: `table.py RESULTS`."""
import collections
import json
import os
import sys

ROWS = {
    1: "SIGKILL after each single write",
    2: "a restart against an older view",
    3: "events are lost",
    4: "a job deleted and made again under its name",
    5: "410 as a status, an ERROR event, within a list",
    6: "a watch goes silent or is cut within a line",
    7: "429 with Retry-After, storms of 500, 503, 504",
    8: "a write is done and its reply lost",
    9: "every second write answers 409",
    10: "the leader cut off, or stopped and continued",
    11: "the Lease deleted or stolen, clocks that are wrong",
    12: "Prometheus down, wrong or absurd",
    13: "partial or stale series, counters set back",
    14: "workers pending, dying, beyond a quota, their node gone or deaf",
    15: "others edit the workers, or size a target too",
    16: "every field at its limits",
    17: "token and CA rotated",
    18: "rights, CRD or namespace taken away",
    19: "a restart with very many jobs",
    20: "upgrades and downgrades in mid-epoch",
    "chaos": "faults drawn at random",
}


def main(path):
    runs = collections.defaultdict(list)
    for line in open(path) if os.path.exists(path) else ():  # a part of the tests may have no row
        result = json.loads(line)
        runs[str(result["row"])].append(result)
    print("| row | what happens | runs | longest wait, seconds | epochs |")
    print("|---:|---|---:|---:|---:|")
    for row, title in ROWS.items():
        of_row = runs[str(row)]
        longest = max((each["seconds"] for each in of_row), default="")
        epochs = max((each["epochs"] for each in of_row), default="")
        print(f"| {row} | {title} | {len(of_row)} | {longest} | {epochs} |")


if __name__ == "__main__":
    main(sys.argv[1])
