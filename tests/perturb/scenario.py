"""One namespace with jobs, the controllers that serve it, each behind a proxy of its own, and an observer that they
know nothing of."""
import collections
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request

from harness.api import HANG, Refused
from harness.losses import Losses
from harness.node import Node, Training
from leases import Leases
from proxy import Proxy

TOP = pathlib.Path(__file__).resolve().parents[2]
CONTROLLER = os.environ.get("SLAQ_CONTROLLER", TOP / "build/release/bin/slaq-controller")
GROUP = "/apis/slaq.io/v1alpha1"
# Conditions of how well losses could be read just before the end: a matter of a second, on a busy machine.
LOSSES = ("MetricsAvailable", "ModelFitted")
FIRST_TOKEN = "token-1f3a"
EPOCH_SECONDS = 0.2
SAMPLE_SECONDS = 0.2
ITERATIONS_A_SECOND = 6.0  # of one worker
LEASE_SECONDS = 3
RENEW_SECONDS = LEASE_SECONDS * 2 / 3  # so long a leader goes on without a renewal of its lease

CONFIGURATION = """
epochSeconds: {epoch}
policy: {policy}
capacity: {{cores: {capacity}}}
namespace: {namespace}
loss: {{prometheus: {{serverAddress: "{losses}", scrapeSeconds: {sample}}}}}
leaderElection: {{namespace: {lease_namespace}, name: slaq, leaseSeconds: {lease}}}
targets: [{targets}]
kueue: {{enabled: {kueue}, priorityBoost: {boost}}}
telemetry: {{address: "127.0.0.1:0", probeAddress: "127.0.0.1:0"}}
log: {{level: debug}}
"""

# Whom the proxy believes: it takes any token, unless a rule of it says otherwise.
KUBECONFIG = """
apiVersion: v1
kind: Config
current-context: proxy
contexts: [{{name: proxy, context: {{cluster: proxy, user: nobody}}}}]
clusters: [{{name: proxy, cluster: {{server: "{url}"}}}}]
users: [{{name: nobody, user: {{tokenFile: "{token}"}}}}]
"""


class Controller:
    """A process of slaq-controller behind a proxy. Started again, it goes on writing into the same log."""

    def __init__(self, api, configuration, folder, name, program=CONTROLLER):
        self.proxy = Proxy(api)
        self.log_file = folder / f"{name}.log"
        self.token_file = folder / f"{name}.token"
        self.token_file.write_text(FIRST_TOKEN)
        (folder / f"{name}.yaml").write_text(configuration)
        (folder / f"{name}.kubeconfig").write_text(KUBECONFIG.format(
            url=self.proxy.url, token=self.token_file))
        self.command = [program, "--config", folder / f"{name}.yaml", "--kubeconfig", folder / f"{name}.kubeconfig"]
        self.log_file.touch()
        self.read = ""  # of the log so far
        self.read_bytes = 0
        self.counted = 0  # epochs in what was read
        self.reading = threading.Lock()
        self.environment = {}
        self.process = None

    def start(self):
        with open(self.log_file, "a") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=subprocess.STDOUT,
                                            env={**os.environ, **self.environment})

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """As Kubernetes does."""
        self.process.terminate()
        self.process.wait(timeout=HANG)

    def signal(self, which):
        self.process.send_signal(which)

    def telemetry(self, path):
        """(status, text), or (0, "") before it listens."""
        kind = "port" if path == "/metrics" else "probe_port"
        ports = re.findall(rf"event=serving .*\b{kind}=(\d+)", self.log())
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{ports[-1]}{path}", timeout=HANG) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except (IndexError, OSError):
            return 0, ""

    def log(self):
        """All that it wrote in whole lines. Only what is new is read: a wait looks ten times a second, and a scenario of
        many epochs has megabytes of log."""
        with self.reading:
            with open(self.log_file, "rb") as log:
                log.seek(self.read_bytes)
                new = log.read()
            new = new[:new.rfind(b"\n") + 1]
            self.read_bytes += len(new)
            text = new.decode()
            self.counted += text.count("event=epoch epoch=")
            self.read += text
            return self.read

    def epochs(self):
        """How many it has done, all its lives together."""
        self.log()
        return self.counted

    def close(self):
        if self.process and self.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.kill()
        self.proxy.close()


