#include "kube/objects/children.h"

#include <gmock/gmock.h>

#include "kube/json/json_fields.h"
#include "kube/support/jobs.h"
#include "kube/support/json.h"

namespace slaq::kube::objects {
namespace {

using json::at;
using json::intAt;
using json::stringAt;

std::string value(const rapidjson::Value& container, const std::string& name) {
  std::string found = "(none)";
  for (const auto& each : container["env"].GetArray()) {
    if (stringAt(each, {"name"}) == name) found = stringAt(each, {"value"});
  }
  return found;
}

TEST(Children, AreNeverCountedBelowZero) {
  const auto child =
      readChild(jsonOf("{'spec':{'parallelism':-1},'status':{'active':-2147483648,'terminating':-5}}"));
  EXPECT_EQ(child.parallelism, Workers(0));
  EXPECT_EQ(child.active, Workers(0));
  EXPECT_EQ(coresHeld(child), Cores());
}

TEST(Children, TheServiceGivesEveryPodAName) {
  EXPECT_EQ(pretty(parse(serviceBody(trainingJob()))), R"({
 "apiVersion": "v1",
 "kind": "Service",
 "metadata": {
  "name": "logreg",
  "namespace": "team-a",
  "labels": {
   "slaq.io/job": "logreg"
  },
  )" + kPrettyOwners + R"(
 },
 "spec": {
  "clusterIP": "None",
  "publishNotReadyAddresses": true,
  "selector": {
   "slaq.io/job": "logreg",
   "slaq.io/job-uid": "uid-1"
  }
 }
})");
}

TEST(Children, TheWorkersAreAnElasticIndexedJob) {
  EXPECT_EQ(pretty(parse(workersBody(trainingJob(), Workers(3)))), R"~({
 "apiVersion": "batch/v1",
 "kind": "Job",
 "metadata": {
  "name": "logreg-workers",
  "namespace": "team-a",
  "labels": {
   "slaq.io/job": "logreg",
   "slaq.io/role": "worker",
   "slaq.io/job-uid": "uid-1"
  },
  )~" + kPrettyOwners + R"~(
 },
 "spec": {
  "completionMode": "Indexed",
  "parallelism": 3,
  "completions": 3,
  "backoffLimit": 2147483647,
  "podFailurePolicy": {
   "rules": [{
     "action": "Ignore",
     "onPodConditions": [{
       "type": "DisruptionTarget",
       "status": "True"
      }]
    }, {
     "action": "Ignore",
     "onExitCodes": {
      "operator": "In",
      "values": [143]
     }
    }]
  },
  "template": {
   "metadata": {
    "labels": {
     "team": "a",
     "slaq.io/role": "worker",
     "slaq.io/job": "logreg",
     "slaq.io/job-uid": "uid-1"
    },
    "annotations": {
     "note": "kept"
    }
   },
   "spec": {
    "restartPolicy": "Never",
    "nodeSelector": {
     "disk": "ssd"
    },
    "initContainers": [{
      "name": "fetch",
      "image": "fetch:1",
      "env": [{
        "name": "SLAQ_JOB",
        "value": "logreg"
       }, {
        "name": "SLAQ_JOB_UID",
        "value": "uid-1"
       }, {
        "name": "SLAQ_NAMESPACE",
        "value": "team-a"
       }, {
        "name": "SLAQ_DRIVER_ADDRESS",
        "value": "logreg-driver-0.logreg.team-a.svc:5000"
       }, {
        "name": "SLAQ_METRICS_PORT",
        "value": "9464"
       }, {
        "name": "SLAQ_WORKERS_MIN",
        "value": "2"
       }, {
        "name": "SLAQ_WORKERS_MAX",
        "value": "8"
       }, {
        "name": "SLAQ_WORKER_INDEX",
        "valueFrom": {
         "fieldRef": {
          "fieldPath": "metadata.annotations['batch.kubernetes.io/job-completion-index']"
         }
        }
       }]
     }],
    "containers": [{
      "name": "main",
      "image": "trainer:1",
      "env": [{
        "name": "SLAQ_JOB",
        "value": "logreg"
       }, {
        "name": "SLAQ_JOB_UID",
        "value": "uid-1"
       }, {
        "name": "SLAQ_NAMESPACE",
        "value": "team-a"
       }, {
        "name": "SLAQ_DRIVER_ADDRESS",
        "value": "logreg-driver-0.logreg.team-a.svc:5000"
       }, {
        "name": "SLAQ_WORKERS_MIN",
        "value": "2"
       }, {
        "name": "SLAQ_WORKERS_MAX",
        "value": "8"
       }, {
        "name": "SLAQ_WORKER_INDEX",
        "valueFrom": {
         "fieldRef": {
          "fieldPath": "metadata.annotations['batch.kubernetes.io/job-completion-index']"
         }
        }
       }, {
        "name": "SLAQ_METRICS_PORT",
        "value": "1234"
       }, {
        "name": "OWN",
        "value": "$(SLAQ_JOB)"
       }],
      "resources": {
       "requests": {
        "cpu": "500m"
       }
      }
     }],
    "subdomain": "logreg"
   }
  }
 }
})~");
}

