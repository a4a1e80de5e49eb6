"""TrainingJobs in queues of a real Kueue: admission, growth, shrinking, borrowing, eviction."""
import collections
import json
import math
import os
import pathlib
import random
import secrets
import sys
import time

import yaml

from harness.control_plane import FOLDER
from harness.operators import Operated, built, certify, define, free_port, kubectl, module
from harness.node import Training
from rows import Rows, main
from scenario import ITERATIONS_A_SECOND, SAMPLE_SECONDS, Observer, cores_of

KUEUE = ("sigs.k8s.io/kueue", "v0.19.2")
VERSION = "kueue.x-k8s.io/v1beta2"
API = f"/apis/{VERSION}"
SYSTEM = "kueue-system"
FRAMEWORK = "TrainingJob.v1alpha1.slaq.io"


def quota(nominal, **limits):
    return {"name": "cpu", "nominalQuota": str(nominal), **{key: str(value) for key, value in limits.items()}}


def replaced_by(workload):
    """The name of the Workload that this one replaces; empty if there is none."""
    annotations = workload["metadata"].get("annotations", {})
    return annotations.get("kueue.x-k8s.io/workload-slice-replacement-for", "").rpartition("/")[2]


class QuotaObserver(Observer):
    """Whether the pods of each training are within the quota that Kueue counts for it, and all of that within what there
    is."""

    def __init__(self, kueue, scenario, nominal):
        self.kueue, self.scenario, self.nominal = kueue, scenario, nominal
        super().__init__(seconds=0.2)

    def counted(self):
        """The Workloads for which Kueue has reserved cores. Kueue counts a Workload and the one that it replaces as one, and
        may not have finished the latter yet."""
        reserved = {each["metadata"]["name"]: each for each in self.kueue.workloads(self.scenario)
                    if each.get("status", {}).get("admission")}
        for each in list(reserved.values()):
            reserved.pop(replaced_by(each), None)
        return list(reserved.values())

    @staticmethod
    def cores(workload):
        """As Kueue counts them: a size that was raised while Kueue admitted it is not reserved."""
        reserved = {each["name"]: each["count"] for each in workload["status"]["admission"]["podSetAssignments"]}
        return sum(min(pods["count"], reserved[pods["name"]]) for pods in workload["spec"]["podSets"])

    def by_job(self, workloads):
        """The cores that Kueue has reserved, by the uid of the job."""
        sums = collections.Counter()
        for each in workloads:
            sums[self.kueue.owner(each)] += self.cores(each)
        return sums

    def look(self):
        before = self.by_job(self.counted())
        held = collections.Counter()
        for pod in self.scenario.api.items(f"/api/v1/namespaces/{self.scenario.namespace}/pods"):
            if pod["status"].get("phase") in ("Pending", "Running") and "slaq.io/job-uid" in pod["metadata"]["labels"]:
                held[pod["metadata"]["labels"]["slaq.io/job-uid"]] += cores_of(pod)
        counted = self.counted()
        after = self.by_job(counted)
        for uid, cores in held.items():
            # Quota comes before pods and goes after them.
            if cores > max(before[uid], after[uid]):
                self.violations.append(f"{uid} has {cores} cores, and a quota of {before[uid]}, {after[uid]}")
        if after.total() > self.nominal:
            self.violations.append(f"{after.total()} cores are reserved of {self.nominal}: {json.dumps(counted)}")


