// Manifests as people write them: what is read, and where mistakes are told.
#include "manifest/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slaq::manifest {
namespace {

constexpr const char* kTemplate = R"(    template:
      spec:
        containers:
        - name: main
          command: [train]
          resources: {requests: {cpu: 200m}}
          image: trainer
)";

std::string manifest(const std::string& name, const std::string& workers) {
  return "apiVersion: slaq.io/v1alpha1\nkind: TrainingJob\nmetadata: {name: " + name +
         "}\nspec:\n  workers:\n" + workers + kTemplate;
}

std::string mistakesIn(const std::string& text, const JobCheck& check = {}) {
  const auto jobs = readManifest("j.yaml", text, "cpu", check);
  return jobs ? "" : jobs.error().message;
}

TEST(Manifest, ReadsEveryDocumentWithDefaults) {
  const auto jobs = readManifest("j.yaml", manifest("a", "    maxReplicas: 4\n") + "---\n" +
                                               manifest("b", "    minReplicas: 2\n    maxReplicas: 3\n"));
  ASSERT_TRUE(jobs) << jobs.error().message;
  ASSERT_EQ(jobs->size(), 2u);
  EXPECT_EQ(jobs->at(0).key, (JobKey{"default", "a"}));
  EXPECT_EQ(jobs->at(0).spec.weight, 1);
  EXPECT_EQ(jobs->at(0).spec.workers.min, Workers(1));
  EXPECT_EQ(coresOf(jobs->at(0).spec.workers.pod), Cores(200));
  EXPECT_EQ(jobs->at(1).spec.workers.max, Workers(3));
}

TEST(Manifest, TellsFileAndLineOfEveryMistake) {
  const std::pair<std::string, const char*> cases[] = {
      {"", "j.yaml:1: there is no TrainingJob in it"},
      {"# nothing\n---\n", "j.yaml:1: there is no TrainingJob in it"},
      {"kind: Job\n", "j.yaml:1: kind: must be TrainingJob"},
      {"- 1\n", "j.yaml:1: kind: must be TrainingJob"},
      {"a: b: c\n",
       "j.yaml:1: a field can't begin here; quote a text that has a colon in it, or mend the indentation"},
      {manifest("a", "    minReplicas: 0\n    maxReplicas: 4\n"),
       "j.yaml:6: spec.workers.minReplicas: must be at least 1"},
      {manifest("A", "    minReplicas: 3\n    maxReplicas: 2\n"),
       "j.yaml:3: metadata.name: must be a DNS label (a-z, 0-9, '-', a letter first) of at most 45 "
       "characters\n"
       "j.yaml:7: spec.workers.maxReplicas: must be at least minReplicas (3)"},
      {manifest("a", "    maxReplicas: 4\n") + "---\n" + manifest("b", "    maxReplicas: 0\n"),
       "j.yaml:20: spec.workers.maxReplicas: must be at least minReplicas (1)"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(mistakesIn(text), message);
}

TEST(Manifest, LeavesObjectsOfOtherKindsToKubernetes) {
  const std::string settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: s}\ndata: {rate: '0.1'}\n";
  const auto jobs = readManifest("j.yaml", settings + "---\n" + manifest("a", "    maxReplicas: 4\n"));
  ASSERT_TRUE(jobs) << jobs.error().message;
  EXPECT_EQ(jobs->size(), 1u);
  EXPECT_EQ(mistakesIn(settings), "j.yaml:1: there is no TrainingJob in it");
  EXPECT_EQ(mistakesIn("apiVersion: slaq.io/v1alpha1\nkind: Trainingjob\n"),
            "j.yaml:2: kind: must be TrainingJob");
}

TEST(Manifest, HasANameThatIsGenerated) {
  const std::string text = manifest("a", "    maxReplicas: 4\n");
  const auto generated = [&](const std::string& prefix) {
    return std::string(text).replace(text.find("name: a"), 7, "generateName: " + prefix);
  };
  const auto first = readManifest("j.yaml", generated("run-")),
             second = readManifest("j.yaml", generated("run-"));
  ASSERT_TRUE(first && second);
  EXPECT_THAT(first->front().key.name, testing::MatchesRegex("run-[a-z0-9]{5}"));
  EXPECT_NE(first->front().key.name, second->front().key.name);
  EXPECT_EQ(mistakesIn(generated(std::string(40, 'a'))), "");
  EXPECT_THAT(mistakesIn(generated(std::string(41, 'a'))), testing::HasSubstr("at most 45 characters"));
}

TEST(Manifest, CountsInTheResourceThatItsWorkersRequest) {
  const std::string text = manifest("a", "    maxReplicas: 4\n");
  const auto asking = [&](const std::string& resources) {
    return std::string(text).replace(text.find("requests: {cpu: 200m}"), 21, resources);
  };
  const auto jobs = readManifest("j.yaml", asking("limits: {nvidia.com/gpu: 2, memory: 8Gi}"));
  ASSERT_TRUE(jobs) << jobs.error().message;
  EXPECT_EQ(coresOf(jobs->front().spec.workers.pod), Cores(2000));
  EXPECT_EQ(
      coresOf(
          readManifest("j.yaml", asking("limits: {nvidia.com/gpu: 1, cpu: 3}"))->front().spec.workers.pod),
      Cores(3000));
  EXPECT_EQ(coresOf(readManifest("j.yaml", asking("limits: {nvidia.com/gpumem: 3000, nvidia.com/gpu: 1}"))
                        ->front()
                        .spec.workers.pod),
            Cores(1000));
  EXPECT_THAT(mistakesIn(asking("limits: {memory: 8Gi}")), testing::HasSubstr("must request CPU"));
}

TEST(Manifest, HasTheMemoryOfAGpuThatAJobShares) {
  const std::string text = manifest("a", "    maxReplicas: 4\n");
  const auto with = [&](const std::string& limit) {
    return std::string(text).replace(text.find("requests: {cpu: 200m}"), 21,
                                     "requests: {cpu: 200m}, limits: {nvidia.com/gpumem: " + limit + "}");
  };
  for (const char* limit : {"3000", "\"3000\"", "3k"}) {
    const auto jobs = readManifest("j.yaml", with(limit));
    ASSERT_TRUE(jobs) << jobs.error().message;
    EXPECT_EQ(jobs->front().spec.workers.pod.containers.front().gpuMemory, Mebibytes(3000)) << limit;
  }
  for (const char* limit : {"0", "512Mi"})
    EXPECT_THAT(mistakesIn(with(limit)), testing::HasSubstr("must be a number of mebibytes, such as 20480"));
}

TEST(Manifest, RefusesUnknownFields) {
  EXPECT_THAT(mistakesIn(manifest("a", "    maxReplica: 2\n    maxReplicas: 2\n")),
              testing::StartsWith("j.yaml:6: spec.workers.maxReplica: "));
}

TEST(Manifest, AsksTheCheckOfThePlaceWhereItIsToRun) {
  const auto refuse = [](const TrainingJob& job) {
    return std::vector<Violation>{{"spec.workers.template.spec.containers[0].command", job.key.name + " no"}};
  };
  EXPECT_EQ(mistakesIn(manifest("a", "    maxReplicas: 2\n"), refuse),
            "j.yaml:11: spec.workers.template.spec.containers[0].command: a no");
}

}  // namespace
}  // namespace slaq::manifest
