"""What a cluster must know of TrainingJobs."""
from harness.api import HANG
from harness.progress import wait_until

JOBS = "/apis/slaq.io/v1alpha1/namespaces/default/trainingjobs?dryRun=All"
REFUSED_BY_POLICY = {"apiVersion": "slaq.io/v1alpha1", "kind": "TrainingJob", "metadata": {"name": "no-cpu"},
                     "spec": {"workers": {"maxReplicas": 1, "template": {"spec": {
                         "containers": [{"name": "a", "image": "a"}]}}}}}


def define(kubectl, api, top):
    """Until the server judges jobs by their definition and by its policy. `kubectl` runs it with arguments."""
    kubectl("apply", "-f", str(top / "crds"))
    wait_until("the server judges TrainingJobs",
               lambda: "must request CPU" in str(api.call("POST", JOBS, REFUSED_BY_POLICY)), HANG)
