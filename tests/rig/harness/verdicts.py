"""What a real API server does with a manifest, and what `slaq validate` says of it."""
import json
import os
import subprocess

from harness.control_plane import connect

YAML = "application/yaml"
STRICT = "?dryRun=All&fieldValidation=Strict"
JOBS = "/apis/slaq.io/v1alpha1/namespaces/default/trainingjobs" + STRICT
CHILDREN = "/apis/batch/v1/namespaces/default/jobs" + STRICT
PODS = "/api/v1/namespaces/default/pods" + STRICT


class Verdicts:
    def __init__(self):
        self.api = connect()
        self.slaq = os.environ["SLAQ"]

    def create_referred(self):
        """What manifests of tests/field refer to, without which a server refuses their pods. It may be there."""
        for path, made in (
                ("/api/v1/namespaces/default/serviceaccounts", {"metadata": {"name": "trainer"}}),
                ("/apis/scheduling.k8s.io/v1/priorityclasses", {"metadata": {"name": "batch-low"}, "value": -10}),
                ("/apis/node.k8s.io/v1/runtimeclasses", {"metadata": {"name": "gvisor"}, "handler": "runsc"})):
            status, answer = self.api.call("POST", path, made)
            assert status in (201, 409), answer

    def create_pod(self, spec):
        return self.api.call("POST", PODS, {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": spec})

    def of_server(self, manifest):
        """None where the TrainingJob and the Jobs that are made of its templates are taken, or why not."""
        kind = YAML if isinstance(manifest, str) else "application/json"
        status, answer = self.api.call("POST", JOBS, manifest, kind)
        if status != 201:
            return answer["message"]
        for group in ("workers", "driver"):
            if group not in answer["spec"]:
                continue
            template = answer["spec"][group]["template"]
            template["spec"].setdefault("restartPolicy", "Never")
            child = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "a"}, "spec": {"template": template}}
            status, answer_of_child = self.api.call("POST", CHILDREN, child)
            if status != 201:
                return f"{group}: {answer_of_child['message']}"
        return None

    def of_validate(self, manifest):
        """None where it is right, or what is wrong with it."""
        text = manifest if isinstance(manifest, str) else json.dumps(manifest)
        said = subprocess.run([self.slaq, "validate", "/dev/stdin"], input=text, capture_output=True, text=True, check=False)
        assert said.returncode in (0, 2), said
        return said.stderr if said.returncode else None