class Observer(threading.Thread):
    """Looks all the time whether what must hold does: `look` adds to the violations."""

    def __init__(self, seconds=0.25):
        super().__init__(daemon=True)
        self.seconds = seconds  # between two looks
        self.violations = []
        self.looks = 0
        self.failed = []  # what kept it from looking
        self.stopped = threading.Event()
        self.start()

    def run(self):
        while not self.stopped.wait(self.seconds):
            try:
                self.look()
                self.looks += 1
            except Exception as error:  # a busy server may refuse one look; the next comes soon
                self.failed.append(repr(error))

    def close(self):
        self.stopped.set()
        self.join()


class CapacityObserver(Observer):
    """Whether the pods are within the capacity, and the workers within the bounds of their jobs."""

    def __init__(self, api, namespace, capacity):
        self.api, self.namespace, self.capacity = api, namespace, capacity
        self.counts_orphans = True  # pods whose job is gone hold cores too
        super().__init__()

    def look(self):
        pods = self.api.items(f"/api/v1/namespaces/{self.namespace}/pods")
        jobs = self.api.items(f"{GROUP}/namespaces/{self.namespace}/trainingjobs")
        uids = {job["metadata"]["uid"] for job in jobs}
        held = collections.Counter()
        for pod in pods:
            if not self.counts_orphans and pod["metadata"]["labels"].get("slaq.io/job-uid") not in uids:
                continue
            if pod["spec"].get("nodeName") and pod["status"].get("phase") in ("Pending", "Running"):
                ends = ", ending" if pod["metadata"].get("deletionTimestamp") else ""
                held[pod["metadata"]["labels"].get("slaq.io/job", "nobody") + ends] += cores_of(pod)
        if held.total() > self.capacity:
            self.violations.append(f"pods hold {held.total()} cores of {self.capacity}: {dict(held)}")
        limits = {job["metadata"]["name"]: job["spec"]["workers"] for job in jobs}
        for child in self.api.items(f"/apis/batch/v1/namespaces/{self.namespace}/jobs"):
            workers = limits.get(child["metadata"]["labels"].get("slaq.io/job"))
            if not workers or child["metadata"]["labels"].get("slaq.io/role") != "worker" or child["spec"].get("suspend"):
                continue
            count = child["spec"]["parallelism"]
            if not workers["minReplicas"] <= count <= workers["maxReplicas"]:
                self.violations.append(f"{child['metadata']['name']} has {count} workers")


def cores_of(pod):
    return sum(float(each["resources"]["requests"]["cpu"]) for each in pod["spec"]["containers"])


