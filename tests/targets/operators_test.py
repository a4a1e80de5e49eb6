"""JobSets, LeaderWorkerSets, PyTorchJobs and those of Ray with their real operators: their sizes follow, and nothing else is written."""
import itertools
import math
import time

from harness.node import Training
from harness.operators import Operated, built, certify, define, free_port, module
from rows import Rows, main
from scenario import ITERATIONS_A_SECOND, SAMPLE_SECONDS

JOBSET = ("sigs.k8s.io/jobset", "v0.12.0")
TRAINING_OPERATOR = ("github.com/kubeflow/training-operator", "v1.9.3")
TRAINER = ("github.com/kubeflow/trainer/v2", "v2.2.1")
LEADER_WORKER_SET = ("sigs.k8s.io/lws", "v0.8.0")

# JobSet and LeaderWorkerSet read their configuration in the same form.
CONFIGURATION = """
apiVersion: config.{group}/v1alpha1
kind: Configuration
health: {{healthProbeBindAddress: "0"}}
metrics: {{bindAddress: "0"}}
webhook: {{port: {port}, certDir: {certificates}}}
leaderElection: {{leaderElect: false}}
internalCertManagement: {{enable: false}}
"""
# Trainer reads its certificate where its manifest mounts it.
TRAINER_CONFIGURATION = """
apiVersion: config.trainer.kubeflow.org/v1alpha1
kind: Configuration
health: {{healthProbeBindAddress: "0"}}
metrics: {{bindAddress: "0", secureServing: false}}
webhook: {{port: {port}}}
leaderElection: {{leaderElect: false}}
certManagement: {{enable: false}}
"""


def pods_of(job, role, container="main"):
    return {"metadata": {"labels": {"slaq.io/job": job, "slaq.io/role": role}},
            "spec": {"restartPolicy": "Never", "containers": [
                {"name": container, "image": "trainer:1", "resources": {"requests": {"cpu": "1"}}}]}}


RAY_CLUSTER = {"rayVersion": "2.52.0", "headGroupSpec": {"rayStartParams": {}, "template": pods_of("t", "driver")},
               "workerGroupSpecs": [{"groupName": "cpus", "replicas": 2, "minReplicas": 1, "maxReplicas": 8, "rayStartParams": {},
                                     "template": pods_of("t", "worker")}]}


