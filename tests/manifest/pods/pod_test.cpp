// What is said of mistakes in pod templates. field/manifests_test.py asks a real API server about the same
// mistakes.
#include <gmock/gmock.h>
#include <rapidjson/pointer.h>

#include "manifest/json.h"
#include "manifest/pods/pod_rules.h"
#include "manifest/pods/pod_schema.h"

namespace slaq::manifest::pods {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kJob = R"({
  'metadata': {'name': 'a', 'labels': {'team': 'b'}},
  'spec': {'workers': {'template': {'metadata': {'annotations': {'a.b/c': 'd'}}, 'spec': {
    'volumes': [{'name': 'data', 'emptyDir': {}}, {'name': 'code', 'configMap': {'name': 'c', 'defaultMode': 420}}],
    'containers': [{'name': 'main', 'image': 'trainer:1', 'env': [{'name': 'A', 'value': '1'}],
      'ports': [{'name': 'metrics', 'containerPort': 9000}],
      'volumeMounts': [{'name': 'data', 'mountPath': '/data'}],
      'readinessProbe': {'tcpSocket': {'port': 9000}},
      'resources': {'requests': {'cpu': 1, 'memory': '1Gi'}, 'limits': {'memory': 2e9, 'nvidia.com/gpu': 1}}}]}}}}})";

#define SPEC "/spec/workers/template/spec"
#define MAIN "spec.workers.template.spec.containers[0]"

std::vector<Violation> violationsWith(const Mistake& mistake) {
  const auto job = jsonWith(kJob, mistake.pointer, mistake.value);
  auto out = schemaViolations(job);
  for (auto& each : ruleViolations(job)) out.push_back(std::move(each));
  return out;
}

TEST(PodSchema, TakesWhatTheApiServerTakes) {
  const Mistake none[] = {
      {"/metadata/name", "'a'", "", ""},
      {SPEC "/containers/0/env", "null", "", ""},
      {SPEC "/containers/0/ports/0/containerPort", "9000.0", "", ""},
      {SPEC "/containers/0/resources/requests/cpu", "' .5 '", "", ""},
      {SPEC "/containers/0/env/0/valueFrom", "null", "", ""},
      {SPEC "/restartPolicy", "'Never'", "", ""},
  };
  for (const auto& each : none) EXPECT_THAT(violationsWith(each), IsEmpty()) << each;
}

TEST(PodRules, HaveOnePortForAHostAndAContainerWhereTheyShareTheirNetwork) {
  auto job = jsonWith(kJob, SPEC "/hostNetwork", "true");
  rapidjson::Pointer(SPEC "/containers/0/ports/0/hostPort").Set(job, 9000);
  EXPECT_THAT(ruleViolations(job), IsEmpty());
  rapidjson::Pointer(SPEC "/containers/0/ports/0/hostPort").Set(job, 9001);
  EXPECT_THAT(ruleViolations(job), ElementsAre(Violation{MAIN ".ports[0].hostPort",
                                                         "must be containerPort where hostNetwork is true"}));
  rapidjson::Pointer(SPEC "/hostNetwork").Set(job, false);
  EXPECT_THAT(ruleViolations(job), IsEmpty());
}

class PodMistake : public testing::TestWithParam<Mistake> {};

