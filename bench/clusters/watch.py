"""The TrainingJobs' statuses, and their workers' Jobs, by watches of the benchmark's own."""
import http.client
import json
import socket
import threading
import time

from clusters.progress import say


class Watch:
    """Calls `take` with each object of a collection and when it came, and again with each change."""

    def __init__(self, api, path, take):
        self.api, self.path, self.take = api, path, take
        self.stopped = False
        version = self.list()
        self.thread = threading.Thread(target=self.follow, args=(version,), daemon=True)
        self.thread.start()

    def close(self):
        """The thread waits in a read, which a close alone would not end."""
        self.stopped = True
        try:
            self.connection.sock.shutdown(socket.SHUT_RDWR)
        except (OSError, AttributeError):
            pass
        self.thread.join(10)

    def list(self):
        more = ""
        while True:
            answer = self.api.get(f"{self.path}&limit=500{more}")
            for item in answer["items"]:
                self.take(item, time.time())
            token = answer["metadata"].get("continue")
            if not token:
                return answer["metadata"]["resourceVersion"]
            more = f"&continue={token}"

    def follow(self, version):
        while not self.stopped:
            try:
                self.connection = self.api.connect(timeout=3600)
                self.connection.request("GET", f"{self.path}&watch=1&allowWatchBookmarks=true&resourceVersion={version}")
                for line in self.connection.getresponse():
                    event = json.loads(line)
                    if event["type"] == "ERROR":
                        version = self.list()
                        break
                    version = event["object"]["metadata"]["resourceVersion"]
                    if event["type"] in ("ADDED", "MODIFIED"):
                        self.take(event["object"], time.time())
            except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
                if not self.stopped:
                    say(f"the watch of {self.path} begins again: {error}")


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
