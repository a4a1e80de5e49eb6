"""JobSets and RayClusters with their real operators: their sizes follow, and nothing else is written. The operators are
compiled once, into the cache of Go's programs."""
import base64
import json
import math
import os
import pathlib
import socket
import subprocess
import sys
import tempfile

from harness.control_plane import ENVIRONMENT, FOLDER, TOP
from harness.node import Training
from rows import Rows, main
from scenario import ITERATIONS_A_SECOND, SAMPLE_SECONDS

PROGRAMS = pathlib.Path(os.environ.get("SLAQ_OPERATORS_DIR", pathlib.Path.home() / ".cache/slaq/operators"))
JOBSET = ("sigs.k8s.io/jobset", "v0.12.0")
KUBERAY = ("github.com/ray-project/kuberay/ray-operator", "v1.5.1")

JOBSET_CONFIGURATION = """
apiVersion: config.jobset.x-k8s.io/v1alpha1
kind: Configuration
health: {{healthProbeBindAddress: "0"}}
metrics: {{bindAddress: "0"}}
webhook: {{port: {port}, certDir: {certificates}}}
leaderElection: {{leaderElect: false}}
internalCertManagement: {{enable: false}}
featureGates: {{ElasticJobSet: true}}
"""


def module(operator):
    """The folder with the sources of an operator."""
    path, version = operator
    with tempfile.TemporaryDirectory() as empty:
        answer = subprocess.run(["go", "mod", "download", "-json", f"{path}@{version}"], cwd=empty, capture_output=True,
                                text=True, check=True)
    return pathlib.Path(json.loads(answer.stdout)["Dir"])


def built(operator):
    """The program of an operator, compiled where it is not there yet."""
    path, version = operator
    folder = PROGRAMS / f"{path.rsplit('/', 1)[-1]}-{version}"
    program = folder / path.rsplit("/", 1)[-1]
    if not program.exists():
        print(f"compiling {path}@{version}, which takes some minutes", file=sys.stderr, flush=True)
        subprocess.run(["go", "install", f"{path}@{version}"], check=True,
                       env={**os.environ, "GOBIN": str(folder), "CGO_ENABLED": "0"})
    return program


def kubectl(*arguments):
    return subprocess.run([TOP / "tests/rig/rig", "kubectl", *arguments], env=ENVIRONMENT, capture_output=True, text=True,
                          check=True).stdout


def objects_in(manifest):
    text, decoder = kubectl("create", "--dry-run=client", "-o", "json", "-f", manifest).strip(), json.JSONDecoder()
    while text:
        each, end = decoder.raw_decode(text)
        text = text[end:].lstrip()
        yield each


def define(operator, folder):
    kubectl("apply", "--server-side", "-f", module(operator) / folder)
    kubectl("wait", "--for=condition=Established", "-f", module(operator) / folder)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def is_open(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def certify(folder):
    """A certificate of its own for a webhook at 127.0.0.1; the text by which clients trust it."""
    folder.mkdir(parents=True)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
                    "subjectAltName=IP:127.0.0.1", "-keyout", folder / "tls.key", "-out", folder / "tls.crt"],
                   check=True, capture_output=True)
    return base64.b64encode((folder / "tls.crt").read_bytes()).decode()


def pods_of(job, role, cpu="1"):
    return {"metadata": {"labels": {"slaq.io/job": job, "slaq.io/role": role}},
            "spec": {"restartPolicy": "Never", "containers": [
                {"name": "main", "image": "trainer:1", "resources": {"requests": {"cpu": cpu}}}]}}


