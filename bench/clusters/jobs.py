"""The TrainingJobs: four workers of a core each on average, in namespaces of a hundred. Each is pinned to a number of
workers, unless a share of them is left to the scheduler. Of a quarter of the jobs one half has fewer workers than the
average and the other half more; they change by exchanging these numbers."""
import time

from harness import parallel
from harness.progress import say

OF_A_NAMESPACE = 100
FEWER, AVERAGE, MORE = 3, 4, 5
CHANGING_OF = 4  # every fourth job
DRIVER_CORES = 0.1


class Jobs:
    def __init__(self, api, traces, cpu_seconds, free):
        """`free`: the share of the jobs that never change by themselves whose workers the scheduler decides on."""
        self.api, self.cpu_seconds, self.free = api, cpu_seconds, free
        self.traces = sorted(path.name for path in traces.glob("*.csv") if path.name != "index.csv")
        self.created = 0
        self.pinned = {}  # by number: to how many workers
        self.changing = []  # numbers of those that may change

    @staticmethod
    def cores(count):
        """Of the cluster that these jobs share."""
        return count * (AVERAGE + DRIVER_CORES)

    @staticmethod
    def key(number):
        return f"bench-{number // OF_A_NAMESPACE}", f"job-{number}"

    @classmethod
    def path(cls, number):
        namespace, name = cls.key(number)
        return f"/apis/slaq.io/v1alpha1/namespaces/{namespace}/trainingjobs/{name}"

    @classmethod
    def workers_path(cls, number):
        namespace, name = cls.key(number)
        return f"/apis/batch/v1/namespaces/{namespace}/jobs/{name}-workers"

    def create(self, count):
        begun = time.monotonic()
        for namespace in range(count // OF_A_NAMESPACE + 1):
            self.api.call("POST", "/api/v1/namespaces", {"metadata": {"name": f"bench-{namespace}"}})
        parallel.each(self.create_one, range(self.created, count))
        self.created = count
        self.changing = [number for number in range(count) if number % CHANGING_OF == 0]
        say(f"{count} jobs: created in {time.monotonic() - begun:.0f} s")

    def create_one(self, number):
        if number % CHANGING_OF == 0:
            self.pinned[number] = FEWER if number % (2 * CHANGING_OF) == 0 else MORE
        elif number * 7919 % 1000 >= 1000 * self.free:
            self.pinned[number] = AVERAGE
        namespace, _ = self.key(number)
        path = f"/apis/slaq.io/v1alpha1/namespaces/{namespace}/trainingjobs"
        status, answer = self.api.call("POST", path, self.manifest(number))
        assert status in (201, 409), (path, status, answer)
        if status == 409 and number in self.pinned:  # of an earlier run
            self.api.patch(self.path(number), {"spec": {"replicas": self.pinned[number]}})

    def manifest(self, number):
        container = lambda name, cpu: {"name": name, "image": "fake", "resources": {
            "requests": {"cpu": cpu}, "limits": {"cpu": cpu}}}
        chief = {**container("driver", "100m"), "ports": [
            {"name": "driver", "containerPort": 7070}, {"name": "metrics", "containerPort": 9464}]}
        spec = {"workers": {"minReplicas": 1, "maxReplicas": 2 * AVERAGE,
                            "template": {"spec": {"containers": [container("worker", "1")]}}},
                "driver": {"template": {"metadata": {"annotations": self.workload(number)},
                                        "spec": {"containers": [chief]}}}}
        if number in self.pinned:
            spec["replicas"] = self.pinned[number]
        return {"apiVersion": "slaq.io/v1alpha1", "kind": "TrainingJob",
                "metadata": {"name": self.key(number)[1]}, "spec": spec}

    def workload(self, number):
        """Trainings of one trace differ in their speed."""
        seconds = self.cpu_seconds * (0.5 + (number * 7919 % 1000) / 1000)
        return {"fake-nodes/trace": self.traces[number % len(self.traces)],
                "fake-nodes/cpu-seconds-per-iteration": f"{seconds:.3f}", "fake-nodes/start-seconds": "5",
                "fake-nodes/repeat": "true"}

    def change(self, count):
        """Exchanges the numbers of workers of so many jobs: by the job's key, when that was answered, the generation
        that it then had, and the number of workers."""
        chosen = self.changing[:count]
        answers = parallel.each(self.exchange, chosen)
        return dict(zip(map(self.key, chosen), answers))

    def exchange(self, number):
        wanted = FEWER + MORE - self.pinned[number]
        answer = self.api.patch(self.path(number), {"spec": {"replicas": wanted}})
        self.pinned[number] = wanted
        return time.time(), answer["metadata"]["generation"], wanted
