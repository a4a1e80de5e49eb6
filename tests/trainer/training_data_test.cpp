// Trainings on files: the same as on the generated data that the files were written from.
#include "trainer/dataset/training_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>

#include "trainer/calm.h"
#include "trainer/dataset/export.h"
#include "trainer/team.h"

namespace slaq::trainer {
namespace {

using testing::HasSubstr;

class TrainingDataTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }

  data::formats::Files written(const problem::Problem& problem, const std::string& format) const {
    const data::formats::Files files{path("data." + format),
                                     data::formats::findFormat(format)->labelsApart ? path("labels") : ""};
    const auto done = dataset::exportData({problem, {}, format, files});
    EXPECT_TRUE(done) << done.error().message;
    return files;
  }

  std::string refusal(problem::Problem problem, const std::string& format, const std::string& content) const {
    std::ofstream(path("wrong")) << content;
    problem.data = format;
    const auto whole = registry::complete(problem);
    if (!whole) return whole.error().message;
    const auto data = dataset::openData(*whole, {path("wrong"), ""});
    return data ? "" : data.error().message;
  }

  TemporaryFolder folder_;
};

problem::Problem onFile(problem::Problem problem, const std::string& format) {
  problem::Problem from;
  from.algorithm = problem.algorithm;
  from.data = format;
  from.chunks = problem.chunks;
  const auto declared = registry::declaredFor(from).value();
  for (const problem::Setting& setting : declared) {
    const std::string name(setting.name);
    if (problem.settings.has(name)) from.settings.set(name, problem.settings.all().at(name));
  }
  return completed(from);
}

TEST_F(TrainingDataTest, FilesHaveTheRowsThatTheyWereWrittenFrom) {
  for (const std::string algorithm : {"logistic-regression", "linear-regression", "k-means"}) {
    const problem::Problem problem = problemOf(algorithm, 503);
    for (const std::string format : {"csv", "libsvm"}) {
      const auto data = dataset::openData(onFile(problem, format), written(problem, format));
      ASSERT_TRUE(data) << data.error().message;
      EXPECT_EQ(data->problem.rows, 503);
      EXPECT_EQ(data->problem.features, problem.features);
      for (const data::Chunk& chunk : allChunks(problem)) {
        const data::Chunk read = data->source->chunk(chunk.index);
        EXPECT_EQ(read.index, chunk.index);
        EXPECT_EQ(read.features, chunk.features);
        EXPECT_EQ(read.targets, algorithm == "k-means" ? data::Floats() : chunk.targets);
      }
    }
  }
}

TEST_F(TrainingDataTest, ImagesComeBackAsNearAsBytesAllow) {
  problem::Problem problem;
  problem.algorithm = "k-means";
  problem.data = "digits";
  problem.rows = 100;
  problem.features = 49;
  problem.settings.set("clusters", 3);
  problem = completed(problem);
  const auto data = dataset::openData(onFile(problem, "idx"), written(problem, "idx"));
  ASSERT_TRUE(data) << data.error().message;
  const data::Chunk read = data->source->chunk(5);
  EXPECT_TRUE(read.features.isApprox(allChunks(problem)[5].features, 0.02f));
}

TEST_F(TrainingDataTest, WorkersTrainOnTheDriversFileAsOnGeneratedRows) {
  const problem::Problem problem = problemOf("logistic-regression", 20000);
  const std::string data = "--data=csv:" + written(problem, "csv").rows;
  // Some workers go, so that others get their rows; more than the rounds for which rows are kept.
  Process driver(
      {"driver", "--listen=127.0.0.1:0", "--metrics-port=0", "--linger=0", "--iterations=150",
       "--tolerance=0", "--algorithm=logistic-regression", "--history=" + path("history.csv"), data},
      {}, path("driver.log"));
  Team team(folder_, std::move(driver));
  const Process stays = team.startWorker("0");
  for (int i = 1; i <= 3; ++i) {
    const Process passing = team.startWorker(std::to_string(i));
    ASSERT_TRUE(team.reachesOrEnds(static_cast<std::size_t>(30 * i)));
    passing.signal(SIGKILL);
  }
  EXPECT_EQ(team.driver().wait(), 0) << team.driver().errors();
  EXPECT_EQ(team.history(), trainCalmly(problem, {150, 0}));
}

