"""Runs the documents' commands on a real Kubernetes, which tests/rig brings up, in the order in which a reader meets them:
plan.yaml has it. Skips with one loud line where no cluster can be had; with CI=true that is a failure."""
import os
import subprocess
import sys
import time

from documents import ROOT, all_blocks
from sessions import PLAN, Failed, perform, run

RIG = ROOT / "tests/rig/rig"
SKIPPED = 77
FACTS = "kubectl get trainingjobs,pods -A; kubectl -n slaq-system logs deployment/slaq --tail=40"


def rig(*arguments):
    done = subprocess.run([RIG, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise Failed(f"rig {' '.join(arguments)}:\n{done.stdout}")
    return done.stdout


def environment():
    """That of the rig, with the slaq command."""
    lines = rig("run", "env", "-0").split("\0")
    found = dict(line.split("=", 1) for line in lines if "=" in line)
    return found | {"PATH": f"{ROOT}/build/release/bin:{found['PATH']}", "LANG": "C.UTF-8"}


def do(entry, surroundings):
    code, printed = run(entry["do"], ROOT, surroundings)
    if code:
        raise Failed(f"{entry['do']}\nended with {code}:\n{printed}")


def follow(plan):
    blocks, surroundings = {block.name: block for block in all_blocks()}, environment()
    for entry in plan:
        began = time.monotonic()
        try:
            if "do" in entry:
                do(entry, surroundings)
            else:
                perform(blocks[entry["block"]], entry, ROOT, surroundings, "cluster")
        except Failed as failure:
            raise Failed(f"{failure}\n{run(FACTS, ROOT, surroundings)[1]}") from failure
        print(f"{time.monotonic() - began:6.1f} s  {entry.get('block', entry.get('do'))}", flush=True)


def main():
    able = subprocess.run([RIG, "check"], capture_output=True, text=True, check=False)
    if able.returncode:
        print(f"SKIPPED: DOCUMENTED COMMANDS NEED A CLUSTER: {able.stderr}", file=sys.stderr)
        return 1 if os.environ.get("CI") == "true" else SKIPPED
    try:
        rig("up")
        follow(PLAN["cluster"])
        return 0
    except Failed as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        return 1
    finally:
        if "SLAQ_KEEP_RIG" not in os.environ:
            rig("down")


if __name__ == "__main__":
    sys.exit(main())