TEST_P(PodMistake, IsTheOnlyOne) {
  const auto violations = violationsWith(GetParam());
  ASSERT_EQ(violations.size(), 1u) << (violations.empty() ? ""
                                                          : violations[1].path + " " + violations[1].message);
  EXPECT_EQ(violations[0].path, GetParam().path);
  EXPECT_THAT(violations[0].message, testing::HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Fields, PodMistake,
    testing::Values(
        Mistake{SPEC "/containers/0/comand", "['x']", MAIN ".comand", "unknown field, did you mean command?"},
        Mistake{SPEC "/containers/0/image", "", MAIN ".image", "must be given"},
        Mistake{SPEC "/containers/0/image", "5", MAIN ".image", "must be the name of an image"},
        Mistake{SPEC "/containers/0/env", "{}", MAIN ".env", "must be a list, not an object"},
        Mistake{SPEC "/containers/0/readinessProbe/tcpSocket/port", "true",
                MAIN ".readinessProbe.tcpSocket.port",
                "must be a whole number or a string, not true or false"},
        Mistake{SPEC "/containers/0/tty", "'yes'", MAIN ".tty", "must be true or false, not a string"},
        Mistake{SPEC "/containers/0/args", "[1]", MAIN ".args[0]",
                "must be a string, not a number; quote it"},
        Mistake{SPEC "/containers/0/imagePullPolicy", "'Sometimes'", MAIN ".imagePullPolicy",
                "must be Always, IfNotPresent or Never"},
        Mistake{SPEC "/containers/0/name", "'Main'", MAIN ".name", "must be a DNS label"},
        Mistake{SPEC "/containers/0/ports/0/containerPort", "99999", MAIN ".ports[0].containerPort",
                "must be a whole number from 1 to 65535"},
        Mistake{SPEC "/containers/0/resources/requests/memory", "'1GB'", MAIN ".resources.requests.memory",
                "not followed by a B"},
        Mistake{SPEC "/containers/0/resources/requests/memory", "'-1Gi'", MAIN ".resources.requests.memory",
                "0 or more"},
        Mistake{SPEC "/containers/0/readinessProbe", "{'periodSeconds': 5}", MAIN ".readinessProbe",
                "must have one of"},
        Mistake{SPEC "/containers/0/env/0/valueFrom", "{'fieldRef': {'fieldPath': 'a'}}", MAIN ".env[0]",
                "either value or valueFrom"},
        Mistake{SPEC "/restartPolicy", "'OnFailure'", "spec.workers.template.spec.restartPolicy",
                "must be Never"},
        Mistake{SPEC "/tolerations", "[{'tolerationSeconds': 5}]",
                "spec.workers.template.spec.tolerations[0]", "NoExecute"},
        Mistake{"/metadata/labels/team", "5", "metadata.labels.team", "must have at most 63 letters"},
        Mistake{"/metadata/labels/a b", "'c'", "metadata.labels", "has a key that is no name"}));

INSTANTIATE_TEST_SUITE_P(
    Parts, PodMistake,
    testing::Values(Mistake{SPEC "/initContainers", "[{'name': 'main', 'image': 'x'}]", MAIN ".name",
                            "is there twice"},
                    Mistake{SPEC "/volumes/1/name", "'data'", "spec.workers.template.spec.volumes[1].name",
                            "is there twice"},
                    Mistake{SPEC "/containers/0/volumeMounts/0/name", "'other'", MAIN ".volumeMounts[0].name",
                            "none of the pod's"},
                    Mistake{SPEC "/containers/0/resources/requests/memory", "'3G'",
                            MAIN ".resources.requests.memory", "at most its limit"},
                    Mistake{SPEC "/containers/0/resources/limits/nvidia.com~1gpu", "0.5",
                            MAIN ".resources.limits[\"nvidia.com/gpu\"]", "a whole number"},
                    Mistake{SPEC "/containers/0/resources/requests/nvidia.com~1gpu", "2",
                            MAIN ".resources.requests[\"nvidia.com/gpu\"]", "equal to its limit"},
                    Mistake{SPEC "/containers/0/resources/requests/amd.com~1gpu", "2",
                            MAIN ".resources.requests[\"amd.com/gpu\"]", "as a limit"}));

TEST(PodSchema, OutlivesALongText) {
  auto job = json(kJob);
  const std::string text(1 << 20, 'a');
  rapidjson::Pointer("/metadata/labels/team").Set(job, text.c_str());
  EXPECT_THAT(schemaViolations(job), testing::SizeIs(1));
}

}  // namespace
}  // namespace slaq::manifest::pods
