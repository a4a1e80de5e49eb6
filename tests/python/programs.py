"""Runs Python programs that use the package `slaq` of the tree, and reads what they export."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests/support")]
from ports import free_port  # noqa: E402, F401  # pylint: disable=wrong-import-position,unused-import

# These variables decide whether a process exports its loss. Tests set them; those of the surroundings are left out.
OURS = ("SLAQ_METRICS_PORT", "SLAQ_WORKER_INDEX", "LOCAL_RANK", "RANK", "WORLD_SIZE")
# Threads of OpenMP wait for one another by turning around, for which a machine that has other work takes long.
ONE_THREAD = {"OMP_NUM_THREADS": "1"}
# A program reads with this what Prometheus would read of it.
READ = """
import urllib.request
def read(port):
    return urllib.request.urlopen(f"http://localhost:{port}/metrics").read().decode()
"""


def environment(**given):
    surroundings = {name: value for name, value in os.environ.items() if name not in OURS}
    path = os.pathsep.join(filter(None, [str(ROOT / "python"), os.environ.get("PYTHONPATH")]))
    return {**surroundings, **ONE_THREAD, "PYTHONPATH": path, **given}


def start(program, **given):
    """With pipes; the program gets READ, too."""
    return subprocess.Popen([sys.executable, "-B", "-c", READ + program], env=environment(**given), text=True,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def run(program, **given):
    with start(program, **given) as process:
        try:
            output, errors = process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return subprocess.CompletedProcess(program, process.returncode, output, errors)