class Kueue(Operated, Rows):
    def setUp(self):
        self.run_id = secrets.token_hex(4)
        self.flavors = set()

    # Installation

    def installed(self, scenario, framework="batch/job", jobs="jobs", gates=""):
        """Kueue with the rights and webhooks of its own manifests. Beside TrainingJobs it manages objects of one kind, and
        those of this scenario's namespace only."""
        define(KUEUE, "config/components/crd/bases")
        port, health = free_port(), free_port()
        certificates = scenario.folder / "certificates"
        trusted = certify(certificates)
        for plural in (jobs, "workloads", "clusterqueues", "localqueues", "resourceflavors"):
            self.ask_webhooks(scenario, module(KUEUE) / "config/components/webhook/manifests.yaml", plural,
                              lambda each, plural=plural: f"kueue-{plural}-{each['kind'].lower()}",
                              lambda path: {"url": f"https://127.0.0.1:{port}{path}", "caBundle": trusted},
                              **({"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": scenario.namespace}}}
                                 if plural == jobs else {}))
        configuration = scenario.folder / "kueue.yaml"
        configuration.write_text(yaml.safe_dump({
            "apiVersion": "config.kueue.x-k8s.io/v1beta2", "kind": "Configuration", "namespace": SYSTEM,
            "health": {"healthProbeBindAddress": f"127.0.0.1:{health}"}, "metrics": {"bindAddress": "0"},
            "webhook": {"port": port, "certDir": str(certificates)}, "leaderElection": {"leaderElect": False},
            "internalCertManagement": {"enable": False},
            "integrations": {"frameworks": [framework], "externalFrameworks": [FRAMEWORK]}}))
        kueue = self.operate(scenario, built(KUEUE, "/cmd/kueue"), f"--config={configuration}",
                             f"--kubeconfig={self.account(scenario)}", f"--feature-gates=VisibilityOnDemand=false{gates}",
                             mounted="/etc/kueue", mounts=(("metrics/certs", certificates),))
        self.wait_until_open(scenario, kueue, port, health)

    def account(self, scenario):
        """A kubeconfig with the rights that Kueue's manifests give it, and the one that docs/kueue.md adds."""
        scenario.api.call("POST", "/api/v1/namespaces", {"metadata": {"name": SYSTEM}})
        scenario.api.call("POST", f"/api/v1/namespaces/{SYSTEM}/serviceaccounts",
                          {"metadata": {"name": "kueue-controller-manager"}})
        roles = [role for file in ("role", "manager_secrets_role", "manager_clusterprofiles_role") for role in
                 yaml.safe_load_all((module(KUEUE) / f"config/components/rbac/{file}.yaml").read_text())]
        roles.append({"kind": "ClusterRole", "metadata": {"name": "trainingjobs"}, "rules": [
            {"apiGroups": ["slaq.io"], "resources": ["trainingjobs"], "verbs": ["get", "list", "watch"]}]})
        for role in roles:
            self.grant(scenario, role["kind"], f"kueue-{role['metadata']['name']}", role["rules"])
        token = kubectl("-n", SYSTEM, "create", "token", "kueue-controller-manager", "--duration=2h").strip()
        config = yaml.safe_load((pathlib.Path(FOLDER) / "kubeconfig/admin").read_text())
        config["users"][0]["user"] = {"token": token}
        path = scenario.folder / "kueue.kubeconfig"
        path.write_text(yaml.safe_dump(config))
        return path

    @staticmethod
    def grant(scenario, kind, name, rules):
        """Gives Kueue's service account a ClusterRole, or a Role in its namespace."""
        group = "rbac.authorization.k8s.io"
        base = f"/apis/{group}/v1" + ("" if kind == "ClusterRole" else f"/namespaces/{SYSTEM}")
        scenario.api.call("POST", f"{base}/{kind.lower()}s", {"metadata": {"name": name}, "rules": rules})
        scenario.api.call("POST", f"{base}/{kind.lower()}bindings", {
            "metadata": {"name": name}, "roleRef": {"apiGroup": group, "kind": kind, "name": name},
            "subjects": [{"kind": "ServiceAccount", "name": "kueue-controller-manager", "namespace": SYSTEM}]})

    # Queues

    def queue(self, scenario, name, flavors, cohort="", **spec):
        """A ClusterQueue, and a LocalQueue of the same name that leads to it. `flavors` has the quota of each."""
        full = self.unique(name)
        for flavor in flavors:
            if self.unique(flavor) not in self.flavors:
                self.made(scenario, "resourceflavors", self.unique(flavor), {"nodeLabels": {"pool": flavor}})
                self.flavors.add(self.unique(flavor))
        resources = [{"name": self.unique(flavor), "resources": each if isinstance(each, list) else [each]}
                     for flavor, each in flavors.items()]
        covered = [each["name"] for each in resources[0]["resources"]]
        self.made(scenario, "clusterqueues", full, {
            "namespaceSelector": {}, **({"cohortName": self.unique(cohort)} if cohort else {}),
            "resourceGroups": [{"coveredResources": covered, "flavors": resources}], **spec})
        scenario.api.create(f"{API}/namespaces/{scenario.namespace}/localqueues", {
            "apiVersion": VERSION, "kind": "LocalQueue", "metadata": {"name": name}, "spec": {"clusterQueue": full}})

    def unique(self, name):
        """The name of an object of the whole cluster. Those of the run before go once no Workload uses them."""
        return f"{name}-{self.run_id}"

    def made(self, scenario, plural, name, spec):
        kind = {"resourceflavors": "ResourceFlavor", "clusterqueues": "ClusterQueue", "admissionchecks": "AdmissionCheck",
                "workloadpriorityclasses": "WorkloadPriorityClass"}[plural]
        body = {"apiVersion": VERSION, "kind": kind, "metadata": {"name": name}}
        scenario.api.create(f"{API}/{plural}", {**body, **({"spec": spec} if "value" not in spec else spec)})
        self.addCleanup(scenario.api.delete, f"{API}/{plural}/{name}")

    def in_queue(self, name, **labels):
        return {"kueue.x-k8s.io/queue-name": name, **labels}

    def workloads(self, scenario, job=None):
        """Those of a TrainingJob that are not over; of all if none is given."""
        owner = scenario.uids[job] if job else None
        return [each for each in scenario.api.items(f"{API}/namespaces/{scenario.namespace}/workloads")
                if not self.holds(each, "Finished") and (not job or self.owner(each) == owner)]

    @staticmethod
    def owner(workload):
        return next((each["uid"] for each in workload["metadata"].get("ownerReferences", ()) if each.get("controller")), "")

    @staticmethod
    def holds(workload, condition):
        return any(each["type"] == condition and each["status"] == "True"
                   for each in workload.get("status", {}).get("conditions", ()))

    def workloads_of(self, scenario, plain):
        """Those of a plain Job."""
        uid = scenario.child(plain)["metadata"]["uid"]
        return [each for each in self.workloads(scenario) if self.owner(each) == uid]

    def admitted(self, scenario, job):
        """The workers for which there is quota. One that replaces another has its quota, too."""
        admitted = [each for each in self.workloads(scenario, job) if self.holds(each, "Admitted")]
        replaced = {replaced_by(each) for each in admitted}
        return sum(pods["count"] for each in admitted if each["metadata"]["name"] not in replaced
                   for pods in each["spec"]["podSets"] if pods["name"] == "workers")

    def plain_job(self, scenario, name, queue, cores, priority=None):
        """A Job of Kueue's own integration."""
        labels = self.in_queue(queue, **({"kueue.x-k8s.io/priority-class": priority} if priority else {}))
        return scenario.api.create(f"/apis/batch/v1/namespaces/{scenario.namespace}/jobs", {
            "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name, "labels": labels}, "spec": {
                "parallelism": cores, "completions": cores, "suspend": True, "template": {
                    "metadata": {"labels": {"slaq.io/job": name}},
                    "spec": {"restartPolicy": "Never", "containers": [
                        {"name": "main", "image": "other:1", "resources": {"requests": {"cpu": "1"}}}]}}}})

    def is_admitted(self, scenario, plain):
        return scenario.child(plain)["spec"].get("suspend") is False

    def ready(self, scenario, job):
        return scenario.status(job).get("readyReplicas", 0)

    def message(self, scenario, job):
        return scenario.condition(job, "Ready").get("message", "")

    def evictions(self, scenario):
        return [each["message"] for each in scenario.api.items(f"/api/v1/namespaces/{scenario.namespace}/events")
                if each["involvedObject"]["kind"] == "Workload" and each["reason"].startswith("Evicted")]

    def lives(self, scenario, until):
        """Trainings and plain Jobs come and go by chance, and the controller is killed now and then."""
        chance, number, plain = random.Random(1), 0, []
        controller = scenario.controllers[0]
        while time.monotonic() < until or number < 6:
            number += 1
            kind = chance.random()
            if kind < 0.45:
                scenario.apply(f"t{number}", iterations=chance.choice((30, 60, 120)), least=chance.choice((1, 1, 2)), most=6,
                               labels=self.in_queue("training"))
            elif kind < 0.8:
                self.plain_job(scenario, f"p{number}", chance.choice(("training", "others")), chance.choice((1, 2, 3)))
                plain.append(f"p{number}")
            if len(plain) > 2 or (plain and kind > 0.8):
                scenario.api.delete(f"/apis/batch/v1/namespaces/{scenario.namespace}/jobs/{plain.pop(0)}")
            if kind > 0.92:
                controller.kill()
                controller.start()
            time.sleep(chance.uniform(0.5, 4))
            running = [job for job in scenario.uids if scenario.state(job) not in ("Complete", "Failed")]
            if len(running) > 4:
                time.sleep(3)
        for each in plain:
            scenario.api.delete(f"/apis/batch/v1/namespaces/{scenario.namespace}/jobs/{each}")

    # Tests

    def test_quota_is_never_exceeded_by_jobs_of_both_kinds(self):
        """SLAQ_KUEUE_MINUTES makes it a soak."""
        scenario = self.scenario(capacity=12)
        self.installed(scenario)
        self.queue(scenario, "training", {"cpu": quota(7)}, cohort="all")
        self.queue(scenario, "others", {"cpu": quota(5)}, cohort="all")
        scenario.started(kueue="true")
        observer = QuotaObserver(self, scenario, 12)
        self.addCleanup(observer.close)
        self.lives(scenario, time.monotonic() + 60 * float(os.environ.get("SLAQ_KUEUE_MINUTES", "0.5")))
        scenario.wait("all trainings are complete",
                      lambda: all(scenario.state(job) == "Complete" for job in scenario.uids))
        scenario.wait("no quota is held", lambda: not self.workloads(scenario))
        observer.close()
        self.assertEqual(observer.violations, [], scenario.report())
        self.assertGreater(observer.looks, 20, observer.failed[:3])
        self.assertEqual(self.evictions(scenario), [])
        print(f"{len(scenario.uids)} trainings, {observer.looks} looks", file=sys.stderr)

    def test_jobs_of_one_queue_share_its_quota_and_give_it_back(self):
        scenario = self.scenario(capacity=20)
        self.installed(scenario)
        self.queue(scenario, "q", {"cpu": quota(6)})
        scenario.started(kueue="true")
        scenario.apply("a", iterations=100000, labels=self.in_queue("q"))
        scenario.wait("it has the whole quota", lambda: self.ready(scenario, "a") == 5)
        self.assertEqual(self.admitted(scenario, "a"), 5)
        scenario.apply("b", iterations=60, labels=self.in_queue("q"))
        scenario.wait("they share", lambda: self.ready(scenario, "b") >= 1)
        self.assertLessEqual(self.admitted(scenario, "a") + self.admitted(scenario, "b"), 4)
        scenario.wait("the second is done", lambda: scenario.state("b") == "Complete")
        scenario.wait("its quota is free", lambda: not self.workloads(scenario, "b"))
        scenario.wait("the first has it again", lambda: self.ready(scenario, "a") == 5)
        self.assertEqual(self.evictions(scenario), [])
        scenario.api.patch(f"{scenario.jobs_path}/a", {"spec": {"suspend": True}})
        scenario.wait("a suspended job has no quota", lambda: not self.workloads(scenario, "a"))
        scenario.api.patch(f"{scenario.jobs_path}/a", {"spec": {"suspend": False}})
        scenario.wait("it has it again", lambda: self.ready(scenario, "a") == 5)
        scenario.wait("its Workload is ready", lambda: self.holds(self.workloads(scenario, "a")[0], "PodsReady"))

    def test_borrowed_quota_is_given_back_without_an_eviction(self):
        """What users ask of Kueue, in one story: a running job takes idle quota of its cohort by itself (kueue#9891), shrinks
        for a Workload whose quota it has borrowed, in place of being evicted (kueue#975), and that quota is free only when
        the pods are gone (kueue#14799, the observer)."""
        scenario = self.scenario(capacity=20)
        self.installed(scenario)
        self.queue(scenario, "training", {"cpu": quota(5)}, cohort="all")
        self.queue(scenario, "others", {"cpu": quota(3)}, cohort="all")
        scenario.started(kueue="true")
        observer = QuotaObserver(self, scenario, 8)
        self.addCleanup(observer.close)
        scenario.apply("a", iterations=100000, labels=self.in_queue("training"))
        scenario.wait("it borrows what the others leave", lambda: self.ready(scenario, "a") == 7)
        self.plain_job(scenario, "plain", "others", 3)
        scenario.wait("the other waits in its queue", lambda: self.workloads_of(scenario, "plain"))
        first = scenario.epochs()
        # In the first epoch that sees the other: Queueing.JobsShrinkForOthersThatWaitForTheirQuota.
        scenario.wait("slaq shrinks the training", lambda: scenario.workers("a") == 4)
        shrunk = scenario.epochs() - first
        scenario.wait("the other is admitted", lambda: self.is_admitted(scenario, "plain"))
        admitted = scenario.epochs() - first
        scenario.apply("b", iterations=100000, labels=self.in_queue("training"))
        scenario.wait("two trainings share what is theirs", lambda: self.ready(scenario, "b") >= 1)
        self.assertLessEqual(sum(self.admitted(scenario, job) for job in "ab"), 3)
        self.assertTrue(self.is_admitted(scenario, "plain"))
        scenario.api.delete(f"/apis/batch/v1/namespaces/{scenario.namespace}/jobs/plain")
        scenario.wait("they borrow again", lambda: sum(self.ready(scenario, job) for job in "ab") == 6)
        observer.close()
        self.assertEqual(observer.violations, [], scenario.report())
        self.assertEqual(self.evictions(scenario), [])
        print(f"gave back after {shrunk} epochs, the other admitted after {admitted}", file=sys.stderr)

    def test_an_evicted_job_stops_and_comes_back_where_there_is_quota(self):
        scenario = self.scenario(capacity=20)
        self.installed(scenario)
        urgent = self.unique("urgent")
        self.made(scenario, "workloadpriorityclasses", urgent, {"value": 1000, "description": "urgent"})
        self.queue(scenario, "q", {"old": quota(4), "new": quota(3)}, preemption={"withinClusterQueue": "LowerPriority"})
        scenario.started(kueue="true")
        scenario.apply("a", iterations=100000, most=3, labels=self.in_queue("q"))
        scenario.wait("it runs", lambda: self.ready(scenario, "a") == 3)
        pools = lambda: {pod["spec"].get("nodeSelector", {}).get("pool") for pod in self.running(scenario)
                         if pod["metadata"]["labels"].get("slaq.io/job") == "a"}
        self.assertEqual(pools(), {"old"})
        self.plain_job(scenario, "plain", "q", 4, priority=urgent)
        scenario.wait("the urgent one is admitted", lambda: self.is_admitted(scenario, "plain"))
        scenario.wait("the training runs on the other nodes", lambda: self.ready(scenario, "a") == 2 and pools() == {"new"})
        self.assertTrue(self.evictions(scenario))

    def boost(self, scenario, job):
        """The largest of its Workloads, since one that is replaced is not over yet."""
        return max((int(each["metadata"]["annotations"].get("kueue.x-k8s.io/priority-boost", 0))
                    for each in self.workloads(scenario, job)), default=0)

    def test_kueue_evicts_the_job_that_loses_least(self):
        """By itself Kueue evicts the one that it admitted last."""
        scenario = self.scenario(capacity=20)
        self.installed(scenario, gates=",PriorityBoost=true")
        urgent = self.unique("urgent")
        self.made(scenario, "workloadpriorityclasses", urgent, {"value": 1000, "description": "urgent"})
        self.queue(scenario, "q", {"cpu": quota(6)}, preemption={"withinClusterQueue": "LowerPriority"})
        scenario.started(kueue="true", boost="true")
        scenario.apply("converged", iterations=100000, least=2, most=2, labels=self.in_queue("q"))
        scenario.wait("Kueue is told that it loses much", lambda: self.boost(scenario, "converged") > 7)
        scenario.wait("Kueue is told that it loses little", lambda: 0 < self.boost(scenario, "converged") < 7)
        scenario.apply("learns", iterations=100000, least=2, most=2, labels=self.in_queue("q"))
        scenario.wait("Kueue is told that the other loses more",
                      lambda: self.boost(scenario, "learns") > self.boost(scenario, "converged"))
        self.plain_job(scenario, "plain", "q", 3, priority=urgent)
        scenario.wait("the urgent one is admitted", lambda: self.is_admitted(scenario, "plain"))
        scenario.wait("one was evicted", lambda: self.evictions(scenario))
        scenario.wait("it waits", lambda: "waits in the queue q" in self.message(scenario, "converged"))
        self.assertEqual(self.boost(scenario, "converged"), 0)
        self.assertEqual(self.ready(scenario, "learns"), 2)
        self.assertEqual(len(self.evictions(scenario)), 1, self.evictions(scenario))

    def approve(self, scenario, job, number):
        """The admission checks of this Workload of the job, as the checks' controller does. A write of Kueue that comes at
        the same time can undo it, so it is called again until the Workload is admitted."""
        for each in self.workloads(scenario, job):
            checks = each.get("status", {}).get("admissionChecks", [])
            is_it = each["metadata"]["name"].endswith(f"-{number}")
            if is_it and any(check["state"] == "Pending" for check in checks):
                sets = [{"name": pods["name"], "annotations": {"checked": "yes"}} for pods in each["spec"]["podSets"]]
                scenario.api.patch(f"{API}/namespaces/{scenario.namespace}/workloads/{each['metadata']['name']}/status",
                                   {"status": {"admissionChecks": [{**check, "state": "Ready", "podSetUpdates": sets}
                                                                   for check in checks]}})

    def test_a_job_runs_on_while_its_growth_waits_for_an_admission_check(self):
        scenario = self.scenario(capacity=20)
        self.installed(scenario)
        check = self.unique("check")
        self.made(scenario, "admissionchecks", check, {"controllerName": "slaq.io/test"})
        scenario.api.patch(f"{API}/admissionchecks/{check}/status", {"status": {"conditions": [
            {"type": "Active", "status": "True", "reason": "Active", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}})
        self.queue(scenario, "q", {"cpu": quota(6)}, admissionChecksStrategy={"admissionChecks": [{"name": check}]})
        scenario.started(kueue="true")
        scenario.apply("a", iterations=100000, labels=self.in_queue("q"))
        scenario.wait("it waits for the check", lambda: "waits for the admission checks" in self.message(scenario, "a"))
        scenario.wait("it runs with its minimum",
                      lambda: self.approve(scenario, "a", 1) or self.ready(scenario, "a") == 1)
        pods = [pod["metadata"]["annotations"] for pod in self.running(scenario)]
        self.assertTrue(all(each.get("checked") == "yes" for each in pods), pods)
        grows = lambda: [each for each in self.workloads(scenario, "a") if not self.holds(each, "Admitted")]
        scenario.wait("its growth waits for the check", grows)
        scenario.settle(20)
        self.assertEqual(self.ready(scenario, "a"), 1)
        self.assertEqual(len(self.running(scenario)), 2)
        scenario.wait("it has grown", lambda: self.approve(scenario, "a", 2) or self.ready(scenario, "a") == 5)

    def test_what_happens_to_the_label_happens_to_the_quota(self):
        scenario = self.scenario(capacity=20)
        self.installed(scenario)
        self.queue(scenario, "one", {"cpu": quota(4)})
        self.queue(scenario, "two", {"cpu": quota(3)})
        scenario.started(kueue="true")
        scenario.apply("a", iterations=100000, most=5, labels=self.in_queue("one"))
        scenario.wait("it has the one", lambda: self.ready(scenario, "a") == 3)
        label = lambda value: scenario.api.patch(f"{scenario.jobs_path}/a", {"metadata": {"labels": self.in_queue(value)}})
        suspend = lambda value: scenario.api.patch(f"{scenario.jobs_path}/a", {"spec": {"suspend": value}})
        label("two")
        suspend(True)
        scenario.wait("it holds nothing", lambda: not self.workloads(scenario, "a"))
        suspend(False)
        scenario.wait("it has the other", lambda: self.ready(scenario, "a") == 2)
        label(None)
        scenario.wait("it needs none", lambda: self.ready(scenario, "a") == 5 and not self.workloads(scenario, "a"))
        label("one")
        scenario.wait("it is within a queue again", lambda: self.admitted(scenario, "a") == self.ready(scenario, "a") == 3)

    def test_a_growth_that_kueue_does_not_admit_is_withdrawn(self):
        scenario = self.scenario(capacity=20)
        self.installed(scenario)
        self.queue(scenario, "q", {"cpu": [quota(20), {"name": "memory", "nominalQuota": "3Gi"}]})
        scenario.started(kueue="true")
        pod = {"containers": [{"name": "main", "image": "trainer:1",
                               "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}]}
        scenario.apply("a", iterations=100000, most=8, workers=pod, labels=self.in_queue("q"))
        scenario.wait("it runs with its minimum", lambda: self.ready(scenario, "a") == 1)
        grows = lambda: any("kueue.x-k8s.io/workload-slice-replacement-for" in each["metadata"].get("annotations", {})
                            and not self.holds(each, "Admitted") for each in self.workloads(scenario, "a"))
        scenario.wait("it asks for more", grows)
        scenario.wait("it withdraws that", lambda: not grows())
        self.assertEqual(self.ready(scenario, "a"), 1)

    def test_an_elastic_job_of_its_own_in_a_queue_is_sized(self):
        scenario = self.scenario(capacity=8)
        self.installed(scenario)
        self.queue(scenario, "q", {"cpu": quota(6)})
        scenario.started(kueue="true", targets="Job")
        scenario.node.trainings["j"] = Training(100000, ITERATIONS_A_SECOND, lambda k: 0.2 + math.exp(-k / 60), SAMPLE_SECONDS)
        pod = lambda role: {"metadata": {"labels": {"slaq.io/job": "j", "slaq.io/role": role}}, "spec": {
            "restartPolicy": "Never", "containers": [
                {"name": "main", "image": "trainer:1", "resources": {"requests": {"cpu": "1" if role == "worker" else "0"}}}]}}
        core = f"/api/v1/namespaces/{scenario.namespace}"
        scenario.api.create(f"{core}/pods", {**pod("driver"), "metadata": {**pod("driver")["metadata"], "name": "j-driver"}})
        scenario.api.create(f"/apis/batch/v1/namespaces/{scenario.namespace}/jobs", {
            "apiVersion": "batch/v1", "kind": "Job", "metadata": {
                "name": "j", "labels": self.in_queue("q"), "annotations": {"kueue.x-k8s.io/elastic-job": "true"}},
            "spec": {"completionMode": "Indexed", "parallelism": 2, "completions": 2, "template": pod("worker")}})
        scenario.create("j", {"workers": {"maxReplicas": 8, "targetRef": {"apiVersion": "batch/v1", "kind": "Job", "name": "j"}}})
        scenario.wait("it has what its queue has", lambda: scenario.status("j").get("readyReplicas") == 6)
        scenario.api.patch(f"{scenario.jobs_path}/j", {"spec": {"workers": {"maxReplicas": 3}}})
        scenario.wait("it gives some back", lambda: scenario.child("j")["spec"]["parallelism"] == 3)
        scenario.wait("its quota is given back", lambda: sum(
            pods["count"] for each in self.workloads(scenario) for pods in each["spec"]["podSets"]) == 3)
        self.assertEqual(self.evictions(scenario), [])

    def test_an_elastic_raycluster_in_a_queue_is_sized(self):
        """By the real operators of both: KubeRay makes the pods, and Kueue holds them back until they have quota."""
        scenario = self.scenario(capacity=8)
        self.operate_ray(scenario)
        self.installed(scenario, "ray.io/raycluster", "rayclusters")
        self.queue(scenario, "q", {"cpu": quota(6)})
        scenario.started(kueue="true", targets="RayCluster")
        scenario.node.trainings["r"] = Training(100000, ITERATIONS_A_SECOND, lambda k: 0.2 + math.exp(-k / 60), SAMPLE_SECONDS)
        pods = lambda role: {"metadata": {"labels": {"slaq.io/job": "r", "slaq.io/role": role}}, "spec": {
            "containers": [{"name": "main", "image": "trainer:1", "resources": {"requests": {"cpu": "1"}}}]}}
        path = f"/apis/ray.io/v1/namespaces/{scenario.namespace}/rayclusters"
        workers = lambda: scenario.api.get(f"{path}/r")["spec"]["workerGroupSpecs"][0]["replicas"]
        scenario.api.create(path, {
            "apiVersion": "ray.io/v1", "kind": "RayCluster",
            "metadata": {"name": "r", "labels": self.in_queue("q"), "annotations": {"kueue.x-k8s.io/elastic-job": "true"}},
            "spec": {"rayVersion": "2.52.0", "headGroupSpec": {"rayStartParams": {}, "template": pods("driver")},
                     "workerGroupSpecs": [{"groupName": "cpus", "replicas": 2, "minReplicas": 1, "maxReplicas": 8,
                                           "rayStartParams": {}, "template": pods("worker")}]}})
        scenario.create("r", {"workers": {"maxReplicas": 8, "targetRef": {
            "apiVersion": "ray.io/v1", "kind": "RayCluster", "name": "r"}}})
        scenario.wait("it has what its queue has beside its head", lambda: scenario.status("r").get("readyReplicas") == 5)
        scenario.api.patch(f"{scenario.jobs_path}/r", {"spec": {"workers": {"maxReplicas": 3}}})
        scenario.wait("it gives some back", lambda: workers() == 3)
        scenario.wait("its quota is given back", lambda: sum(
            pods["count"] for each in self.workloads(scenario) for pods in each["spec"]["podSets"]) == 4)
        self.assertEqual(self.evictions(scenario), [])

    def test_a_job_that_waits_says_why(self):
        scenario = self.scenario(capacity=20)
        self.installed(scenario)
        self.queue(scenario, "q", {"cpu": quota(2)})
        scenario.started(kueue="true")
        scenario.apply("a", iterations=100000, least=3, labels=self.in_queue("q"))
        scenario.wait("Kueue's words", lambda: "insufficient quota for cpu" in self.message(scenario, "a"))
        self.assertIn("waits in the queue q of Kueue", self.message(scenario, "a"))
        scenario.apply("b", labels=self.in_queue("none"))
        scenario.wait("Kueue's words", lambda: "LocalQueue none doesn't exist" in self.message(scenario, "b"))
        self.assertEqual(scenario.child("b-workers"), None)
        scenario.apply("c", labels=self.in_queue("q", **{"kueue.x-k8s.io/priority-class": "none"}))
        scenario.wait("a missing class", lambda: "there is no WorkloadPriorityClass none" in self.message(scenario, "c"))


if __name__ == "__main__":
    main()