TEST(Children, TheDriverIsOneCompletionWithAStableName) {
  const auto driver = parse(driverBody(trainingJob()));
  EXPECT_EQ(stringAt(driver, {"metadata", "name"}), "logreg-driver");
  EXPECT_EQ(stringAt(driver, {"metadata", "labels", kRoleLabel}), "driver");
  EXPECT_EQ(intAt(driver, {"spec", "completions"}), 1);
  EXPECT_EQ(intAt(driver, {"spec", "parallelism"}), 1);
  EXPECT_EQ(stringAt(driver, {"spec", "completionMode"}), "Indexed");
  EXPECT_EQ(at(driver, {"spec", "successPolicy"}), nullptr);
  const auto& pod = driver["spec"]["template"];
  EXPECT_EQ(stringAt(pod, {"spec", "subdomain"}), "logreg");
  EXPECT_EQ(stringAt(pod, {"spec", "restartPolicy"}), "Never");
  EXPECT_EQ(value(pod["spec"]["containers"][0], "SLAQ_METRICS_PORT"), "9464");
  EXPECT_EQ(value(pod["spec"]["containers"][0], "SLAQ_WORKER_INDEX"), "(none)");
}

TEST(Children, WithoutADriverWorkerZeroIsTheChiefAndItsSuccessEndsAll) {
  const auto workers = parse(workersBody(trainingJob(false), Workers(2)));
  EXPECT_EQ(pretty(workers["spec"]["successPolicy"]), R"({
 "rules": [{
   "succeededIndexes": "0"
  }]
})");
  const auto& main = workers["spec"]["template"]["spec"]["containers"][0];
  EXPECT_EQ(value(main, "SLAQ_DRIVER_ADDRESS"), "logreg-workers-0.logreg.team-a.svc:7070");
}

TEST(Children, ScalingIsOnePatchOfBothNumbersWithPreconditions) {
  ChildJob child;
  child.uid = "u";
  child.resourceVersion = "9";
  EXPECT_EQ(patchBody(child, {.suspended = {}, .count = Workers(5)}),
            R"({"metadata":{"uid":"u","resourceVersion":"9"},"spec":{"parallelism":5,"completions":5}})");
  EXPECT_EQ(patchBody(child, {.suspended = true, .count = {}}),
            R"({"metadata":{"uid":"u","resourceVersion":"9"},"spec":{"suspend":true}})");
}

TEST(Children, AGoalIsReachedOnlyWhenBothNumbersAre) {
  ChildJob child;
  child.parallelism = Workers(5);
  child.completions = Workers(4);
  EXPECT_FALSE(reached(child, {.suspended = {}, .count = Workers(5)}));
  child.completions = Workers(5);
  EXPECT_TRUE(reached(child, {.suspended = false, .count = Workers(5)}));
  EXPECT_FALSE(reached(child, {.suspended = true, .count = {}}));
}

