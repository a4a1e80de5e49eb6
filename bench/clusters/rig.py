"""The cluster: etcd, API server, controllers and Prometheus are real, nodes and pods are played."""
import os
import subprocess
import urllib.request

from api import Api

from clusters.progress import say, wait_until

NODE_CORES = 512


class Rig:
    def __init__(self, top, keep, cores):
        self.top, self.keep = top, keep
        self.nodes = max(10, -(-cores // NODE_CORES))
        self.folder = os.environ.get("SLAQ_RIG_DIR", "/tmp/slaq-rig-bench")
        self.environment = {**os.environ, "SLAQ_RIG_DIR": self.folder, "SLAQ_RIG_SIZE": "large",
                            "SLAQ_RIG_PORTS": os.environ.get("SLAQ_RIG_PORTS", "28200"),
                            "SLAQ_RIG_NET": os.environ.get("SLAQ_RIG_NET", "10.230")}

    def __enter__(self):
        say(f"bringing a cluster up with {self.nodes} nodes that are played")
        if not self.keep:
            self.run("down")
        self.run("up", "--api-only")
        self.run("fake-nodes", "up", "--nodes", str(self.nodes), "--cores", str(NODE_CORES))
        self.run("kubectl", "apply", "-f", str(self.top / "crds/slaq.io_trainingjobs.yaml"))
        self.kubeconfig = f"{self.folder}/kubeconfig/admin"
        self.api = Api(self.kubeconfig)
        wait_until("the server knows TrainingJobs",
                   lambda: self.api.call("GET", "/apis/slaq.io/v1alpha1/trainingjobs?limit=1")[0] == 200, 60)
        ports = int(self.environment["SLAQ_RIG_PORTS"])
        self.prometheus = f"http://127.0.0.1:{ports + 90}"
        self.fake_nodes = f"http://127.0.0.1:{ports + 92}"
        self.free_ports = (ports + 94, ports + 95)
        self.queries = f"{self.folder}/logs/queries.log"
        return self

    def __exit__(self, *_):
        if not self.keep:
            self.run("down")

    def trainings(self):
        """How many have a chief and workers that are ready."""
        with urllib.request.urlopen(f"{self.fake_nodes}/metrics", timeout=30) as answer:
            return answer.read().count(b"\nslaq_training_loss{")

    def run(self, *arguments):
        subprocess.run([self.top / "tests/rig/rig", *arguments], env=self.environment, check=True,
                       stdout=subprocess.DEVNULL)
