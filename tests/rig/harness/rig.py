"""The cluster: etcd, API server, controllers and Prometheus are real, nodes and pods are played."""
import os
import subprocess
import urllib.request

from harness.api import Api
from harness.definition import define
from harness.progress import say, wait_until

NODE_CORES = 512


class Place:
    """Where one rig is, so that others can be up at the same time. The environment may name another."""

    def __init__(self, folder, ports, net):
        self.folder = os.environ.get("SLAQ_RIG_DIR", folder)
        self.ports = int(os.environ.get("SLAQ_RIG_PORTS", ports))
        self.net = os.environ.get("SLAQ_RIG_NET", net)

    def environment(self):
        return {**os.environ, "SLAQ_RIG_DIR": self.folder, "SLAQ_RIG_SIZE": "large",
                "SLAQ_RIG_PORTS": str(self.ports), "SLAQ_RIG_NET": self.net}


class Rig:
    def __init__(self, top, place, keep, cores, flags=()):
        """`flags` are those of fake-nodes besides the nodes and their cores."""
        self.top, self.place, self.keep, self.flags = top, place, keep, flags
        self.nodes = max(10, -(-cores // NODE_CORES))
        self.folder = place.folder

    def __enter__(self):
        say(f"bringing a cluster up with {self.nodes} nodes that are played")
        if not self.keep:
            self.run("down")
        self.run("up", "--api-only")
        self.run("fake-nodes", "up", "--nodes", str(self.nodes), "--cores", str(NODE_CORES), *self.flags)
        self.kubeconfig = f"{self.folder}/kubeconfig/admin"
        self.api = Api(self.kubeconfig)
        define(lambda *arguments: self.run("kubectl", *arguments), self.api, self.top)
        self.prometheus = f"http://127.0.0.1:{self.place.ports + 90}"
        self.fake_nodes = f"http://127.0.0.1:{self.place.ports + 92}"
        self.queries = f"{self.folder}/logs/queries.log"
        return self

    def free_ports(self, number):
        """Two that no component of the rig has, for the metrics and the probes of the controller of that number."""
        first = self.place.ports + 94 + 2 * number
        assert first + 1 < self.place.ports + 100, "a rig has no ports for so many controllers"
        return first, first + 1

    def __exit__(self, *_):
        if not self.keep:
            self.run("down")

    def metrics(self):
        """What fake-nodes exposes of all trainings that have a chief and have begun."""
        with urllib.request.urlopen(f"{self.fake_nodes}/metrics", timeout=30) as answer:
            return answer.read()

    def trainings(self):
        """How many have a chief and workers that are ready."""
        return self.metrics().count(b"\nslaq_training_loss{")

    def run(self, *arguments):
        subprocess.run([self.top / "tests/rig/rig", *arguments], env=self.place.environment(), check=True,
                       stdout=subprocess.DEVNULL)