class Scenario:
    def __init__(self, api, name, policy="Fair", capacity=6, epoch=EPOCH_SECONDS, lease_elsewhere=False):
        self.api = api
        name = "perturb-" + re.sub(r"[^a-z0-9]+", "-", name.lower())[-45:].strip("-")
        self.namespace = self.make_namespace(name)
        self.lease_namespace = self.make_namespace(f"{name}-lease") if lease_elsewhere else self.namespace
        self.node = Node(api, self.namespace)
        self.folder = TOP / "build/perturb" / name  # logs and configurations, until the next run
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.losses = Losses(self.trainings, self.namespace)
        self.settings = {"policy": policy, "capacity": capacity, "epoch": epoch, "lease": LEASE_SECONDS, "sample": SAMPLE_SECONDS,
                         "namespace": self.namespace, "lease_namespace": self.lease_namespace,
                         "losses": self.losses.url, "targets": "", "kueue": "false", "boost": "false"}
        self.observer = CapacityObserver(api, self.namespace, capacity)
        self.controllers = []
        self.uids = {}
        self.specs = {}
        self.longest = (0.0, 0)  # wait for anything, in seconds and in epochs
        self.leases = Leases(api, self.lease_namespace)
        self.closed = False

    def make_namespace(self, name):
        """Of that name, or with a number where the run before has left one that is still going."""
        for number in range(1, 1000):
            full = name if number == 1 else f"{name}-{number}"
            status, answer = self.api.call("POST", "/api/v1/namespaces", {"metadata": {"name": full}})
            if status == 201:
                return full
            assert status == 409, answer

    def controller(self, program=CONTROLLER, **settings):
        made = Controller(self.api, CONFIGURATION.format(**{**self.settings, **settings}), self.folder,
                          f"controller-{len(self.controllers) + 1}", program)
        self.controllers.append(made)
        return made

    def started(self, program=CONTROLLER, **settings):
        made = self.controller(program, **settings)
        made.start()
        return made

    # Jobs

    @property
    def jobs_path(self):
        return f"{GROUP}/namespaces/{self.namespace}/trainingjobs"

    def apply(self, name, iterations=60, least=1, most=8, suspend=False, stop=None, workers=None, labels=None):
        """A training of so many iterations, unless slaq is to stop it. `workers` is more of their pods' spec, `labels` are
        those of the TrainingJob."""
        self.node.trainings[name] = Training(iterations, ITERATIONS_A_SECOND, lambda k: 0.2 + math.exp(-k / 60),
                                             SAMPLE_SECONDS)
        pod = {"spec": {"containers": [{"name": "main", "image": "trainer:1",
                                        "resources": {"requests": {"cpu": "1"}}}]}}
        self.create(name, {"driver": {"template": pod}, "suspend": suspend, **({"stop": stop} if stop else {}),
                           "workers": {"minReplicas": least, "maxReplicas": most,
                                       "template": {"spec": {**pod["spec"], **(workers or {})}}}}, labels)

    def create(self, name, spec, labels=None):
        made = self.api.create(self.jobs_path, {
            "apiVersion": "slaq.io/v1alpha1", "kind": "TrainingJob", "spec": spec,
            "metadata": {"name": name, "namespace": self.namespace, "labels": labels or {}}})
        self.remember(made)

    def know(self, name):
        """Of a TrainingJob that somebody else has created."""
        self.remember(self.job(name))

    def remember(self, job):
        self.uids[job["metadata"]["name"]] = job["metadata"]["uid"]
        self.specs[job["metadata"]["name"]] = job["spec"]

    def deploy(self, name, workers, most=8, adopted=True):
        """A Deployment that trains, and the TrainingJob that names it. Its driver is a pod besides, which costs nothing."""
        self.node.trainings[name] = Training(100000, ITERATIONS_A_SECOND, lambda k: 0.2 + math.exp(-k / 60), SAMPLE_SECONDS)
        labels = {"slaq.io/job": name, "slaq.io/role": "worker"}
        container = lambda cpu: {"name": "main", "image": "trainer:1", "resources": {"requests": {"cpu": cpu}}}
        self.api.create(f"/api/v1/namespaces/{self.namespace}/pods", {
            "metadata": {"name": f"{name}-driver", "labels": {**labels, "slaq.io/role": "driver"}},
            "spec": {"containers": [container("0")]}})
        self.api.create(f"/apis/apps/v1/namespaces/{self.namespace}/deployments", {
            "metadata": {"name": name}, "spec": {"replicas": workers, "selector": {"matchLabels": labels}, "template": {
                "metadata": {"labels": labels}, "spec": {"containers": [container("1")]}}}})
        if adopted:
            self.create(name, {"workers": {"maxReplicas": most, "targetRef": {
                "apiVersion": "apps/v1", "kind": "Deployment", "name": name}}})

    def deployment(self, name):
        return self.api.get(f"/apis/apps/v1/namespaces/{self.namespace}/deployments/{name}")

    def forget(self, name):
        """A job that is gone, with its training."""
        for known in (self.node.trainings, self.uids, self.specs):
            known.pop(name, None)

    def trainings(self):
        return {job: (training, self.uids[job]) for job, training in list(self.node.trainings.items())
                if job in self.uids}

    def training(self, name):
        return self.node.trainings[name]

    def job(self, name):
        return self.api.get(f"{self.jobs_path}/{name}")

    def status(self, name):
        return self.job(name).get("status", {})

    def state(self, name):
        return self.status(name).get("state")

    def condition(self, name, kind):
        for each in self.status(name).get("conditions", []):
            if each["type"] == kind:
                return each
        return {}

    def child(self, name):
        return self.api.get(f"/apis/batch/v1/namespaces/{self.namespace}/jobs/{name}")

    def workers(self, name):
        child = self.child(f"{name}-workers")
        return child["spec"]["parallelism"] if child and not child["spec"].get("suspend") else 0

    # Time

    def settle(self, epochs):
        """So many epochs go by."""
        longest, first = self.longest, self.epochs()
        self.wait(f"{epochs} epochs", lambda: self.epochs() - first >= epochs)
        self.longest = longest

    def wait(self, what, holds):
        """Until it holds. How long that takes is the machine's matter; `longest` tells it."""
        begun, first = time.monotonic(), self.epochs()
        while not self.is_so(holds):
            if time.monotonic() - begun > HANG:
                raise AssertionError(f"not within {HANG} s ({self.epochs() - first} epochs): {what}\n{self.report()}")
            time.sleep(0.1)
        self.longest = max(self.longest, (time.monotonic() - begun, self.epochs() - first))

    @staticmethod
    def is_so(holds):
        """An API server that is busy may refuse a look."""
        try:
            return holds()
        except Refused:
            return False

    def epochs(self):
        return sum(each.epochs() for each in self.controllers)

    # What came of it

    def end_state(self):
        """What people and programs see of the jobs, without times and numbers that differ from run to run."""
        jobs = {}
        for job in self.api.items(self.jobs_path):
            status = job.get("status", {})
            jobs[job["metadata"]["name"]] = (
                status.get("state"), status.get("replicas"), status.get("readyReplicas"),
                sorted((each["type"], each["status"], each["reason"]) for each in status.get("conditions", [])
                       if each["type"] not in LOSSES))
        children = {}
        for child in self.api.items(f"/apis/batch/v1/namespaces/{self.namespace}/jobs"):
            children[child["metadata"]["name"]] = (child["spec"].get("suspend", False),
                                                   child["status"].get("succeeded", 0) > 0)
        services = sorted(each["metadata"]["name"] for each in self.api.items(f"/api/v1/namespaces/{self.namespace}/services"))
        return {"jobs": jobs, "children": children, "services": services}

    def writes(self):
        """How often each object was created, changed and deleted by all controllers. Statuses are told apart, and what is
        kept of kinds is written when there is time."""
        counts = collections.Counter()
        for controller in self.controllers:
            counts.update(each for each in controller.proxy.written()
                          if not each.endswith("/status") and "configmaps" not in each)
        return counts

    def written_by_others_than_the_leader(self):
        self.leases.catch_up()
        theirs = set().union(*(each.proxy.identities for each in self.controllers)) - {"", None}
        return [f"{request} by {controller.log_file.stem}, which did not lead"
                for controller in self.controllers for request in controller.proxy.taken()
                if self.leases.written_without(request, controller.proxy.identities & theirs, theirs, RENEW_SECONDS)]

    def statuses(self):
        return sum(each.endswith("/status") for controller in self.controllers for each in controller.proxy.written())

    def pods(self):
        """By name: the phase, when its end was asked for, and who has to let go of it first."""
        return {pod["metadata"]["name"]: (pod["status"].get("phase"), pod["metadata"].get("deletionTimestamp"),
                                          pod["metadata"].get("finalizers"), pod["metadata"]["resourceVersion"])
                for pod in self.api.items(f"/api/v1/namespaces/{self.namespace}/pods")}

    def report(self):
        lines = [f"namespace {self.namespace}, files in {self.folder}", str(self.end_state()), str(self.writes()),
                 str(self.pods())]
        for controller in self.controllers:
            lines += [f"--- {controller.log_file}", *controller.log().splitlines()[-40:]]
        return "\n".join(lines)

    def close(self):
        if self.closed:
            return
        self.closed = True
        for controller in self.controllers:
            controller.close()
        self.observer.close()
        self.leases.close()
        self.losses.close()
        self.node.close()
        for each in {self.namespace, self.lease_namespace}:
            self.api.delete(f"/api/v1/namespaces/{each}")
        # No kubelet is left that would end them.
        self.api.delete(f"/api/v1/namespaces/{self.namespace}/pods", grace=0)
