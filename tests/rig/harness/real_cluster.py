"""A real Kubernetes of one node, which tests/rig brings up on this machine, with slaq installed by Helm. Its Prometheus
scrapes each second."""
import json
import pathlib
import subprocess
import sys
import time
import urllib.parse
import urllib.request

from harness.api import Api
from harness.progress import say

ROOT = pathlib.Path(__file__).resolve().parents[3]
RIG = ROOT / "tests/rig/rig"
SYSTEM = "slaq-system"
HANG = 900  # seconds after which nothing comes to its end any more
SINCE = "2h"  # longer than a cluster is up


def rig(*arguments, text=None):
    done = subprocess.run([RIG, *arguments], input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"rig {' '.join(map(str, arguments))} failed: {(done.stdout + done.stderr).strip()[-600:]}")
    return done.stdout


class RealCluster:
    def __init__(self, images):
        """`images`: arguments of the rig, such as ("image", "controller"), which it has in any case."""
        self._images = [("image", "controller"), *images]

    def __enter__(self):
        able = subprocess.run([RIG, "check"], capture_output=True, text=True, check=False)
        if able.returncode:
            sys.exit(f"no Kubernetes can be had here: {able.stderr.strip()}")
        say("bringing a Kubernetes cluster up")
        try:
            return self._brought_up()
        except BaseException:
            rig("down")
            raise

    def _brought_up(self):
        rig("up")
        say("building the images")
        for image in self._images:
            rig(*image)
        self.prometheus = rig("run", "printenv", "SLAQ_RIG_PROMETHEUS_URL").strip()
        self.api = Api(rig("run", "printenv", "KUBECONFIG").strip())
        self.source = rig("run", "printenv", "SLAQ_RIG_PROMETHEUS_POD_URL").strip()
        return self

    def __exit__(self, *_):
        rig("down")

    def install(self, *values):
        """A new controller with these values of the chart."""
        values = ["image.repository=slaq-controller", "image.tag=dev", "replicas=1",
                  f"config.loss.prometheus.serverAddress={self.source}", *values]
        rig("run", "helm", "upgrade", "--install", "slaq", ROOT / "charts/slaq", "--namespace", SYSTEM, "--create-namespace",
            "--wait", "--timeout", "10m", "--set-string", f"podAnnotations.run={time.time()}",
            *(word for value in values for word in ("--set", value)))

    def samples(self, metric, namespace):
        """By job the samples (time, value) of a metric."""
        query = urllib.parse.urlencode({"query": f'{metric}{{namespace="{namespace}"}}[{SINCE}]'})
        with urllib.request.urlopen(f"{self.prometheus}/api/v1/query?{query}", timeout=60) as answer:
            series = json.load(answer)["data"]["result"]
        found = {}
        for each in series:
            found.setdefault(each["metric"]["slaq_io_job"], []).extend((at, float(value)) for at, value in each["values"])
        return {job: sorted(values) for job, values in found.items()}
