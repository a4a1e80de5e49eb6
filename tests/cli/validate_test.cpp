// slaq validate, from the command line to the exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "cli/command_line.h"
#include "support/child_process.h"

namespace slaq::test {
namespace {

using ::testing::HasSubstr;

const std::string kExamples = SLAQ_EXAMPLES;

TEST(ValidateCommand, TellsOfEachJob) {
  const auto said = say({"validate", kExamples + "/logreg.yaml"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out, kExamples + "/logreg.yaml: default/logreg is right\n");
}

TEST(ValidateCommand, TakesAllExamples) {
  for (const char* folder : {"", "/algorithms", "/python"}) {
    const auto said = say({"validate", kExamples + folder});
    EXPECT_EQ(said.code, 0) << said.err;
  }
}

TEST(ValidateCommand, HintsAtAPercentageThatWasWrittenAsAShare) {
  const TemporaryDirectory folder;
  std::ifstream in(kExamples + "/logreg.yaml");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const std::string percent = "  stop: {lossReductionPercent: 0.95}\n";
  text.insert(text.find("spec:\n") + 6, percent);
  std::ofstream(folder.path() + "/a.yaml") << text;
  const auto said = say({"validate", folder.path() + "/a.yaml"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_THAT(
      said.err,
      HasSubstr(
          "hint: default/logreg: spec.stop.lossReductionPercent is 0.95% as written; for 95% write \"95\""));
}

TEST(ValidateCommand, HintsAtCpuLimitsThatHoldWorkersToTheirRequests) {
  const TemporaryDirectory folder;
  std::ifstream in(kExamples + "/logreg.yaml");
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const auto hintsWith = [&](const std::string& limit) {
    std::string limited = text;
    const std::string request = "requests: {cpu: 200m}";
    limited.insert(limited.rfind(request) + request.size(), "\n            limits: {cpu: " + limit + "}");
    std::ofstream(folder.path() + "/a.yaml") << limited;
    return say({"validate", folder.path() + "/a.yaml"}).err;
  };
  EXPECT_THAT(hintsWith("200m"), HasSubstr("resources.limits holds a worker to the CPU that it requests"));
  EXPECT_EQ(hintsWith("2"), "");
}

TEST(ValidateCommand, NamesEveryMistakeOfEveryFile) {
  const TemporaryDirectory folder;
  const std::string wrong = folder.path() + "/wrong.yaml", empty = folder.path() + "/empty.yaml";
  std::ofstream(wrong)
      << "apiVersion: slaq.io/v1alpha1\nkind: TrainingJob\nmetadata: {name: a}\nspec: {worker: 1}\n";
  std::ofstream(empty) << "\n";
  const auto said = say({"validate", wrong, empty, folder.path() + "/none.yaml", kExamples + "/logreg.yaml"});
  EXPECT_EQ(said.code, 2);
  EXPECT_THAT(said.err, HasSubstr(wrong + ":4: spec.worker: "));
  EXPECT_THAT(said.err, HasSubstr(empty + ":1: there is no TrainingJob in it"));
  EXPECT_THAT(said.err, HasSubstr("none.yaml"));
  EXPECT_THAT(said.out, HasSubstr("default/logreg is right"));
}

}  // namespace
}  // namespace slaq::test
