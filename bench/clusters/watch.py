"""The TrainingJobs' statuses, and their workers' Jobs, by watches of the benchmark's own."""
import threading

from harness.watch import Watch


class Observer:
    """What is known of the jobs, by namespace and name."""

    def __init__(self, api):
        self.lock = threading.Lock()
        self.statuses = {}  # (state, workers that are ready)
        self.observed = {}  # (generation, when a status told of it first)
        self.ready = {}  # (workers that are ready, since when so many are)
        self.watches = [Watch(api, "/apis/slaq.io/v1alpha1/trainingjobs?", self.take_job),
                        Watch(api, "/apis/batch/v1/jobs?labelSelector=slaq.io%2Frole%3Dworker", self.take_workers)]

    def close(self):
        for watch in self.watches:
            watch.close()

    def take_job(self, item, now):
        key = (item["metadata"]["namespace"], item["metadata"]["name"])
        status = item.get("status", {})
        with self.lock:
            self.statuses[key] = (status.get("state"), status.get("readyReplicas", 0))
            generation = status.get("observedGeneration", 0)
            if generation > self.observed.get(key, (0, 0))[0]:
                self.observed[key] = (generation, now)

    def take_workers(self, item, now):
        key = (item["metadata"]["namespace"], item["metadata"]["labels"]["slaq.io/job"])
        ready = item.get("status", {}).get("ready", 0)
        with self.lock:
            if ready != self.ready.get(key, (None, 0))[0]:
                self.ready[key] = (ready, now)

    def count(self, holds):
        with self.lock:
            return sum(holds(*status) for status in self.statuses.values())

    def ages(self, changes):
        """Of those changes whose status is written: seconds from the change to the status."""
        with self.lock:
            return [max(0, self.observed[key][1] - then) for key, (then, generation, _) in changes.items()
                    if self.observed.get(key, (0, 0))[0] >= generation]

    def ready_ages(self, changes):
        """Of those changes whose workers are all ready and no others: seconds from the change until then."""
        with self.lock:
            return [max(0, self.ready[key][1] - then) for key, (then, _, wanted) in changes.items()
                    if self.ready.get(key, (None, 0))[0] == wanted]