class Operators(Operated, Rows):
    def train(self, scenario, name):
        scenario.node.trainings[name] = Training(100000, ITERATIONS_A_SECOND, lambda k: 0.2 + math.exp(-k / 60), SAMPLE_SECONDS)

    def name(self, scenario, api_version, kind, **group):
        """Makes the TrainingJob that names the object "t" of this kind."""
        scenario.create("t", {"workers": {"maxReplicas": 8, "targetRef": {
            "apiVersion": api_version, "kind": kind, "name": "t", **group}}})

    def operate_configured(self, scenario, operator, manifest, group, asked, package="", more=""):
        """Starts an operator that reads CONFIGURATION, in the API group `group`, with these `more` lines. `asked` has the plurals
        of the objects about whose changes the API server asks it, with more fields of the webhooks."""
        name = operator[0].rsplit("/", 1)[-1]
        port, certificates, file = free_port(), scenario.folder / f"{name}-certificates", scenario.folder / f"{name}.yaml"
        file.write_text(CONFIGURATION.format(group=group, port=port, certificates=certificates) + more)
        self.ask_all(scenario, operator, name, manifest, port, certify(certificates), asked)
        self.wait_until_open(scenario, self.operate(scenario, built(operator, package), f"--config={file}"), port)

    def ask_all(self, scenario, operator, name, manifest, port, trusted, asked):
        """As ask_webhooks(), for all plurals."""
        for plural, limits in asked.items():
            self.ask_webhooks(scenario, module(operator) / manifest, plural,
                              lambda each, plural=plural: f"{name}-{plural}-{each['kind'].lower()}",
                              lambda path: {"url": f"https://127.0.0.1:{port}{path}", "caBundle": trusted}, **limits)

    def operate_trainer(self, scenario):
        for plural in ("clustertrainingruntimes", "trainingruntimes", "trainjobs"):
            define(TRAINER, f"manifests/base/crds/trainer.kubeflow.org_{plural}.yaml")
        port, certificates, file = free_port(), scenario.folder / "trainer-certificates", scenario.folder / "trainer.yaml"
        file.write_text(TRAINER_CONFIGURATION.format(port=port))
        own = {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": scenario.namespace}}}
        self.ask_all(scenario, TRAINER, "trainer", "manifests/base/webhook/manifests.yaml", port, certify(certificates),
                     {"trainjobs": own})
        trainer = self.operate(scenario, built(TRAINER, "/cmd/trainer-controller-manager"), f"--config={file}",
                               mounted="/tmp/k8s-webhook-server", mounts=(("serving-certs", certificates),))
        self.wait_until_open(scenario, trainer, port)

    def ray(self, kind):
        """A scenario with KubeRay, whose objects of this kind slaq sizes, and the path of its objects."""
        scenario = self.scenario(capacity=6)
        self.operate_ray(scenario)
        scenario.started(targets=kind)
        self.train(scenario, "t")
        return scenario, f"/apis/ray.io/v1/namespaces/{scenario.namespace}"

    def follows(self, scenario, path, kind, sizes, most=5, end=None):
        """The target has `most` of the six cores, gives some to another job, and has them again; `sizes` takes its sizes
        out of its specification. Then it is deleted, or else `end` ends it."""
        before = scenario.api.get(path)["spec"]
        scenario.wait("it has what its other pods leave", lambda: scenario.status("t").get("readyReplicas") == most)
        scenario.apply("a", iterations=60)
        scenario.wait("it gives some to the other",
                      lambda: scenario.workers("a") >= 1 and scenario.status("t")["readyReplicas"] < most)
        scenario.wait("the other is done", lambda: scenario.state("a") == "Complete")
        scenario.wait("it has them again", lambda: scenario.status("t").get("readyReplicas") == most)
        after = scenario.api.get(path)["spec"]
        self.assertEqual(sizes(after), {most})
        self.assertEqual(sizes(before), {2})
        self.assertEqual(before, after)
        self.assertEqual({each.split("/")[0] for each in scenario.writes() if "/t" in each}, {f"PATCH {kind}"}, scenario.report())
        if end:
            return end()
        scenario.api.delete(path)
        ready = lambda: scenario.condition("t", "Ready").get("message", "")
        scenario.wait("it says that its target is gone", lambda: "there is no " in ready())

    def test_a_jobset_is_sized_by_its_group_of_workers(self):
        define(JOBSET, "config/components/crd/bases")
        scenario = self.scenario(capacity=6)
        self.operate_configured(scenario, JOBSET, "config/components/webhook/manifests.yaml", "jobset.x-k8s.io",
                                {"jobsets": {}}, more="featureGates: {ElasticJobSet: true}\n")
        scenario.started(targets="JobSet")
        self.train(scenario, "t")
        replicated = lambda name, role, size: {"name": name, "replicas": 1, "template": {"spec": {
            "completionMode": "Indexed", "parallelism": size, "completions": size, "template": pods_of("t", role)}}}
        path = f"/apis/jobset.x-k8s.io/v1alpha2/namespaces/{scenario.namespace}/jobsets"
        scenario.api.create(path, {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": {"name": "t"}, "spec": {
            "replicatedJobs": [replicated("leader", "driver", 1), replicated("workers", "worker", 2)]}})
        self.name(scenario, "jobset.x-k8s.io/v1alpha2", "JobSet", group="workers")

        def sizes(spec):
            job = spec["replicatedJobs"][1]["template"]["spec"]
            return {job.pop("parallelism"), job.pop("completions")}

        self.follows(scenario, f"{path}/t", "jobsets", sizes)

    def test_a_trainjob_shows_its_loss_and_keeps_its_size(self):
        """Trainer makes the JobSet. What its status server writes is written here: it knows pods by tokens of an issuer that
        answers under its own name, as the API server of the tests does not."""
        define(JOBSET, "config/components/crd/bases")
        scenario = self.scenario(capacity=6)
        self.operate_configured(scenario, JOBSET, "config/components/webhook/manifests.yaml", "jobset.x-k8s.io", {"jobsets": {}})
        self.operate_trainer(scenario)
        scenario.started(targets="TrainJob")
        version, base = "trainer.kubeflow.org/v1alpha1", f"/apis/trainer.kubeflow.org/v1alpha1/namespaces/{scenario.namespace}"
        pods = pods_of("t", "worker", container="node")
        labels = pods.pop("metadata")
        scenario.api.create(f"{base}/trainingruntimes", {
            "apiVersion": version, "kind": "TrainingRuntime",
            "metadata": {"name": "torch", "labels": {"trainer.kubeflow.org/framework": "torch"}},
            "spec": {"mlPolicy": {"numNodes": 1, "torch": {}}, "template": {"spec": {"replicatedJobs": [
                {"name": "node", "template": {"metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
                                              "spec": {"template": pods}}}]}}}})
        path = f"{base}/trainjobs"
        scenario.api.create(path, {"apiVersion": version, "kind": "TrainJob", "metadata": {"name": "t"}, "spec": {
            "runtimeRef": {"name": "torch", "kind": "TrainingRuntime", "apiGroup": "trainer.kubeflow.org"},
            "trainer": {"numNodes": 3}, "runtimePatches": [{"manager": "slaq.io/label", "trainingRuntimeSpec": {"template": {
                "spec": {"replicatedJobs": [{"name": "node", "template": {"spec": {"template": {"metadata": labels}}}}]}}}}]}})
        before = scenario.api.get(f"{path}/t")["spec"]
        self.name(scenario, version, "TrainJob")
        scenario.wait("its workers run", lambda: scenario.status("t").get("readyReplicas") == 3)
        scenario.apply("a", iterations=300)
        scenario.wait("another job has what it leaves", lambda: scenario.workers("a") == 2)
        loss = lambda step: 0.2 + math.exp(-step / 30)
        steps = itertools.count()

        def posted():
            """One more step; what slaq shows of the training."""
            step = next(steps)
            scenario.api.patch(f"{path}/t/status", {"status": {"trainerStatus": {
                "lastUpdatedTime": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "progressPercentage": 0,
                "metrics": [{"name": "loss", "value": str(loss(step))}, {"name": "current_step", "value": str(step)}]}}})
            time.sleep(1)  # times in statuses have whole seconds
            return scenario.status("t").get("progress", {})

        scenario.wait("slaq forecasts its loss", lambda: "forecastFinalLoss" in posted())
        shown = posted()
        self.assertAlmostEqual(float(shown["loss"]), loss(shown["iteration"]), 3)
        self.assertEqual(scenario.condition("t", "MetricsAvailable")["status"], "True")
        self.assertEqual(before, scenario.api.get(f"{path}/t")["spec"])
        self.assertEqual([each for each in scenario.writes() if "/t" in each], [], scenario.report())
        scenario.api.delete(f"{path}/t")
        scenario.wait("it says that its target is gone",
                      lambda: "there is no TrainJob" in scenario.condition("t", "Ready").get("message", ""))

    def test_a_leaderworkerset_is_sized_by_groups_of_pods(self):
        define(LEADER_WORKER_SET, "config/crd/bases")
        scenario = self.scenario(capacity=6)
        own = {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": scenario.namespace}},
               "objectSelector": {"matchExpressions": [{"key": "leaderworkerset.sigs.k8s.io/name", "operator": "Exists"}]}}
        self.operate_configured(scenario, LEADER_WORKER_SET, "config/webhook/manifests.yaml",
                                "lws.x-k8s.io", {"leaderworkersets": {}, "pods": own},
                                package="/cmd")
        scenario.started(targets="LeaderWorkerSet")
        self.train(scenario, "t")
        driver = pods_of("t", "driver")
        driver["spec"]["containers"][0]["resources"] = {"requests": {"cpu": "0"}}
        scenario.api.create(f"/api/v1/namespaces/{scenario.namespace}/pods",
                            {**driver, "metadata": {**driver["metadata"], "name": "t-driver"}})
        path = f"/apis/leaderworkerset.x-k8s.io/v1/namespaces/{scenario.namespace}/leaderworkersets"
        pods = pods_of("t", "worker")
        pods["spec"].pop("restartPolicy")
        scenario.api.create(path, {"apiVersion": "leaderworkerset.x-k8s.io/v1", "kind": "LeaderWorkerSet", "metadata": {"name": "t"},
                                   "spec": {"replicas": 2, "leaderWorkerTemplate": {"size": 2, "workerTemplate": pods}}})
        self.name(scenario, "leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet")
        self.follows(scenario, f"{path}/t", "leaderworkersets", lambda spec: {spec.pop("replicas")}, most=3)

    def test_a_raycluster_is_sized_by_its_group_of_workers(self):
        scenario, base = self.ray("RayCluster")
        scenario.api.create(f"{base}/rayclusters", {"apiVersion": "ray.io/v1", "kind": "RayCluster", "metadata": {"name": "t"},
                                                    "spec": RAY_CLUSTER})
        self.name(scenario, "ray.io/v1", "RayCluster")
        self.follows(scenario, f"{base}/rayclusters/t", "rayclusters",
                     lambda spec: {spec["workerGroupSpecs"][0].pop("replicas")})

    def test_the_cluster_of_a_rayjob_is_sized(self):
        """KubeRay makes it, by a name of its own, and leaves its size alone. The TrainingJob ends with the RayJob."""
        scenario, base = self.ray("RayJob")
        scenario.api.create(f"{base}/rayjobs", {"apiVersion": "ray.io/v1", "kind": "RayJob", "metadata": {"name": "t"}, "spec": {
            "entrypoint": "python train.py", "rayClusterSpec": RAY_CLUSTER}})
        clusters = lambda: scenario.api.items(f"{base}/rayclusters")
        scenario.wait("it has a cluster", clusters)
        path = f"{base}/rayclusters/{clusters()[0]['metadata']['name']}"
        self.assertNotEqual(path, f"{base}/rayclusters/t")
        self.name(scenario, "ray.io/v1", "RayJob")
        self.follows(scenario, path, "rayclusters", lambda spec: {spec["workerGroupSpecs"][0].pop("replicas")},
                     end=lambda: scenario.api.patch(f"{base}/rayjobs/t", {"spec": {"activeDeadlineSeconds": 1}}))
        scenario.wait("it has failed with it", lambda: scenario.state("t") == "Failed")
        self.assertIn("activeDeadlineSeconds", scenario.condition("t", "Failed")["message"])

    def test_an_elastic_pytorchjob_is_sized(self):
        define(TRAINING_OPERATOR, "manifests/base/crds/kubeflow.org_pytorchjobs.yaml")
        scenario = self.scenario(capacity=6)
        port = free_port()
        # It makes its certificate by itself, for the name of its service, which the API server can't resolve here. So the
        # API server asks it about objects of another kind alone.
        scenario.api.create(f"/api/v1/namespaces/{scenario.namespace}/secrets",
                            {"metadata": {"name": "training-operator-webhook-cert"}})
        self.ask_webhooks(scenario, module(TRAINING_OPERATOR) / "manifests/base/webhook/manifests.yaml", "jaxjobs",
                          lambda each: "validator.training-operator.kubeflow.org",
                          lambda path: {"url": f"https://127.0.0.1:{port}{path}"})
        operator = self.operate(scenario, built(TRAINING_OPERATOR, "/cmd/training-operator.v1"),
                                f"--namespace={scenario.namespace}", "--enable-scheme=pytorchjob",
                                "--metrics-bind-address=0", "--health-probe-bind-address=0",
                                f"--webhook-server-port={port}", mounted="/tmp/k8s-webhook-server",
                                MY_POD_NAMESPACE=scenario.namespace)
        self.mount_secret(scenario, "training-operator-webhook-cert", scenario.folder / "mounted/serving-certs")
        self.wait_until_open(scenario, operator, port)
        scenario.started(targets="PyTorchJob")
        self.train(scenario, "t")
        path = f"/apis/kubeflow.org/v1/namespaces/{scenario.namespace}/pytorchjobs"
        scenario.api.create(path, {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": {"name": "t"}, "spec": {
            "elasticPolicy": {"minReplicas": 1, "maxReplicas": 4, "rdzvBackend": "c10d"},
            "pytorchReplicaSpecs": {"Worker": {"replicas": 2, "restartPolicy": "OnFailure",
                                               "template": pods_of("t", "worker", "pytorch")}}}})
        self.name(scenario, "kubeflow.org/v1", "PyTorchJob")
        # Its own policy allows four workers.
        self.follows(scenario, f"{path}/t", "pytorchjobs",
                     lambda spec: {spec["pytorchReplicaSpecs"]["Worker"].pop("replicas")}, most=4)


if __name__ == "__main__":
    main()
