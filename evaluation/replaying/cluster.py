"""The cluster of a replay: one whose nodes are played, with a namespace and a controller for each policy, so that all
policies have the same circumstances."""
import contextlib
import time

import workloads
from harness import parallel
from harness.controller import Controller
from harness.progress import wait_until
from harness.rig import Place, Rig
from replaying import workload

PLACE = Place("/tmp/slaq-rig-replay", 28600, "10.232")
FREE = 2  # the nodes have so many times the cores that the controllers give out, so that no pod waits for a node


def namespace_of(contender):
    return contender.policy.lower()


def configuration(contender, rig):
    """All that is not said is as users get it."""
    return {"epochSeconds": workloads.EPOCH, "policy": contender.policy,
            **({"predictor": contender.predictor} if contender.predictor else {}),
            "capacity": {"cores": workloads.CORES}, "namespace": namespace_of(contender),
            "loss": {"prometheus": {"serverAddress": rig.prometheus, "scrapeSeconds": workload.SCRAPE}},
            "leaderElection": {"namespace": namespace_of(contender)}}


class Cluster:
    """The rig and the controllers by policy, as long as the context lasts."""

    def __init__(self, top, contenders, given):
        self.contenders, self.given = contenders, given
        flags = ("--start-delay", given.start_delay, "--stop-delay", given.stop_delay)
        self.rig = Rig(top, PLACE, False, FREE * workloads.CORES * len(contenders), flags)
        self.controllers = {}
        self.stack = contextlib.ExitStack()

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            stack.enter_context(self.rig)
            for number, contender in enumerate(self.contenders):
                self.controllers[contender.policy] = self.start(number, contender)
                stack.callback(self.controllers[contender.policy].stop)
            wait_until("all controllers decide",
                       lambda: all(controller.epochs for controller in self.controllers.values()), 60)
            self.stack = stack.pop_all()
        return self

    def start(self, number, contender):
        self.rig.api.create("/api/v1/namespaces", {"metadata": {"name": namespace_of(contender)}})
        return Controller(self.given.controller, self.rig.kubeconfig, self.given.work / namespace_of(contender),
                          self.rig.free_ports(number), configuration(contender, self.rig))

    def __exit__(self, *_):
        self.stack.close()

    def submit(self, job):
        """To all namespaces at once. When each of them had it, by policy."""
        def post(contender):
            path = f"/apis/slaq.io/v1alpha1/namespaces/{namespace_of(contender)}/trainingjobs"
            self.rig.api.create(path, workload.manifest(job, self.given.worker_cores))
            return time.time()
        return dict(zip((each.policy for each in self.contenders),
                        parallel.each(post, self.contenders, len(self.contenders))))


def epochs_of(controller, origin):
    """(when it began, in seconds since `origin`, how long it took, actions) of each epoch."""
    return [(epoch.at - epoch.seconds - origin, epoch.seconds, epoch.actions) for epoch in controller.epochs]


def cpu_of(controller):
    """Seconds of processor time from the first epoch to the last."""
    return controller.epochs[-1].cpu - controller.epochs[0].cpu
