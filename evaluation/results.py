"""How many seeds are simulated, and the file of results."""
import json
import os
import re
import sys

SEEDS = 8


def seeds():
    said = os.environ.get("EVALUATION_SEEDS", str(SEEDS))
    if not said.isdigit() or not 1 <= int(said) <= 100:
        sys.exit(f"EVALUATION_SEEDS is '{said}'; it must be a number from 1 to 100")
    return int(said)


def text(results):
    """JSON with what has nothing within it on one line, such as the figures of all seeds."""
    spread = json.dumps(results, indent=1)
    lists = re.sub(r"\[\s+([-+.\deE,\s]+?)\s+\]", lambda found: f"[{' '.join(found[1].split())}]", spread)
    return re.sub(r"\{\s+([^{}]*?)\s+\}", lambda found: f"{{{' '.join(found[1].split())}}}", lists) + "\n"


def write(path, results):
    path.write_text(text(results))
