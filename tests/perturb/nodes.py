"""A node whose pods run at once, and the trainings in them: each does so many iterations a second with each worker."""
import math
import threading
import time

NODE = "fake"


class Training:
    """What a TrainingJob's pods do. Its iterations outlive its pods, as with a checkpoint."""

    def __init__(self, total, rate=2.0, loss=lambda k: 0.2 + math.exp(-k / 20)):
        self.total, self.rate, self.loss = total, rate, loss
        self.iteration = 0.0
        self.samples = []  # (time, iteration)
        self.lock = threading.Lock()

    @property
    def is_over(self):
        return self.iteration >= self.total

    def work(self, workers, seconds):
        with self.lock:
            self.iteration = min(self.total, self.iteration + workers * self.rate * seconds)
            now = time.time()
            if not self.samples or now - self.samples[-1][0] >= 1:
                self.samples.append((now, math.floor(self.iteration)))

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
        self.stopped = threading.Event()
        self.register()
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
        if self.name != NODE:
            self.api.delete(f"/api/v1/nodes/{self.name}")

    def run(self):
        before, told = time.monotonic(), 0
        while not self.stopped.wait(0.1):
            now = time.monotonic()
            if not self.serves:
                before = now
                continue
            if now - told > 10:
                self.tell()
                told = now
            pods = self.api.items(self.pods_path + "?labelSelector=slaq.io%2Fjob")
            for pod in pods:
                self.serve(pod)
            self.train(pods, now - before)
            before = now

    def tell(self):
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self.api.patch(f"/api/v1/nodes/{self.name}/status", {"status": {"conditions": [
            {"type": "Ready", "status": "True", "reason": "Fake", "lastHeartbeatTime": moment,
             "lastTransitionTime": moment}]}})

    def serve(self, pod):
        path = f"{self.pods_path}/{pod['metadata']['name']}"
        phase = pod.get("status", {}).get("phase")
        if pod["metadata"].get("deletionTimestamp"):
            if self.ends_pods:
                self.end(path, pod)
        elif any(is_broken(pod) for is_broken in self.broken):
            return
        elif not pod["spec"].get("nodeName"):
            self.api.call("POST", path + "/binding", {"metadata": {"name": pod["metadata"]["name"]},
                                                      "target": {"kind": "Node", "name": self.name}})
        elif phase == "Pending":
            self.set_phase(path, pod, "Running")
        elif phase == "Running" and is_driver(pod) and (training := self.training_of(pod)) and training.is_over:
            self.set_phase(path, pod, "Succeeded")

    def end(self, path, pod):
        """As a kubelet does: first it tells how the pod ended. Until then a Job does not let go of it."""
        if pod.get("status", {}).get("phase") == "Running":
            self.set_phase(path, pod, "Failed")
        self.api.delete(path, grace=0)

    def set_phase(self, path, pod, phase):
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        running = phase == "Running"
        state = {"running": {"startedAt": moment}} if running else {
            "terminated": {"exitCode": 143 if phase == "Failed" else 0, "reason": phase, "finishedAt": moment}}
        ready = [{"type": kind, "status": str(running)} for kind in ("Ready", "ContainersReady")]
        containers = [{"name": each["name"], "image": each["image"], "imageID": "fake", "restartCount": 0,
                       "ready": running, "started": running, "state": state} for each in pod["spec"]["containers"]]
        self.api.call("PATCH", path + "/status", {"status": {
            "phase": phase, "startTime": moment, "conditions": ready, "containerStatuses": containers}},
            "application/merge-patch+json")

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
