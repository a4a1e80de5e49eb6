// The CRD as the API server enforces it.
#include <gmock/gmock.h>
#include <rapidjson/pointer.h>

#include <map>
#include <regex>
#include <string>

#include "kube/json/json_fields.h"
#include "kube/support/json.h"
#include "manifest/job_reader.h"
#include "manifest/object_writer.h"
#include "rig.h"

namespace slaq::kube {
namespace {

using json::boolAt;
using json::intAt;
using json::stringAt;

using testing::HasSubstr;
using testing::IsEmpty;

struct Mistake {
  const char* pointer;
  std::string value;  // JSON in single quotes; empty: the field is removed
  const char* message;
};

#define CONTAINERS "/spec/workers/template/spec/containers"
#define RESOURCES CONTAINERS "/0/resources"

const std::string kCostly = "must request CPU, such as requests: {cpu: 500m}: it is what a pod costs";
const std::string kNoQuantity = "a cpu is not a quantity of cores; write cores such as";

std::vector<Mistake> mistakes() {
  std::string seventeen;
  for (int i = 0; i < 17; ++i) {
    seventeen += std::string(i ? "," : "") + "{'name':'c" + std::to_string(i) +
                 "','image':'i','resources':{'requests':{'cpu':'1'}}}";
  }
  return {
      {"/metadata/name", "'" + std::string(46, 'a') + "'", "a letter first) of at most 45 characters"},
      {"/metadata/name", "'7b'", "a letter first) of at most 45 characters"},
      {"/metadata/name", "'a.b'", "a letter first) of at most 45 characters"},
      {"/spec", "", "spec: Required value"},
      {"/spec/weight", "0", "must be a whole number from 1 to 1000"},
      {"/spec/weight", "1001", "must be a whole number from 1 to 1000"},
      {"/spec/weight", "'5'", "must be of type integer"},
      {"/spec/suspend", "'yes'", "must be of type boolean"},
      {"/spec/workers", "", "spec.workers: Required value"},
      {"/spec/workers/minReplicas", "0", "spec.workers.minReplicas: Invalid value: must be at least 1"},
      {"/spec/workers/minReplicas", "9",
       "spec.workers.maxReplicas: Invalid value: must be at least minReplicas"},
      {"/spec/workers/maxReplicas", "", "spec.workers.maxReplicas: Required value"},
      {"/spec/replicas", "9", "must be 0 (suspended) or a number from minReplicas to maxReplicas"},
      {"/spec/replicas", "-1", "should be a non-negative integer"},
      {"/spec/workers/replicas", "9", "must be 0 (automatic) or a number from minReplicas to maxReplicas"},
      {"/spec/workers/replicas", "-1", "must be 0 (automatic) or a number from minReplicas to maxReplicas"},
      {"/spec/workers/template", "", "must be given, such as {spec: {containers: [...]}}; or targetRef"},
      {"/spec/workers/targetRef", "{'apiVersion':'apps/v1','kind':'Deployment','name':'a'}",
       "must be given, such as {spec: {containers: [...]}}; or targetRef"},
      {"/spec/workers/template/spec", "", "spec.workers.template.spec: Required value"},
      {CONTAINERS, "", "spec.workers.template.spec.containers: Required value"},
      {CONTAINERS, "[]", "must have at least one container"},
      {CONTAINERS, "[" + seventeen + "]", "must have at most 16 items"},
      {CONTAINERS "/0/image", "", "image: Required value"},
      {CONTAINERS "/0/command", "'train'", "must be of type array"},
      {RESOURCES, "", kCostly.c_str()},
      {RESOURCES, "{'requests':{'memory':'1Gi'}}", kCostly.c_str()},
      {RESOURCES, "{'requests':{'cpu':'0'}}", kCostly.c_str()},
      {RESOURCES, "{'requests':{'cpu':0},'limits':{'cpu':1}}", kCostly.c_str()},
      {RESOURCES, "{'requests':{'cpu':'two'}}", kNoQuantity.c_str()},
      {RESOURCES, "{'requests':{'cpu':'-1'}}", kNoQuantity.c_str()},
      {RESOURCES, "{'limits':{'cpu':'1e3m'}}", kNoQuantity.c_str()},
      {"/spec/driver", "{}", "spec.driver.template: Required value"},
      {"/spec/driver", "{'template':{'spec':{'containers':[{'name':'d','image':'i'}]}}}", kCostly.c_str()},
      {"/spec/loss", "{'metric':'my-loss'}", "must be the name of a metric, such as slaq_training_loss"},
      {"/spec/loss", "{'iterationMetric':''}",
       "must be the name of a metric, such as slaq_training_iterations_total"},
      {"/spec/loss", "{'convergence':'Fast'}",
       "supported values: \"Auto\", \"Sublinear\", \"Superlinear\", \"NonConvex\""},
      {"/spec/loss", "{'query':'a'}",
       "spec.loss.iterationQuery: Invalid value: is missing; query and iterationQuery are given together"},
      {"/spec/loss", "{'iterationQuery':'a'}",
       "spec.loss.query: Invalid value: is missing; query and iterationQuery are given together"},
      {"/spec/loss", "{'query':'a','iterationQuery':'b','metric':'c'}",
       "spec.loss.metric: Invalid value: can't be given together with query and iterationQuery; leave it "
       "out, or these"},
      {"/spec/loss", "{'query':'a','iterationQuery':'b','iterationMetric':'c'}",
       "spec.loss.iterationMetric: Invalid value: can't be given together with query and iterationQuery; "
       "leave it out, or these"},
      {"/spec/loss", "{'from':{}}",
       "spec.loss.from.output: Invalid value: or one of file, tensorboard, mlflow and kubeflow must be "
       "given"},
      {"/spec/loss", "{'from':{'output':{},'kubeflow':{}}}",
       "spec.loss.from.output: Invalid value: or one of file, tensorboard, mlflow and kubeflow must be "
       "given"},
      {"/spec/loss", "{'from':{'output':{'pattern':'loss=(.*)'}}}",
       "must have a group named loss, as in 'step=(?<iteration>\\d+) .*loss=(?<loss>\\S+)'"},
      {"/spec/loss", "{'from':{'output':{'pattern':'(?<loss>.*)','metric':'loss'}}}",
       "spec.loss.from.output.metric: Invalid value: can't be given together with pattern"},
      {"/spec/loss", "{'query':'','iterationQuery':''}", "should be at least 1 chars long"},
      {"/spec/loss", "{'target':'low'}", "must be a decimal, such as \"0.12\""},
      {"/spec/loss", "{'target':'NaN'}", "must be a decimal, such as \"0.12\""},
      {"/spec/loss", "{'target':[0.5]}", "must be a decimal, such as \"0.12\""},
      {"/spec/scheduling", "'Best'", "supported values: \"Quality\", \"Fair\", \"Reserved\""},
      {"/spec/workers/sizes", "[2, 200000]",
       "must be numbers from minReplicas to maxReplicas, such as [1, 2, 4]"},
      {"/spec/workers/sizes", "[0, 1]", "must be numbers from minReplicas to maxReplicas, such as [1, 2, 4]"},
      {"/spec/workers/sizes", "[1, 1]", "Duplicate value"},
      {"/spec/workers/sizes", "[]", "should have at least 1 items"},
      {"/spec/workers/restart", "{'pauseSeconds':-1}",
       "pauseSeconds: Invalid value: -1: must be from 0 to 86400"},
      {"/spec/value", "'Speed'", "supported values: \"Loss\", \"Completion\""},
      {"/spec/workers/scaling", "'GPU'", "supported values: \"Replicas\", \"CPU\""},
      {"/spec/workers/scaling", "'CPU'",
       "spec.workers.cpu: Invalid value: must be given: the bounds of a worker's"},
      {"/spec/workers/cpu", "{'min':'1'}", "spec.workers.cpu.max: Required value"},
      {"/spec/stop", "{'lossReductionPercent':'most'}", "must be a decimal, such as \"0.12\""},
      {"/spec/stop", "{'lossReductionPercent':'0'}", "must be more than 0 and less than 100, such as"},
      {"/spec/stop", "{'lossReductionPercent':100}", "must be more than 0 and less than 100, such as"},
      {"/spec/stop", "{'maxIterations':0}", "spec.stop.maxIterations: Invalid value: 0: must be at least 1"},
      {"/spec/stop", "{'activeDeadlineSeconds':0}",
       "spec.stop.activeDeadlineSeconds: Invalid value: 0: must be at least 1"},
      {"/spec/workers/cpu", "{'min':'1','max':'2'}",
       "spec.workers.scaling: Invalid value: must be CPU where cpu is given; or leave cpu out"},
      {"/spec/ttlSecondsAfterFinished", "-1",
       "spec.ttlSecondsAfterFinished: Invalid value: -1: must be 0 or more"},
      {"/spec/backoffLimit", "-1", "must be 0 or more"},
  };
}

// Kubernetes before 1.35 names the type of a value, such as "object", where later ones have the value or
// nothing.
std::string withoutValues(const std::string& sentence) {
  static const std::regex kValue("Invalid value: (\"\\w+\"|-?\\d+): ");
  return std::regex_replace(sentence, kValue, "Invalid value: ");
}

class ResourceTest : public RealTest {
 protected:
  // Every rule is asked on its own, so that one answer does not stand for another's.
  http::HttpResponse postWith(const Mistake& mistake) {
    auto document = parse(manifest("job"));
    rapidjson::Pointer pointer(mistake.pointer);
    if (mistake.value.empty()) {
      EXPECT_TRUE(pointer.Erase(document)) << mistake.pointer;
    } else {
      // A quote inside would end the value's text. A value that isn't constant would be moved, and its memory
      // is the list's.
      const auto list = parse(quoted("[" + mistake.value + "]"));
      pointer.Set(document, list[0]);
    }
    return post(manifest::toText(document));
  }
};

TEST_F(ResourceTest, RefusesEveryMistakeWithASentence) {
  for (const auto& mistake : mistakes()) {
    const auto answer = postWith(mistake);
    EXPECT_EQ(answer.status, 422) << mistake.pointer << " = " << mistake.value << "\n" << answer.body;
    EXPECT_THAT(withoutValues(stringAt(parse(answer.body), {"message"})),
                HasSubstr(withoutValues(mistake.message)))
        << mistake.pointer << " = " << mistake.value;
  }
}

TEST_F(ResourceTest, WhatItAcceptsHasNoViolations) {
  const char* specs[] = {
      "",
      "'weight':1000,'suspend':true,'backoffLimit':0",
      "'scheduling':'Reserved','value':'Completion','ttlSecondsAfterFinished':0",
      "'loss':{'query':'avg(a)','iterationQuery':'i','convergence':'NonConvex','target':'-1.5e-3'}",
      "'loss':{'target':2}",
      "'loss':{'target':0.12},'stop':{'lossReductionPercent':99.5}",
      "'stop':{'lossReductionPercent':'99.5','maxIterations':1,'activeDeadlineSeconds':86400}",
      "'stop':{'lossReductionPercent':95}",
      "'loss':{'metric':'a:b_1','iterationMetric':'_x','convergence':'Superlinear'}",
      "'driver':{'template':{'spec':{'containers':[{'name':'d','image':'i','resources':{'"
      "limits':{'cpu':2}}}]}}}"};
  int number = 0;
  for (const char* spec : specs) {
    const auto made = post(manifest("good-" + std::to_string(++number), spec));
    ASSERT_EQ(made.status, 201) << made.body;
    EXPECT_THAT(readTrainingJob(parse(made.body), manifest::UnknownFields::Refuse).violations, IsEmpty())
        << made.body;
  }
}

TEST_F(ResourceTest, AcceptsScalingByCpuAndKeepsIt) {
  auto document = parse(manifest("by-cpu"));
  rapidjson::Pointer("/spec/workers/scaling").Set(document, "CPU");
  rapidjson::Pointer("/spec/workers/cpu").Set(document, jsonOf("{'min':'200m','max':2}"));
  const auto made = post(manifest::toText(document));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_THAT(readTrainingJob(parse(made.body), manifest::UnknownFields::Refuse).violations, IsEmpty())
      << made.body;
  const auto changed = rig.call("PATCH", jobsPath() + "/by-cpu", "application/merge-patch+json",
                                R"({"spec":{"workers":{"scaling":"Replicas"}}})");
  EXPECT_EQ(changed.status, 422) << changed.body;
  EXPECT_THAT(changed.body, HasSubstr("can't be changed; delete the job and create it again"));
}

TEST_F(ResourceTest, RefusesBoundsOfCoresThatAreNone) {
  const std::pair<const char*, std::string> cases[] = {
      {"{'min':'0','max':'1'}", "spec.workers.cpu.min: must be more than 0"},
      {"{'min':'2','max':'1500m'}", "spec.workers.cpu.max: must be at least min"},
      {"{'min':'two','max':2}", kNoQuantity}};
  for (const auto& [bounds, message] : cases) {
    auto document = parse(manifest("by-cpu"));
    rapidjson::Pointer("/spec/workers/scaling").Set(document, "CPU");
    rapidjson::Pointer("/spec/workers/cpu").Set(document, jsonOf(bounds));
    const auto answer = post(manifest::toText(document));
    EXPECT_EQ(answer.status, 422) << bounds;
    EXPECT_THAT(answer.body, HasSubstr(message)) << bounds;
  }
}

TEST_F(ResourceTest, KeepsTheTemplateOfAJob) {
  create("fixed");
  const auto changed =
      rig.call("PATCH", jobsPath() + "/fixed", "application/merge-patch+json",
               R"({"spec":{"workers":{"template":{"spec":{"serviceAccountName":"other"}}}}})");
  EXPECT_EQ(changed.status, 422) << changed.body;
  EXPECT_THAT(changed.body, HasSubstr("delete the job and create it again with the new template"));
}

TEST_F(ResourceTest, RefusesFieldsThatDoNotGoTogether) {
  const std::string stop = "'stop':{'lossReductionPercent':95},'loss':{'convergence':'NonConvex'";
  EXPECT_THAT(post(manifest("aimless", stop + "}")).body,
              HasSubstr("spec.loss.target: must be given for stop.lossReductionPercent"));
  EXPECT_EQ(post(manifest("aimed", stop + ",'target':'0.1'}")).status, 201);
}

TEST_F(ResourceTest, LeavesOtherUnitsOfCapacityToTheController) {
  auto document = parse(manifest("gpu"));
  rapidjson::Pointer(RESOURCES).Set(document, jsonOf("{'limits':{'nvidia.com/gpu':1}}"));
  const auto made = post(manifest::toText(document));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_THAT(readTrainingJob(parse(made.body), manifest::UnknownFields::Refuse, "nvidia.com/gpu").violations,
              IsEmpty());
  EXPECT_EQ(readTrainingJob(parse(made.body), manifest::UnknownFields::Refuse, "cpu").violations.size(), 1u);
  rapidjson::Pointer("/metadata/name").Set(document, "gpu-and-driver");
  rapidjson::Pointer("/spec/driver")
      .Set(document, jsonOf("{'template':{'spec':{'containers':[{'name':'d','image':'i'}]}}}"));
  const auto withDriver = post(manifest::toText(document));
  EXPECT_EQ(withDriver.status, 201) << withDriver.body;
}

TEST_F(ResourceTest, KeepsTheWayInWhichTheLossIsRead) {
  const auto change = [&](const std::string& name, const std::string& loss) {
    return rig.call("PATCH", jobsPath() + "/" + name, "application/merge-patch+json",
                    quoted("{'spec':{'loss':" + loss + "}}"));
  };
  create("exports");
  ASSERT_EQ(post(manifest("prints", "'loss':{'from':{'output':{}}}")).status, 201);
  for (const auto& changed : {change("exports", "{'from':{'output':{}}}"), change("prints", "null")}) {
    EXPECT_EQ(changed.status, 422) << changed.body;
    EXPECT_THAT(changed.body, HasSubstr("can't be added or removed; delete the job and create it again"));
  }
  EXPECT_EQ(change("exports", "{'mode':'Maximize'}").status, 200);
}

TEST_F(ResourceTest, FillsInDefaults) {
  create("plain");
  const auto job = parse(rig.call("GET", jobsPath() + "/plain").body);
  EXPECT_EQ(intAt(job, {"spec", "weight"}), 1);
  EXPECT_EQ(intAt(job, {"spec", "backoffLimit"}), 3);
  EXPECT_FALSE(boolAt(job, {"spec", "suspend"}));
  EXPECT_EQ(stringAt(job, {"spec", "scheduling"}), "Quality");
  EXPECT_EQ(stringAt(job, {"spec", "workers", "scaling"}), "Replicas");
}

TEST_F(ResourceTest, KeepsTheUnreadPartsOfATemplate) {
  auto document = parse(manifest("kept"));
  rapidjson::Pointer("/spec/workers/template/spec/nodeSelector/disk").Set(document, "ssd");
  rapidjson::Pointer(CONTAINERS "/0/imagePullPolicy").Set(document, "Never");
  const auto made = post(manifest::toText(document));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_THAT(made.body, HasSubstr(R"("disk":"ssd")"));
  EXPECT_THAT(made.body, HasSubstr(R"("imagePullPolicy":"Never")"));
}

TEST_F(ResourceTest, ShowsTheColumnsThatPeopleLookFor) {
  http::HttpRequest request;
  request.path = jobsPath();
  request.headers["Accept"] = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const auto answer = rig.http().send(request);
  ASSERT_TRUE(answer && answer->status == 200);
  std::map<int, std::string> columns;  // by priority: those of 1 are wide
  const auto table = parse(answer->body);
  for (const auto& each : table["columnDefinitions"].GetArray())
    columns[intAt(each, {"priority"})] += stringAt(each, {"name"}) + " ";
  EXPECT_EQ(columns[0], "Name State Workers Desired Loss Progress Age ");
  EXPECT_EQ(columns[1], "Cores Seconds left Kind Why ");
}

TEST_F(ResourceTest, ScalesThroughItsSubresource) {
  create("scaled");
  const auto scaled = rig.call("PATCH", jobsPath() + "/scaled/scale", "application/merge-patch+json",
                               R"({"spec":{"replicas":5}})");
  EXPECT_EQ(scaled.status, 200) << scaled.body;
  const auto job = parse(rig.call("GET", jobsPath() + "/scaled").body);
  EXPECT_EQ(intAt(job, {"spec", "replicas"}), 5);
}

}  // namespace
}  // namespace slaq::kube
