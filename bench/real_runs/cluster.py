"""The same drawings on a real Kubernetes, which tests/rig brings up on this machine: pods start, and change their number, as
they do there. The losses are Prometheus' own samples, one in a second."""
import json
import sys
import time

from real_runs.drawings import PREDICTORS, ROOT

sys.path.insert(0, str(ROOT / "tests/rig"))
from harness.real_cluster import HANG, RealCluster, rig  # noqa: E402

LOOK = 1  # second
METRICS = {"loss": "slaq_training_loss", "iteration": "slaq_training_iterations_total", "initial": "slaq_training_initial_loss"}


class Cluster(RealCluster):
    def __init__(self):
        super().__init__([("image", "trainer", "slaq-trainer:latest")])

    def configure(self, policy):
        """A new controller. As on every cluster, it remembers the kinds of the trainings before."""
        values = ["config.capacity.automatic=true", f"config.policy={policy}"]
        if policy in PREDICTORS:
            values.append(f"config.predictor={PREDICTORS[policy]}")
        self.install(*values)

    def run(self, drawing, policy, into):
        """(losses by job, ends by job) of one run, in seconds from each job's arrival."""
        self.configure(policy)
        namespace = f"run-{policy.lower()}-{int(time.time())}"
        rig("kubectl", "create", "namespace", namespace)
        names = [file.stem for file in drawing.files]
        begun = time.time()
        arrivals, ends = {}, {}
        while len(ends) < len(names):
            if time.time() - begun > HANG:
                sys.exit(f"not all trainings ended within {HANG} s: {rig('kubectl', '-n', namespace, 'get', 'trainingjobs')}")
            due = len(arrivals) < len(names) and time.time() - begun >= drawing.interarrival * len(arrivals)
            if due:
                file = drawing.files[len(arrivals)]
                arrivals[file.stem] = time.time()
                rig("kubectl", "-n", namespace, "apply", "-f", file)
            self.note_ends(namespace, arrivals, ends)
            time.sleep(LOOK)
        losses = self.losses(namespace, arrivals)
        (into / f"{policy}.json").write_text(json.dumps(losses), encoding="utf-8")
        rig("kubectl", "delete", "namespace", namespace, "--wait=true")
        return losses, ends

    def note_ends(self, namespace, arrivals, ends):
        for job in self.api.get(f"/apis/slaq.io/v1alpha1/namespaces/{namespace}/trainingjobs")["items"]:
            name, state = job["metadata"]["name"], job.get("status", {}).get("state")
            if state == "Failed":
                sys.exit(f"{name} failed: {job['status']}")
            if state == "Complete" and name not in ends:
                ends[name] = time.time() - arrivals[name]

    def losses(self, namespace, arrivals):
        """By job the (seconds since arrival, iteration, loss), from the loss before the first iteration on."""
        seen = {name: self.samples(metric, namespace) for name, metric in METRICS.items()}
        losses = {}
        for job, values in seen["loss"].items():
            iterations = dict(seen["iteration"].get(job, ()))
            initial = seen["initial"].get(job, ())
            losses[job] = [(at - arrivals[job], 0.0, value) for at, value in initial[:1]]
            losses[job] += [(at - arrivals[job], iterations[at], value) for at, value in values if at in iterations]
        return losses
