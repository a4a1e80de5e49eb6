"""Writes the Grafana dashboards of the chart.

usage: write.py [--check]

--check writes nothing, and ends with 1 where one of them is not what it would write."""
import json
import pathlib
import sys

import cluster
import controller
import job
from grafana_foundation_sdk.cog.encoder import JSONEncoder

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "slaq/files/dashboards"


def text_of(board):
    document = json.loads(JSONEncoder(sort_keys=True).encode(board.build()))
    for i, panel in enumerate(document["panels"]):
        panel["id"] = i + 1
    return json.dumps(document, indent=1, sort_keys=True) + "\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    stale = []
    for module in (cluster, job, controller):
        path = FOLDER / f"{module.__name__}.json"
        text = text_of(module.dashboard())
        if path.exists() and path.read_text() == text:
            continue
        stale.append(path.name)
        if not sys.argv[1:]:
            FOLDER.mkdir(exist_ok=True)
            path.write_text(text)
    if stale and sys.argv[1:]:
        sys.exit(f"{', '.join(stale)} in charts/slaq/files/dashboards is stale; run scripts/dashboards")


if __name__ == "__main__":
    main()
