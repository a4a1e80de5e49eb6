"""The examples in Python, as they lie beside the other programs: they find the package, and export their losses. Those whose
library is not installed are left out; scikit-learn always is there in `make test`."""
import importlib.util
import json
import os
import subprocess
import sys
import unittest

from programs import ONE_THREAD, OURS, ROOT, free_port, run

PROGRAMS = os.environ.get("SLAQ_PROGRAMS", str(ROOT / "build/release/bin"))
# By library: a short run, and the iterations that it exports.
RUNS = {
    "sklearn": (["sklearn-digits", "--epochs=3"], [0, 1, 2, 3]),
    "xgboost": (["xgboost-trees", "--trees=3", "--rows=300"], [0, 1, 2, 3]),
    "torch": (["torch-elastic", "--steps=3", "--batch=64", "--width=8"], [0, 1, 2]),
}
# Runs the program, and reads what it exports after each report.
RECORDED = """
import runpy, sys
from slaq import reporting
report = reporting._exporter.report
def report_and_read(loss, iteration):
    report(loss, iteration)
    print([float(line.split()[1]) for line in read({port}).splitlines() if line[0] != "#"])
reporting._exporter.report = report_and_read
sys.argv = {arguments}
runpy.run_path(sys.argv[0], run_name="__main__")
"""

# Runs the program, and prints how many threads it has before and after it leaves the process group.
ENDED = """
import os, runpy, sys
import torch.distributed as dist
destroy, threads = dist.destroy_process_group, lambda: len(os.listdir("/proc/self/task"))
def destroy_and_count():
    before = threads()
    destroy()
    print("threads", before, threads())
dist.destroy_process_group = destroy_and_count
sys.argv = {arguments}
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def installed():
    for library, (command, iterations) in RUNS.items():
        if importlib.util.find_spec(library) is None:
            print(f"left out, since it is not installed: {command[0]}", file=sys.stderr)
            continue
        yield [f"{PROGRAMS}/{command[0]}", *command[1:]], iterations


def single_process():
    """What torchrun gives to the only process of a training."""
    return {"RANK": "0", "LOCAL_RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "localhost", "MASTER_PORT": str(free_port())}


class Examples(unittest.TestCase):
    def test_find_the_package_by_themselves(self):
        surroundings = {name: value for name, value in os.environ.items() if name not in (*OURS, "PYTHONPATH")} | ONE_THREAD
        for command, _ in installed():
            with self.subTest(command[0]):
                done = subprocess.run(command, env=surroundings | single_process(), capture_output=True, text=True, check=False,
                                      timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_export_the_loss_of_each_iteration(self):
        for command, iterations in installed():
            with self.subTest(command[0]):
                port = str(free_port())
                program = RECORDED.replace("{port}", port).replace("{arguments}", repr(command))
                done = run(program, SLAQ_METRICS_PORT=port, **single_process())
                self.assertEqual(done.returncode, 0, done.stderr)
                seen = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
                self.assertEqual([iteration for iteration, _, _ in seen], iterations)
                self.assertEqual({initial for _, _, initial in seen}, {seen[0][1]})
                self.assertEqual(len({loss for _, loss, _ in seen}), len(seen))

    @unittest.skipIf(importlib.util.find_spec("torch") is None, "PyTorch is not installed")
    def test_end_their_process_group_before_python_ends(self):
        """A thread of the group that waits for Python's lock at that time would abort the process, and a good run fail."""
        command = [f"{PROGRAMS}/torch-elastic", *RUNS["torch"][0][1:]]
        done = run(ENDED.replace("{arguments}", repr(command)), **single_process())
        self.assertEqual(done.returncode, 0, done.stderr)
        before, after = map(int, done.stdout.splitlines()[-1].split()[1:])
        self.assertLess(after, before)


if __name__ == "__main__":
    unittest.main()