class Operators(Rows):
    def operate(self, scenario, program, *arguments):
        log = open(scenario.folder / f"{program.name}.log", "w")
        process = subprocess.Popen([program, *arguments], stdout=log, stderr=log, cwd=scenario.folder,
                                   env={**os.environ, "KUBECONFIG": f"{FOLDER}/kubeconfig/admin"})
        self.addCleanup(log.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

    def ask_webhooks_of_jobsets(self, scenario, trusted, port):
        """The API server asks the operator about each change of a JobSet, as where it is installed."""
        for each in objects_in(module(JOBSET) / "config/components/webhook/manifests.yaml"):
            each["metadata"]["name"] = "jobset-" + each["metadata"]["name"]
            each["webhooks"] = [hook for hook in each["webhooks"] if "jobsets" in hook["rules"][0]["resources"]]
            for hook in each["webhooks"]:
                hook["clientConfig"] = {"url": f"https://127.0.0.1:{port}{hook['clientConfig']['service']['path']}",
                                        "caBundle": trusted}
            path = f"/apis/admissionregistration.k8s.io/v1/{each['kind'].lower()}s"
            scenario.api.delete(f"{path}/{each['metadata']['name']}")
            scenario.api.create(path, each)
            self.addCleanup(scenario.api.delete, f"{path}/{each['metadata']['name']}")

    def train(self, scenario, name):
        scenario.node.trainings[name] = Training(100000, ITERATIONS_A_SECOND, lambda k: 0.2 + math.exp(-k / 60), SAMPLE_SECONDS)

    def follows(self, scenario, path, kind, sizes):
        """The target has all six cores but one, gives some to another job, and has them again; `sizes` takes its sizes out
        of its specification."""
        before = scenario.api.get(path)["spec"]
        scenario.wait("it has what the other pod leaves", lambda: scenario.status("t").get("readyReplicas") == 5)
        scenario.apply("a", iterations=60)
        scenario.wait("it gives some to the other", lambda: scenario.workers("a") >= 1 and scenario.status("t")["readyReplicas"] < 5)
        scenario.wait("it has them again", lambda: scenario.status("t").get("readyReplicas") == 5)
        after = scenario.api.get(path)["spec"]
        self.assertEqual(sizes(after), {5})
        self.assertEqual(sizes(before), {2})
        self.assertEqual(before, after)
        self.assertEqual({each.split("/")[0] for each in scenario.writes() if "/t" in each}, {f"PATCH {kind}"}, scenario.report())
        scenario.api.delete(path)
        ready = lambda: scenario.condition("t", "Ready").get("message", "")
        scenario.wait("it says that its target is gone", lambda: "there is no " in ready())

    def test_a_jobset_is_sized_by_its_group_of_workers(self):
        define(JOBSET, "config/components/crd/bases")
        scenario = self.scenario(capacity=6)
        configuration = scenario.folder / "jobset.yaml"
        port, certificates = free_port(), scenario.folder / "certificates"
        configuration.write_text(JOBSET_CONFIGURATION.format(port=port, certificates=certificates))
        self.ask_webhooks_of_jobsets(scenario, certify(certificates), port)
        self.operate(scenario, built(JOBSET), f"--config={configuration}")
        scenario.wait("it listens", lambda: is_open(port))
        scenario.started(targets="JobSet")
        self.train(scenario, "t")
        replicated = lambda name, role, size: {"name": name, "replicas": 1, "template": {"spec": {
            "completionMode": "Indexed", "parallelism": size, "completions": size, "template": pods_of("t", role)}}}
        path = f"/apis/jobset.x-k8s.io/v1alpha2/namespaces/{scenario.namespace}/jobsets"
        scenario.api.create(path, {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": {"name": "t"}, "spec": {
            "replicatedJobs": [replicated("leader", "driver", 1), replicated("workers", "worker", 2)]}})
        scenario.create("t", {"workers": {"maxReplicas": 8, "targetRef": {
            "apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "name": "t", "group": "workers"}}})

        def sizes(spec):
            job = spec["replicatedJobs"][1]["template"]["spec"]
            return {job.pop("parallelism"), job.pop("completions")}

        self.follows(scenario, f"{path}/t", "jobsets", sizes)

    def test_a_raycluster_is_sized_by_its_group_of_workers(self):
        define(KUBERAY, "config/crd/bases")
        scenario = self.scenario(capacity=6)
        self.operate(scenario, built(KUBERAY), f"--watch-namespace={scenario.namespace}", "--enable-leader-election=false",
                     "--metrics-addr=0", "--health-probe-bind-address=0")
        scenario.started(targets="RayCluster")
        self.train(scenario, "t")
        path = f"/apis/ray.io/v1/namespaces/{scenario.namespace}/rayclusters"
        scenario.api.create(path, {"apiVersion": "ray.io/v1", "kind": "RayCluster", "metadata": {"name": "t"}, "spec": {
            "rayVersion": "2.52.0", "headGroupSpec": {"rayStartParams": {}, "template": pods_of("t", "driver")},
            "workerGroupSpecs": [{"groupName": "cpus", "replicas": 2, "minReplicas": 1, "maxReplicas": 8, "rayStartParams": {},
                                  "template": pods_of("t", "worker")}]}})
        scenario.create("t", {"workers": {"maxReplicas": 8, "targetRef": {
            "apiVersion": "ray.io/v1", "kind": "RayCluster", "name": "t"}}})
        self.follows(scenario, f"{path}/t", "rayclusters",
                     lambda spec: {spec["workerGroupSpecs"][0].pop("replicas")})


if __name__ == "__main__":
    main()
