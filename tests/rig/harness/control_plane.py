"""The real API server, etcd and controllers of Kubernetes that all tests without a node share, with the definition of
TrainingJobs: `control_plane.py up` and `control_plane.py down`."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from harness.api import Api  # noqa: E402
from harness.definition import define  # noqa: E402

SKIPPED = 77
TOP = pathlib.Path(__file__).resolve().parents[3]
# Its own folder, ports and networks: it can run beside any other rig, and with others given beside another of itself.
FOLDER = os.environ.get("SLAQ_CONTROL_PLANE_DIR", "/tmp/slaq-control-plane")
ENVIRONMENT = {**os.environ, "SLAQ_RIG_DIR": FOLDER,
               "SLAQ_RIG_PORTS": os.environ.get("SLAQ_CONTROL_PLANE_PORTS", "27600"),
               "SLAQ_RIG_NET": os.environ.get("SLAQ_CONTROL_PLANE_NET", "10.216")}


def rig(*arguments):
    subprocess.run([TOP / "tests/rig/rig", *arguments], env=ENVIRONMENT, check=True)


def connect():
    """To the cluster that is up."""
    if not os.path.exists(f"{FOLDER}/kubeconfig/admin"):
        skip("no API server is up: tests/rig/harness/control_plane.py up brings one up, `make perturb` does all of it")
    return Api(f"{FOLDER}/kubeconfig/admin")


def skip(reason):
    print(reason, file=sys.stderr)
    sys.exit(1 if os.environ.get("CI") == "true" else SKIPPED)


def up():
    able = subprocess.run([TOP / "tests/rig/rig", "check"], env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if able.returncode:
        skip(able.stderr)
    rig("down")
    rig("up", "--api-only")
    define_jobs()


def define_jobs():
    define(lambda *arguments: rig("kubectl", *arguments), connect(), TOP)


if __name__ == "__main__":
    {"up": up, "down": lambda: rig("down")}[sys.argv[1]]()