TEST(Children, AreCreatedWithTheLabelsAndAnnotationsOfTheirOwner) {
  auto job = parse(jobText());
  const auto set = [&](const char* field, const char* values) {
    rapidjson::Value parsed;
    parsed.CopyFrom(jsonOf(values), job.GetAllocator());
    job["metadata"].AddMember(rapidjson::StringRef(field), std::move(parsed), job.GetAllocator());
  };
  set("labels",
      "{'cost-center':'7','example.com/team':'a','kueue.x-k8s.io/queue-name':'q',"
      "'app.kubernetes.io/instance':'argo','slaq.io/job':'impostor'}");
  set("annotations",
      "{'note':'mine','kubectl.kubernetes.io/last-applied-configuration':'{}',"
      "'argocd.argoproj.io/tracking-id':'x','kustomize.toolkit.fluxcd.io/prune':'x','meta.helm.sh/"
      "release-name':'r'}");
  const TrainingJob whole = objects::wholeJob(objects::readStoredJob(job));
  const std::string workers = workersBody(whole, Workers(2), Cores(500));
  for (const std::string& body : {serviceBody(whole), driverBody(whole), workers}) {
    const auto document = parse(body);
    const auto& metadata = document["metadata"];
    const auto& labels = metadata["labels"];
    EXPECT_EQ(stringAt(labels, {"cost-center"}), "7");
    EXPECT_EQ(stringAt(labels, {"example.com/team"}), "a");
    EXPECT_EQ(stringAt(labels, {"slaq.io/job"}), "logreg");
    EXPECT_FALSE(labels.HasMember("kueue.x-k8s.io/queue-name"));
    EXPECT_FALSE(labels.HasMember("app.kubernetes.io/instance"));
    EXPECT_EQ(stringAt(metadata["annotations"], {"note"}), "mine");
    EXPECT_EQ(metadata["annotations"].MemberCount(), body == workers ? 2u : 1u);
  }
}

TEST(Children, StartAProgramWithoutMetricsThroughSlaqReport) {
  auto job = trainingJob(false);
  job.spec.loss.from = LossFrom{.metric = "val_loss"};
  job.spec.workers.pod.document = quoted(
      "{'spec':{'containers':[{'name':'main','image':'mine','command':['python','train.py'],'args':['--lr']}]"
      ","
      "'volumes':[{'name':'data','emptyDir':{}}]}}");
  job.spec.workers.pod.containers = {{.name = "main", .image = "mine", .command = {"python", "train.py"}}};
  const auto body = parse(workersBody(job, Workers(2), {}, "slaq:1"));
  const auto& spec = body["spec"]["template"]["spec"];
  const auto& container = spec["containers"][0];
  EXPECT_EQ(pretty(container["command"]),
            pretty(parse(quoted("['/slaq/slaq-report','--metric','val_loss','--','python','train.py']"))));
  EXPECT_EQ(pretty(container["args"]), pretty(parse(quoted("['--lr']"))));
  EXPECT_EQ(pretty(container["ports"]), pretty(parse(quoted("[{'name':'metrics','containerPort':9464}]"))));
  EXPECT_EQ(pretty(container["volumeMounts"]),
            pretty(parse(quoted("[{'name':'slaq-report','mountPath':'/slaq','readOnly':true}]"))));
  const auto& init = spec["initContainers"][0];
  EXPECT_STREQ(init["image"].GetString(), "slaq:1");
  EXPECT_EQ(pretty(init["command"]),
            pretty(parse(quoted("['/usr/local/bin/slaq-report','--install','/slaq']"))));
  EXPECT_EQ(spec["volumes"].Size(), 2u);
}

TEST(Children, ArePlacedAnewByThePartsOfTheTemplateThatDiffer) {
  const auto job = jsonOf(
      "{'spec':{'template':{'metadata':{'annotations':{'request':'old'},'labels':{'controller-uid':'u'}},'"
      "spec':{"
      "'nodeSelector':{'pool':'a'},'tolerations':[{'key':'gpu'}],'containers':[]}}}}");
  const auto body = [](const std::string& annotations, const std::string& spec) {
    return quoted("{'spec':{'template':{'metadata':{'annotations':" + annotations + "},'spec':{" + spec +
                  "}}}}");
  };
  const std::string as = "'nodeSelector':{'pool':'a'},'tolerations':[{'key':'gpu'}]";
  EXPECT_EQ(placementPatch(job, body("{'request':'old'}", as)), "");
  EXPECT_EQ(placementPatch(job, body("{'request':'new'}", "'nodeSelector':{'pool':'b'}")),
            quoted("[{'op':'add','path':'/spec/template/spec/nodeSelector','value':{'pool':'b'}},"
                   "{'op':'remove','path':'/spec/template/spec/tolerations'},"
                   "{'op':'add','path':'/spec/template/metadata/annotations','value':{'request':'new'}}]"));
  const auto labelled = quoted(
      "{'spec':{'template':{'metadata':{'annotations':{'request':'old'},'labels':{'a/b':'c'}},'spec':{" + as +
      "}}}}");
  EXPECT_EQ(placementPatch(job, labelled),
            quoted("[{'op':'add','path':'/spec/template/metadata/labels/a~1b','value':'c'}]"));
}

}  // namespace
}  // namespace slaq::kube::objects
