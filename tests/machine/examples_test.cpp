// The examples, as a user runs them on one machine. Those of Table 1 come one after the other, so that every
// job has workers that join and leave.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "run.h"

namespace slaq::machine {
namespace {

const std::string kExamples = SLAQ_SOURCE_DIR "/examples";

void expectAllComplete(const LocalRun& run, std::size_t jobs) {
  EXPECT_EQ(run.code, 0) << run.text;
  EXPECT_EQ(run.states.size(), jobs) << run.text;
  for (const auto& [name, state] : run.states) EXPECT_EQ(state, "Complete") << name << "\n" << run.text;
}

TEST(Examples, AllAlgorithmsTrainElastically) {
  const LocalRun run = slaqRun("--cores 3 --interarrival 2 --epoch 2 " + kExamples + "/*.yaml " + kExamples +
                               "/algorithms/*.yaml");
  expectAllComplete(run, 11);
  std::cout << run.text.substr(run.text.find("\nTime from"));
}

TEST(Examples, ProgramsThatWereNotWrittenForSlaqAreScheduled) {
  if (system("/usr/bin/python3 -c 'import sklearn, torch, xgboost' 2>/dev/null") != 0) {
    GTEST_SKIP() << "needs the packages of scripts/install-deps --python";
  }
  const LocalRun run = slaqRun("--cores 2 --interarrival 3 --epoch 2 " + kExamples + "/python/*.yaml");
  expectAllComplete(run, 3);
  std::cout << run.text.substr(run.text.find("\nTime from"));
}

}  // namespace
}  // namespace slaq::machine
