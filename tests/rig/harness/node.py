"""A node whose pods run at once, and the trainings in them: each does so many iterations a second with each worker. Where
thousands of jobs are to run, the program tests/rig/fake-nodes plays them; this one does what a test tells it to."""
import http.client
import math
import threading
import time

from harness.api import MERGE_PATCH
from harness.progress import say
from harness.watch import Watch

NODE = "fake"
TICK_SECONDS = 0.05
TELLS_EVERY = 10  # seconds


class Training:
    """What a TrainingJob's pods do. Its iterations outlive its pods, as with a checkpoint."""

    def __init__(self, total, rate, loss, sample_seconds):
        """`rate`: iterations a second with each worker; `loss` is that of an iteration."""
        self.total, self.rate, self.loss, self.sample_seconds = total, rate, loss, sample_seconds
        self.iteration = 0.0
        self.stands_at = math.inf  # it does no iterations beyond this one, and is not over
        self.samples = []  # (time, iteration)
        self.lock = threading.Lock()

    @property
    def is_over(self):
        return self.iteration >= self.total

    def work(self, workers, seconds):
        with self.lock:
            self.iteration = min(self.total, self.stands_at, self.iteration + workers * self.rate * seconds)
            now = time.time()
            if not self.samples or now - self.samples[-1][0] >= self.sample_seconds:
                self.samples.append((now, math.floor(self.iteration)))

    def go_back(self, iteration, stands_at):
        """As to a checkpoint."""
        with self.lock:
            self.iteration, self.stands_at = iteration, stands_at

    def seen(self):
        with self.lock:
            return list(self.samples)


class Node:
    """Binds the pods of a namespace, says that they run, and takes away those that are to go."""

    def __init__(self, api, namespace):
        self.api = api
        self.pods_path = f"/api/v1/namespaces/{namespace}/pods"
        self.trainings = {}  # by job
        self.broken = []  # functions of a pod: true if it must not run
        self.name = NODE  # one for all, unless a test has its own
        self.serves = True
        self.ends_pods = True  # else those that are to go stay, as with a kubelet that hangs
        self.pods = {}  # by uid, as the watch brings them
        self.done = {}  # by uid, the revision for which all was done
        self.lock = threading.Lock()
        self.stopped = threading.Event()
        self.register()
        self.watch = Watch(api, f"{self.pods_path}?labelSelector=slaq.io%2Fjob", self.take, self.drop)
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def register(self):
        self.api.call("POST", "/api/v1/nodes", {"metadata": {"name": self.name}})
        self.tell()

    def vanish(self):
        """As a machine that is taken away: nothing is heard of its pods any more, and somebody deletes the node."""
        self.serves = False
        self.api.delete(f"/api/v1/nodes/{self.name}")

    def come_back(self):
        self.register()
        self.serves = True

    def close(self):
        self.stopped.set()
        self.thread.join()
        self.watch.close()
        if self.name != NODE:
            self.api.delete(f"/api/v1/nodes/{self.name}")

    def take(self, pod, _):
        with self.lock:
            self.pods[pod["metadata"]["uid"]] = pod

    def drop(self, pod, _):
        with self.lock:
            self.pods.pop(pod["metadata"]["uid"], None)
            self.done.pop(pod["metadata"]["uid"], None)

    def run(self):
        before, told = time.monotonic(), 0
        while not self.stopped.wait(TICK_SECONDS):
            now = time.monotonic()
            if not self.serves:
                before = now
                continue
            with self.lock:
                pods = list(self.pods.values())
            self.train(pods, now - before)
            before = now
            try:
                if now - told > TELLS_EVERY:
                    self.tell()
                    told = now
                for pod in pods:
                    self.serve(pod)
            except (OSError, http.client.HTTPException, AssertionError) as error:
                say(f"the node {self.name} tries again: {error!r}")

    def tell(self):
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self.api.patch(f"/api/v1/nodes/{self.name}/status", {"status": {"conditions": [
            {"type": "Ready", "status": "True", "reason": "Fake", "lastHeartbeatTime": moment,
             "lastTransitionTime": moment}]}})

    def serve(self, pod):
        """One step of a pod's life. What the server then says of the pod leads to the next."""
        uid, revision = (pod["metadata"][field] for field in ("uid", "resourceVersion"))
        if self.done.get(uid) == revision:
            return
        step = self.step_of(pod)
        if step and step(f"{self.pods_path}/{pod['metadata']['name']}", pod):
            self.done[uid] = revision

    def step_of(self, pod):
        phase = pod.get("status", {}).get("phase")
        if pod["metadata"].get("deletionTimestamp"):
            return self.end if self.ends_pods else None
        if any(is_broken(pod) for is_broken in self.broken):
            return None
        if not pod["spec"].get("nodeName"):
            return None if pod["spec"].get("schedulingGates") else self.bind
        if phase == "Pending":
            return lambda path, pod: self.set_phase(path, pod, "Running")
        if phase == "Running" and is_driver(pod) and (training := self.training_of(pod)) and training.is_over:
            return lambda path, pod: self.set_phase(path, pod, "Succeeded")
        return None

    def bind(self, path, pod):
        status, _ = self.api.call("POST", path + "/binding", {"metadata": {"name": pod["metadata"]["name"]},
                                                              "target": {"kind": "Node", "name": self.name}})
        return status < 300

    def end(self, path, pod):
        """As a kubelet does: first it tells how the pod ended. Until then a Job does not let go of it."""
        has_ended = pod.get("status", {}).get("phase") in ("Succeeded", "Failed")
        if not has_ended and not self.set_phase(path, pod, "Failed"):
            return False
        self.api.delete(path, grace=0)
        return True

    def set_phase(self, path, pod, phase):
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        running = phase == "Running"
        state = {"running": {"startedAt": moment}} if running else {
            "terminated": {"exitCode": 143 if phase == "Failed" else 0, "reason": phase, "finishedAt": moment}}
        ready = [{"type": kind, "status": str(running)} for kind in ("Ready", "ContainersReady")]
        containers = [{"name": each["name"], "image": each["image"], "imageID": "fake", "restartCount": 0,
                       "ready": running, "started": running, "state": state} for each in pod["spec"]["containers"]]
        status, _ = self.api.call("PATCH", path + "/status", {"status": {
            "phase": phase, "startTime": moment, "conditions": ready, "containerStatuses": containers}},
            MERGE_PATCH)
        return status < 300

    def training_of(self, pod):
        return self.trainings.get(pod["metadata"]["labels"]["slaq.io/job"])

    def train(self, pods, seconds):
        for job, training in list(self.trainings.items()):
            own = [pod for pod in pods if pod["metadata"]["labels"]["slaq.io/job"] == job and is_running(pod)]
            workers = sum(not is_driver(pod) for pod in own)
            if any(is_driver(pod) for pod in own):
                training.work(workers, seconds)


def is_driver(pod):
    return pod["metadata"]["labels"].get("slaq.io/role") == "driver"


def is_running(pod):
    return pod.get("status", {}).get("phase") == "Running" and not pod["metadata"].get("deletionTimestamp")
