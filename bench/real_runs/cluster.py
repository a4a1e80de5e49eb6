"""The same drawings on a real Kubernetes, which tests/rig brings up on this machine: pods start, and change their number, as
they do there. The losses are Prometheus' own samples, one in a second."""
import json
import subprocess
import sys
import time
import urllib.parse
import urllib.request

from real_runs.drawings import PREDICTORS, ROOT

sys.path.insert(0, str(ROOT / "tests/rig"))
from harness.api import Api  # noqa: E402
from harness.progress import say  # noqa: E402

RIG = ROOT / "tests/rig/rig"
SYSTEM = "slaq-system"
HANG = 900  # seconds after which no job comes to its end any more
LOOK = 1  # second
METRICS = {"loss": "slaq_training_loss", "iteration": "slaq_training_iterations_total", "initial": "slaq_training_initial_loss"}


def rig(*arguments):
    done = subprocess.run([RIG, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"rig {' '.join(map(str, arguments))} failed: {(done.stdout + done.stderr).strip()[-600:]}")
    return done.stdout


class Cluster:
    def __enter__(self):
        able = subprocess.run([RIG, "check"], capture_output=True, text=True, check=False)
        if able.returncode:
            sys.exit(f"no Kubernetes can be had here: {able.stderr.strip()}")
        say("bringing a Kubernetes cluster up")
        try:
            return self.brought_up()
        except BaseException:
            rig("down")
            raise

    def brought_up(self):
        rig("up")
        say("building the images of the controller and of the trainer")
        rig("image", "controller")
        rig("image", "trainer", "slaq-trainer:latest")
        self.prometheus = rig("run", "printenv", "SLAQ_RIG_PROMETHEUS_URL").strip()
        self.api = Api(rig("run", "printenv", "KUBECONFIG").strip())
        self.source = rig("run", "printenv", "SLAQ_RIG_PROMETHEUS_POD_URL").strip()
        return self

    def __exit__(self, *_):
        rig("down")

    def configure(self, policy):
        """A new controller. As on every cluster, it remembers the kinds of the trainings before."""
        values = ["image.repository=slaq-controller", "image.tag=dev", "replicas=1", "config.capacity.automatic=true",
                  f"config.policy={policy}", f"config.loss.prometheus.serverAddress={self.source}"]
        if policy in PREDICTORS:
            values.append(f"config.predictor={PREDICTORS[policy]}")
        rig("run", "helm", "upgrade", "--install", "slaq", ROOT / "charts/slaq", "--namespace", SYSTEM, "--create-namespace",
            "--wait", "--timeout", "10m", "--set-string", f"podAnnotations.run={time.time()}",
            *(word for value in values for word in ("--set", value)))

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

    def samples(self, metric, namespace):
        """By job the samples (time, value) of a metric."""
        query = urllib.parse.urlencode({"query": f'{metric}{{namespace="{namespace}"}}[{HANG}s]'})
        with urllib.request.urlopen(f"{self.prometheus}/api/v1/query?{query}", timeout=60) as answer:
            series = json.load(answer)["data"]["result"]
        found = {}
        for each in series:
            found.setdefault(each["metric"]["slaq_io_job"], []).extend((at, float(value)) for at, value in each["values"])
        return {job: sorted(values) for job, values in found.items()}

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
