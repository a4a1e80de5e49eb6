"""What can be seen of the trainings and of their pods from outside: how far each has come, by a look at its metrics
now and then, and what became of each pod and each workers' Job, by watches of its own."""
import re
import threading
import time

from harness.progress import say
from harness.watch import Watch

EVERY = 0.25  # seconds between two looks
ITERATIONS = re.compile(rb'^slaq_training_iterations_total\{namespace="([^"]*)",[^}]*slaq_io_job="([^"]*)",[^}]*\} (\S+)$',
                        re.M)
WORKERS = "labelSelector=slaq.io%2Frole%3Dworker"


class Looks(threading.Thread):
    """(time of the look before, time, iterations done) of each job, at each change, in seconds since `origin`."""

    def __init__(self, rig, origin):
        super().__init__(daemon=True)
        self.rig, self.origin = rig, origin
        self.over = threading.Event()
        self.seen = {}  # by namespace and name
        self.last = time.time() - origin

    def run(self):
        while not self.over.wait(EVERY):
            begun = time.time()
            try:
                text = self.rig.metrics()
            except OSError as error:
                say(f"the metrics could not be read: {error}")
                continue
            self.take(text, (begun + time.time()) / 2 - self.origin)

    def take(self, text, now):
        for namespace, name, count in ITERATIONS.findall(text):
            looks = self.seen.setdefault((namespace.decode(), name.decode()), [])
            done = int(float(count))
            if not looks or looks[-1][2] != done:
                looks.append((self.last, now, done))
        self.last = now

    def close(self):
        self.over.set()
        self.join()


def _condition(item, kind):
    return any(each["type"] == kind and each["status"] == "True" for each in item.get("status", {}).get("conditions", []))


class Recorder:
    def __init__(self, rig, origin):
        self.origin = origin
        self.jobs = {}  # by namespace and name
        self.pods = {}  # by uid
        self.looks = Looks(rig, origin)
        self.looks.start()
        self.watches = [Watch(rig.api, f"/apis/batch/v1/jobs?{WORKERS}", self.take_job),
                        Watch(rig.api, f"/api/v1/pods?{WORKERS}", self.take_pod),
                        Watch(rig.api, "/apis/slaq.io/v1alpha1/trainingjobs?", self.take_status)]

    def close(self):
        self.looks.close()
        for watch in self.watches:
            watch.close()

    def job(self, key):
        return self.jobs.setdefault(key, {"created": None, "ended": None, "complete": None, "workers": [], "measuredCost": None})

    def take_job(self, item, now):
        job = self.job((item["metadata"]["namespace"], item["metadata"]["labels"]["slaq.io/job"]))
        workers = 0 if item["spec"].get("suspend") else item["spec"]["parallelism"]
        if not job["workers"] or job["workers"][-1][1] != workers:
            job["workers"].append((now - self.origin, workers))
        if job["complete"] is None and _condition(item, "Complete"):
            job["complete"] = now - self.origin

    def take_pod(self, item, now):
        now -= self.origin
        meta, phase = item["metadata"], item.get("status", {}).get("phase")
        key = (meta["namespace"], meta["labels"]["slaq.io/job"])
        pod = self.pods.setdefault(meta["uid"], {
            "job": key, "created": now, "ready": None, "leaving": None, "failed": None})
        for what, holds in (("ready", _condition(item, "Ready")), ("leaving", "deletionTimestamp" in meta),
                            ("failed", phase == "Failed")):
            if holds and pod[what] is None:
                pod[what] = now
        if phase == "Succeeded" and self.job(key)["ended"] is None:
            self.job(key)["ended"] = now

    def take_status(self, item, _):
        """The least and the most that the controller ever took an iteration to cost, in seconds of a worker."""
        job = self.job((item["metadata"]["namespace"], item["metadata"]["name"]))
        costs = [float(each["secondsPerIteration"]) * each["workers"]
                 for each in item.get("status", {}).get("speeds", []) if each["measured"]]
        if costs:
            least, most = job["measuredCost"] or (costs[0], costs[0])
            job["measuredCost"] = (min(least, *costs), max(most, *costs))

    def over(self, namespace):
        """How many of its trainings are."""
        return sum(key[0] == namespace and job["ended"] is not None for key, job in list(self.jobs.items()))

    def record(self, namespace):
        """Of one namespace, as JSON can hold it."""
        jobs = {name: {**job, "looks": self.looks.seen.get((space, name), [])}
                for (space, name), job in self.jobs.items() if space == namespace}
        pods = [{**pod, "job": pod["job"][1]} for pod in self.pods.values() if pod["job"][0] == namespace]
        return {"jobs": jobs, "pods": pods}
