#include "job/kind.h"

#include <gtest/gtest.h>

namespace slaq {
namespace {

TrainingJob jobWith(std::vector<std::string> args) {
  TrainingJob job;
  job.spec.workers.pod.containers = {
      {.name = "worker", .image = "train:1", .command = {"python", "train.py"}, .args = std::move(args)}};
  return job;
}

TEST(Kind, IsTheSameForOneProgramWithOtherNumbers) {
  const std::string kind = kindOf(jobWith({"--model=resnet", "--rate=0.1", "--seed", "7"}));
  EXPECT_EQ(kind, "train:1 python train.py --model=resnet --rate --seed");
  EXPECT_EQ(kindOf(jobWith({"--model=resnet", "--rate=3e-4", "--seed", "12"})), kind);
  EXPECT_NE(kindOf(jobWith({"--model=bert", "--rate=0.1", "--seed", "7"})), kind);
}

TEST(Kind, IsTheSameForOneCommandLineWithOtherNumbers) {
  TrainingJob job = jobWith({});
  auto& command = job.spec.workers.pod.containers.front().command;
  command = {"/bin/sh", "-c", "python  train.py --rate 0.1 --seed=7"};
  EXPECT_EQ(kindOf(job), "train:1 python train.py --rate --seed");
  command = {"python", "train.py", "--rate", "3e-4", "--seed=12"};
  EXPECT_EQ(kindOf(job), "train:1 python train.py --rate --seed");
}

TEST(Kind, IsShortWhereAnArgumentIsAProgram) {
  const std::string program(100'000, 'x');
  const std::string kind = kindOf(jobWith({program}));
  EXPECT_LT(kind.size(), 300u);
  EXPECT_NE(kindOf(jobWith({program + "y"})), kind);
}

TEST(Kind, IsNotCutWithinACharacter) {
  for (const std::string before : {"", "x"}) {
    std::string program = before;
    for (int i = 0; i < 500; ++i) program += "я";
    EXPECT_NE(kindOf(jobWith({program})).find("я "), std::string::npos);
  }
}

TEST(Kind, IsWhatTheOwnerSays) {
  TrainingJob job = jobWith({});
  job.kind = "resnet";
  EXPECT_EQ(kindOf(job), "resnet");
}

TEST(Kind, IsThatOfTheDriverWhereThereIsOne) {
  TrainingJob job = jobWith({});
  job.spec.driver = PodTemplate{.containers = {{.name = "driver", .image = "driver:2"}}, .document = {}};
  EXPECT_EQ(kindOf(job), "driver:2");
}

TEST(Kind, HasNoImageOfACommandThatNeedsNone) {
  TrainingJob job = jobWith({"--seed", "7"});
  job.spec.workers.pod.containers.front().image = kThisMachine;
  EXPECT_EQ(kindOf(job), "python train.py --seed");
}

TEST(Kind, IsUnknownWhereTheTemplateSaysNothing) { EXPECT_EQ(kindOf(TrainingJob{}), ""); }

}  // namespace
}  // namespace slaq
