"""The trainings as TrainingJobs on the rig's kubelet, with the machine's own Python: pods see its files."""
import json
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/rig"))
from harness.real_cluster import HANG, RealCluster, rig  # noqa: E402

NAMESPACE = "libraries"
# The program is as it is. The shell lets it be read until the test has seen what it needs.
COMMAND = "{python} train.py && until [ -e seen ]; do sleep 0.2; done"


class Kubernetes(RealCluster):
    """The trainings run all at the same time."""

    def __init__(self):
        super().__init__([("base",)])

    def __enter__(self):
        super().__enter__()
        try:
            self.install("config.policy=Fair", "config.capacity.cores=2")
            rig("kubectl", "create", "namespace", NAMESPACE)
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self, name, source, folder, environment):
        """A TrainingJob of one worker for the script train.py of that folder; `source` as of slaq-report --from."""
        kind, _, path = source.partition(":")
        venv = pathlib.Path(sys.prefix).resolve()
        volumes = {"usr": "/usr", "libraries": str(venv), "work": str(folder)}
        container = {
            "name": "main", "image": "debian:bookworm-slim", "imagePullPolicy": "IfNotPresent", "workingDir": str(folder),
            "command": ["sh", "-c", COMMAND.format(python=venv / "bin/python")],
            "env": [{"name": name, "value": value}
                    for name, value in {**environment, "HOME": str(folder), "USER": "root"}.items()],
            "resources": {"requests": {"cpu": "100m"}},
            "volumeMounts": [{"name": each, "mountPath": place, "readOnly": each != "work"}
                             for each, place in volumes.items()]}
        spec = {"containers": [container],
                "volumes": [{"name": each, "hostPath": {"path": place}} for each, place in volumes.items()]}
        job = {"apiVersion": "slaq.io/v1alpha1", "kind": "TrainingJob", "metadata": {"name": name}, "spec": {
            "workers": {"minReplicas": 1, "maxReplicas": 1, "template": {"spec": spec}},
            "loss": {"from": {kind: {"path": path} if path else {}}}}}
        rig("kubectl", "-n", NAMESPACE, "apply", "-f", "-", text=json.dumps(job))

    def pairs(self, name):
        """The iterations and losses that Prometheus has of a job, in their order."""
        iterations = dict(self.samples("slaq_training_iterations_total", NAMESPACE).get(name, ()))
        losses = self.samples("slaq_training_loss", NAMESPACE).get(name, ())
        return list(dict.fromkeys((iterations[at], loss) for at, loss in losses if at in iterations))

    def wait(self, what, holds):
        begun = time.monotonic()
        while not holds():
            if time.monotonic() - begun > HANG:
                sys.exit(f"not within {HANG} s: {what}\n{rig('kubectl', '-n', NAMESPACE, 'get', 'trainingjobs,pods')}")
            time.sleep(1)

    def status(self, name):
        return self.api.get(f"/apis/slaq.io/v1alpha1/namespaces/{NAMESPACE}/trainingjobs/{name}").get("status", {})
