"""Jobs come and go, and faults are drawn at random, several at once. When they end, everything must settle.

SLAQ_CHAOS_SEED gives the draws (1), SLAQ_CHAOS_SECONDS how long faults come (60)."""
import os
import random
import signal
import statistics
import time

from proxy import Answer, CutAfter, Delay, LoseReply, Refuse, Silence, until
from rows import Rows, main

SEED = int(os.environ.get("SLAQ_CHAOS_SEED", 1))
LENGTH = float(os.environ.get("SLAQ_CHAOS_SECONDS", 60))
MOST_JOBS = 6
ENDED = ("Complete", "Failed")


class Footprint:
    """What a process holds: memory in MiB, open descriptors, threads."""
    NAMES = ("memory", "descriptors", "threads")
    SLACK = (3.0, 6, 3)  # less than this is no growth: pools fill, and connections come and go

    def __init__(self, process):
        self.process, self.samples = process, []

    def take(self):
        place = f"/proc/{self.process.pid}"
        fields = dict(line.split(":", 1) for line in open(f"{place}/status"))
        self.samples.append((int(fields["VmRSS"].split()[0]) / 1024, len(os.listdir(f"{place}/fd")),
                             int(fields["Threads"])))
        return self.samples[-1]

    def growing(self):
        """What grew steadily after the first third: of four parts of the rest, each has a higher median than the one
        before, and the last one is a tenth and the slack above the first."""
        rest = self.samples[len(self.samples) // 3:]
        length = len(rest) // 4
        if length < 3:
            return []
        found = []
        for name, slack, values in zip(self.NAMES, self.SLACK, zip(*rest)):
            medians = [statistics.median(values[part * length:(part + 1) * length]) for part in range(4)]
            steadily = all(after > before for before, after in zip(medians, medians[1:]))
            if steadily and medians[-1] > max(1.1 * medians[0], medians[0] + slack):
                found.append(f"{name}: {medians}")
        return found


class Draws:
    """What happens next, of one scenario with two controllers. The first is never killed, so that what it holds can be
    followed; it leads when the second is dead."""

    def __init__(self, scenario, seed):
        self.scenario, self.random = scenario, random.Random(seed)
        self.first, self.second = scenario.started(), scenario.started()
        self.jobs = []
        self.made = 0
        self.undo = []  # (when, what), of faults that are no rule of a proxy
        self.log = open(scenario.folder / "chaos.log", "w", buffering=1)
        self.begun = time.monotonic()
        # Each as often as it is named here.
        self.choices = [self.job_comes] * 6 + [self.job_goes] * 2 + [self.job_pauses] + [self.server_fails] * 8 + [
            self.watch_fails] * 3 + [self.dies, self.stands_still, self.stands_still, self.lease_goes,
                                     self.lease_is_stolen, self.pod_dies, self.pods_hang,
                                     self.losses_fail]

    def tell(self, what):
        self.log.write(f"{time.monotonic() - self.begun:7.1f} {what}\n")

    def step(self):
        now = time.monotonic()
        for each in [each for each in self.undo if each[0] <= now]:
            self.undo.remove(each)
            each[1]()
        for controller in (self.first, self.second):
            controller.proxy.rules[:] = [rule for rule in controller.proxy.rules if rule.ends > now]
        self.random.choice(self.choices)()

    def end(self):
        """Of all faults: nothing new happens any more."""
        for _, what in self.undo:
            what()
        for controller in (self.first, self.second):
            controller.proxy.rules.clear()
        self.scenario.node.ends_pods = True
        self.scenario.losses.fault = lambda path, form: None
        self.tell("the faults end")

    def later(self, what, most=6.0):
        self.undo.append((time.monotonic() + self.random.uniform(0.5, most), what))

    # Jobs

    def job_comes(self):
        self.forget_the_ended()
        if len(self.jobs) >= MOST_JOBS:
            return
        name = f"j{self.made}"
        self.made += 1
        least = self.random.choice((1, 1, 2))
        settings = {"iterations": self.random.randint(20, 150), "least": least,
                    "most": least + self.random.randint(0, 5), "suspend": self.random.random() < 0.1}
        self.tell(f"{name} comes: {settings}")
        self.scenario.apply(name, **settings)
        self.jobs.append(name)

    def forget_the_ended(self):
        for name in [name for name in self.jobs if self.scenario.state(name) in ENDED]:
            self.remove(name)

    def job_goes(self):
        if self.jobs:
            self.remove(self.random.choice(self.jobs))

    def remove(self, name):
        self.tell(f"{name} goes")
        self.scenario.api.delete(f"{self.scenario.jobs_path}/{name}")
        self.jobs.remove(name)
        self.scenario.forget(name)

    def job_pauses(self):
        if self.jobs:
            name, suspend = self.random.choice(self.jobs), self.random.random() < 0.5
            self.tell(f"{name} suspend={suspend}")
            self.scenario.api.patch(f"{self.scenario.jobs_path}/{name}", {"spec": {"suspend": suspend}})

    # Faults

    def rule(self, what, fault, matches=lambda request: True, most=5.0):
        controller = self.random.choice((self.first, self.second))
        ends = time.monotonic() + self.random.uniform(0.5, most)
        rule = until(ends, fault, matches)
        rule.ends = ends
        self.tell(f"{controller.log_file.stem}: {what} for {ends - time.monotonic():.1f} s")
        controller.proxy.rules.append(rule)

    def server_fails(self):
        kinds = {"reads": lambda request: not request.is_write, "writes": lambda request: request.is_write,
                 "the lease": lambda request: request.is_lease, "all": lambda request: True}
        kind = self.random.choice(sorted(kinds))
        name, fault = self.random.choice((
            ("429", Answer(429, {"Retry-After": "1"})), ("500", Answer(500)), ("503", Answer(503)),
            ("409", Answer(409)), ("403", Answer(403)), ("401", Answer(401)), ("410", Answer(410)),
            ("refused", Refuse()), ("late", Delay(self.random.uniform(0.1, 2))),
            ("replies lost", LoseReply()), ("cut", CutAfter(self.random.randint(0, 300)))))
        # A watch has no reply that could be lost or late.
        self.rule(f"{name}, {kind}", fault, lambda request: kinds[kind](request) and not request.is_watch)

    def watch_fails(self):
        name, fault = self.random.choice((
            ("410", Answer(410)), ("cut", CutAfter(self.random.randint(0, 3000))), ("refused", Refuse()),
            ("silent", Silence())))
        self.rule(f"watches {name}", fault, lambda request: request.is_watch)

    def dies(self):
        if self.second.process.poll() is None:
            gently = self.random.random() < 0.5
            self.tell(f"the second {'is stopped' if gently else 'is killed'}")
            self.second.signal(signal.SIGCONT)
            self.second.signal(signal.SIGTERM if gently else signal.SIGKILL)
            self.later(self.rises)

    def rises(self):
        self.second.signal(signal.SIGCONT)  # it may have been made to stand still while it stopped
        self.second.process.wait(timeout=60)
        self.second.start()

    def stands_still(self):
        controller = self.random.choice((self.first, self.second))
        if controller.process.poll() is None:
            self.tell(f"{controller.log_file.stem} stands still")
            controller.signal(signal.SIGSTOP)
            self.later(lambda: controller.signal(signal.SIGCONT), most=8)

    @property
    def lease(self):
        return f"/apis/coordination.k8s.io/v1/namespaces/{self.scenario.namespace}/leases/slaq"

    def lease_goes(self):
        self.tell("the lease goes")
        self.scenario.api.delete(self.lease)

    def lease_is_stolen(self):
        self.tell("the lease is stolen")
        # It may be gone just now.
        self.scenario.api.call("PATCH", self.lease, {"spec": {"holderIdentity": "thief"}}, "application/merge-patch+json")

    def pod_dies(self):
        # One only: Kubernetes waits twice as long with each failure before it makes pods of a Job again.
        pods = self.scenario.api.items(f"/api/v1/namespaces/{self.scenario.namespace}/pods")
        if pods:
            name = self.random.choice(pods)["metadata"]["name"]
            self.tell(f"{name} dies")
            self.scenario.api.delete(f"/api/v1/namespaces/{self.scenario.namespace}/pods/{name}", grace=0)

    def pods_hang(self):
        self.tell("pods hang in termination")
        node = self.scenario.node
        node.ends_pods = False
        self.later(lambda: setattr(node, "ends_pods", True))

    def losses_fail(self):
        answer = self.random.choice(((503, b"down"), (422, b"{}"), (200, b"<html>"), (200, b'{"status":"suc')))
        self.tell(f"Prometheus says {answer}")
        losses = self.scenario.losses
        losses.fault = lambda path, form: answer
        self.later(lambda: setattr(losses, "fault", lambda path, form: None))


class Chaos(Rows):
    def test_chaos_is_over_when_the_faults_are(self):
        scenario = self.scenario(f"-{SEED}", policy="LookAhead", capacity=10)
        # Nobody but who saw them can tell whose pods they are when their job is gone, and who leads changes here.
        scenario.observer.counts_orphans = False
        draws = Draws(scenario, SEED)
        print(f"seed {SEED}, {LENGTH:.0f} s, what happens is in {draws.log.name}", flush=True)
        footprint = self.let_happen(draws)
        draws.end()
        self.assert_settles(scenario, draws)
        self.assertEqual(footprint.growing(), [], footprint.samples)

    def let_happen(self, draws):
        footprint = Footprint(draws.first.process)
        end = time.monotonic() + LENGTH
        sampled, told = 0.0, time.monotonic()
        while (now := time.monotonic()) < end:
            draws.step()
            self.assertIsNone(draws.first.process.poll(), "the first ended")
            self.assertEqual(draws.scenario.observer.violations, [], f"{now - draws.begun:.1f} s after the start")
            if now - sampled >= 5:
                latest, sampled = footprint.take(), now
            if now - told >= 60:
                memory, descriptors, threads = latest
                print(f"{now - draws.begun:6.0f} s: {memory:.1f} MiB, {descriptors} descriptors, {threads} threads, "
                      f"{draws.made} jobs came", flush=True)
                told = now
            time.sleep(draws.random.uniform(0.1, 1.5))
        return footprint

    def assert_settles(self, scenario, draws):
        for name in draws.jobs:
            scenario.api.patch(f"{scenario.jobs_path}/{name}", {"spec": {"suspend": False}})
        scenario.wait("all are complete", lambda: all(scenario.state(name) == "Complete" for name in draws.jobs))
        scenario.wait("no pod runs", lambda: not self.running(scenario))
        jobs = {job["metadata"]["uid"] for job in scenario.api.items(scenario.jobs_path)}
        for kind in ("apis/batch/v1/namespaces/{}/jobs", "api/v1/namespaces/{}/services"):
            path = "/" + kind.format(scenario.namespace)
            scenario.wait(f"nothing of jobs that are gone is left of {kind}", lambda: all(
                each["metadata"]["ownerReferences"][0]["uid"] in jobs for each in scenario.api.items(path)))
        for controller in (draws.first, draws.second):
            self.assertIsNone(controller.process.poll(), scenario.report())
            scenario.wait("its metrics are served", lambda: controller.telemetry("/metrics")[0] == 200)
            scenario.wait("it is ready", lambda: controller.telemetry("/readyz")[0] == 200)
        scenario.wait("the statuses say that no worker is ready", lambda: all(
            scenario.status(name).get("readyReplicas", 0) == 0 for name in draws.jobs))
        scenario.settle(5)
        self.assert_still(scenario)


if __name__ == "__main__":
    main()
