"""The trainings as TrainingJobs on the rig's kubelet, with the machine's own Python: pods see its files."""
import json
import pathlib
import subprocess
import sys
import time
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RIG = ROOT / "tests/rig/rig"
NAMESPACE = "libraries"
HANG_SECONDS = 900  # a wait that takes as long never ends
# The program is as it is. The shell lets it be read until the test has seen what it needs.
COMMAND = "{python} train.py && until [ -e seen ]; do sleep 0.2; done"


def rig(*arguments, text=None):
    done = subprocess.run([RIG, *arguments], input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"rig {' '.join(arguments)}: {done.stderr}{done.stdout}")
    return done.stdout


def kubectl(*arguments, text=None):
    return rig("run", "kubectl", "-n", NAMESPACE, *arguments, text=text)


class Kubernetes:
    """A cluster with slaq. The trainings run all at the same time."""

    def __enter__(self):
        rig("up")
        for image in (("base",), ("image", "controller")):
            rig(*image)
        rig("run", "sh", "-c", f"helm upgrade --install slaq {ROOT}/charts/slaq --wait --timeout 10m --namespace slaq-system "
            "--create-namespace --set image.repository=slaq-controller --set image.tag=dev --set replicas=1 "
            "--set config.policy=Fair --set config.capacity.cores=2 "
            "--set config.loss.prometheus.serverAddress=$SLAQ_RIG_PROMETHEUS_POD_URL")
        rig("run", "kubectl", "create", "namespace", NAMESPACE)
        self._prometheus = rig("run", "sh", "-c", "echo $SLAQ_RIG_PROMETHEUS_URL").strip()
        return self

    def __exit__(self, *_):
        rig("down")

    def start(self, name, source, folder):
        """A TrainingJob of one worker for the script train.py of that folder; `source` as of slaq-report --from."""
        kind, _, path = source.partition(":")
        venv = pathlib.Path(sys.prefix).resolve()
        volumes = {"usr": "/usr", "libraries": str(venv), "work": str(folder)}
        container = {
            "name": "main", "image": "debian:bookworm-slim", "imagePullPolicy": "IfNotPresent", "workingDir": str(folder),
            "command": ["sh", "-c", COMMAND.format(python=venv / "bin/python")],
            "env": [{"name": "RECORD", "value": "told.csv"}, {"name": "HF_HUB_OFFLINE", "value": "1"},
                    {"name": "HOME", "value": str(folder)}, {"name": "USER", "value": "root"}],
            "resources": {"requests": {"cpu": "100m"}},
            "volumeMounts": [{"name": each, "mountPath": place, "readOnly": each != "work"}
                             for each, place in volumes.items()]}
        spec = {"containers": [container],
                "volumes": [{"name": each, "hostPath": {"path": place}} for each, place in volumes.items()]}
        job = {"apiVersion": "slaq.io/v1alpha1", "kind": "TrainingJob", "metadata": {"name": name}, "spec": {
            "workers": {"minReplicas": 1, "maxReplicas": 1, "template": {"spec": spec}},
            "loss": {"from": {kind: {"path": path} if path else {}}}}}
        kubectl("apply", "-f", "-", text=json.dumps(job))

    def pairs(self, name):
        """The iterations and losses that Prometheus has of a job, in their order."""
        iterations = dict(self._samples(f'slaq_training_iterations_total{{slaq_io_job="{name}"}}[1h]'))
        losses = self._samples(f'slaq_training_loss{{slaq_io_job="{name}"}}[1h]')
        return list(dict.fromkeys((float(iterations[at]), float(loss)) for at, loss in losses if at in iterations))

    def _samples(self, query):
        url = f"{self._prometheus}/api/v1/query?" + urllib.parse.urlencode({"query": query})
        with urllib.request.urlopen(url, timeout=30) as answer:
            return [sample for series in json.load(answer)["data"]["result"] for sample in series["values"]]

    def wait(self, what, holds):
        begun = time.monotonic()
        while not holds():
            if time.monotonic() - begun > HANG_SECONDS:
                logs = kubectl("get", "trainingjobs,pods", "-o", "wide")
                raise RuntimeError(f"not within {HANG_SECONDS} s: {what}\n{logs}")
            time.sleep(1)

    def status(self, name):
        return json.loads(kubectl("get", "trainingjob", name, "-o", "json")).get("status", {})