TEST_F(TrainingDataTest, OneClassIsToldFromTheOthers) {
  std::ofstream(path("classes.csv")) << "1,3\n2,5\n3,7\n4,5\n";
  problem::Problem problem = onFile(problemOf("linear-svm"), "csv");
  problem.chunks = 1;
  problem.settings.set("positive", 5);
  const auto data = dataset::openData(problem, {path("classes.csv"), ""});
  ASSERT_TRUE(data) << data.error().message;
  EXPECT_EQ(data->source->chunk(0).targets, (data::Floats{{-1, 1, -1, 1}}));
}

TEST_F(TrainingDataTest, OfTwoClassesTheLargerIsPositive) {
  std::ofstream(path("classes.csv")) << "1,0\n2,1\n3,0\n";
  problem::Problem problem = onFile(problemOf("linear-svm"), "csv");
  problem.chunks = 1;
  EXPECT_EQ(dataset::openData(problem, {path("classes.csv"), ""})->source->chunk(0).targets,
            (data::Floats{{-1, 1, -1}}));
}

TEST_F(TrainingDataTest, FeaturesCanBeStandardized) {
  std::ofstream(path("data.csv")) << "1,7,0\n3,7,1\n";
  problem::Problem problem = onFile(problemOf("linear-regression"), "csv");
  problem.chunks = 1;
  problem.settings.set("standardize", "yes");
  EXPECT_EQ(dataset::openData(problem, {path("data.csv"), ""})->source->chunk(0).features,
            (data::Matrix{{-1, 0}, {1, 0}}));
}

TEST_F(TrainingDataTest, WrongDataAreRefusedWithASentence) {
  problem::Problem svm;
  svm.algorithm = "linear-svm";
  svm.chunks = 1;
  EXPECT_THAT(refusal(svm, "csv", "1,2\n3,2\n"),
              HasSubstr("has 1 different targets; linear-svm takes 2 to 1000"));
  EXPECT_THAT(refusal(svm, "csv", "1,2\n3,4\n5,6\n"), HasSubstr("has the classes 2, 4, 6; say which"));
  EXPECT_THAT(refusal(svm, "lda-c", "1 1:1\n"),
              HasSubstr("cannot train on lda-c: it takes rows of features"));
  svm.settings.set("target", "none");
  EXPECT_THAT(refusal(svm, "csv", "1,2\n"), HasSubstr("nothing that linear-svm could learn to predict"));
  svm.settings.set("target", "last");
  svm.settings.set("positive", 5);
  EXPECT_THAT(refusal(svm, "csv", "1,2\n3,4\n"), HasSubstr("has no class 5, the --positive; it has 2, 4"));
  problem::Problem regression;
  regression.algorithm = "linear-regression";
  EXPECT_THAT(refusal(regression, "csv", "1,2\n"),
              HasSubstr("--chunks must be at most the number of rows, 1"));
  regression.chunks = 1;
  regression.features = 3;
  EXPECT_THAT(refusal(regression, "csv", "1,2\n"), HasSubstr("has 1 features, not the --features 3"));
}

TEST_F(TrainingDataTest, ACheckpointOfOtherRowsIsRefused) {
  std::ofstream(path("data.csv")) << "1,2\n3,4\n";
  const std::vector<std::string> flags{"driver",
                                       "--algorithm=linear-regression",
                                       "--data=csv:" + path("data.csv"),
                                       "--chunks=1",
                                       "--listen=127.0.0.1:0",
                                       "--metrics-port=0",
                                       "--checkpoint=" + path("checkpoint")};
  {
    Process first(flags, {}, path("first.log"));
    ASSERT_TRUE(eventually([&] { return first.errors().find("awaits") != std::string::npos; }));
  }
  std::ofstream(path("data.csv")) << "1,2\n3,5\n";
  Process second(flags, {}, path("second.log"));
  EXPECT_EQ(second.wait(), 2);
  EXPECT_THAT(second.errors(), HasSubstr("is of another training: there the checksum of the data is"));
}

}  // namespace
}  // namespace slaq::trainer
