#include "simulate/input/workload.h"

#include <gmock/gmock.h>

#include <map>

namespace slaq::simulate {
namespace {

using ::testing::HasSubstr;

Result<Workload> read(std::string_view text, int* reads = nullptr) {
  const auto trace = [=](const std::string& name) -> Result<Trace> {
    if (reads) ++*reads;
    if (name == "a.csv") return Trace{{2, 1}};
    return failure(ErrorKind::Invalid, name + ": can't be read: No such file or directory");
  };
  const auto scaling = [](const std::string& name) -> Result<Scaling> {
    if (name == "s.csv") return Scaling{{{1, 0.1}, {4, 0.2}}};
    return failure(ErrorKind::Invalid, name + ": can't be read: No such file or directory");
  };
  const auto constants = [](const std::string& name) -> Result<forecast::FittedConstants> {
    if (name == "c.yaml") return forecast::defaultConstants();
    return failure(ErrorKind::Invalid, name + ": can't be read: No such file or directory");
  };
  return readWorkload("w.yaml", text, {trace, scaling, constants});
}

TEST(Workload, HasTheConstantsThatAJobNames) {
  const auto workload = read(R"(
cores: 8
jobs:
  - {name: a, trace: a.csv, cpuSecondsPerIteration: 1, constants: c.yaml}
  - {name: b, trace: a.csv, cpuSecondsPerIteration: 1, constants: c.yaml}
  - {name: c, trace: a.csv, cpuSecondsPerIteration: 1}
)");
  ASSERT_TRUE(workload) << workload.error().message;
  ASSERT_TRUE(workload->jobs[0].constants);
  EXPECT_EQ(*workload->jobs[0].constants, forecast::defaultConstants());
  EXPECT_EQ(workload->jobs[1].constants, workload->jobs[0].constants);
  EXPECT_FALSE(workload->jobs[2].constants);
  EXPECT_EQ(read("cores: 8\njobs: [{name: a, trace: a.csv, cpuSecondsPerIteration: 1, constants: d.yaml}]\n")
                .error()
                .message,
            "w.yaml:2: jobs[0].constants: d.yaml: can't be read: No such file or directory");
}

TEST(Workload, HasTheSpeedsOfAMeasuredTraining) {
  const auto workload = read("cores: 8\njobs: [{name: a, trace: a.csv, scaling: s.csv}]\n");
  ASSERT_TRUE(workload) << workload.error().message;
  const auto& job = workload->jobs.front();
  EXPECT_EQ(job.most, Workers(4));
  EXPECT_DOUBLE_EQ(speedOf(job).at(4), 0.2);
}

TEST(Workload, RefusesWhatContradictsTheScaling) {
  const auto mistake = [](const std::string& more) {
    return read("cores: 8\njobs: [{name: a, trace: a.csv, scaling: s.csv, " + more + "}]\n").error().message;
  };
  EXPECT_EQ(mistake("cpuSecondsPerIteration: 2"),
            "w.yaml:2: jobs[0].cpuSecondsPerIteration: is said by the file of scaling already; remove one");
  EXPECT_EQ(
      mistake("serialSecondsPerIteration: 2"),
      "w.yaml:2: jobs[0].serialSecondsPerIteration: is said by the file of scaling already; remove one");
  EXPECT_EQ(mistake("maxReplicas: 5"),
            "w.yaml:2: jobs[0].maxReplicas: must be no more than 4, the last row of its scaling");
}

TEST(Workload, HasDefaultsForAllThatMayBeLeftOut) {
  const auto workload =
      read("cores: 640\njobs:\n  - {name: a, trace: a.csv, cpuSecondsPerIteration: 155.7}\n");
  ASSERT_TRUE(workload) << workload.error().message;
  EXPECT_EQ(workload->cores, Cores(640'000));
  EXPECT_EQ(workload->epoch, Seconds(3));
  EXPECT_EQ(workload->scrape, Seconds(0));
  EXPECT_FALSE(workload->linger);
  const auto& job = workload->jobs.front();
  EXPECT_EQ(job.pauses, ResizePauses());
  EXPECT_EQ(job.arrival, Seconds(0));
  EXPECT_EQ(job.coreSecondsPerIteration, 155.7);
  EXPECT_EQ(job.convergence, Convergence::Auto);
  EXPECT_EQ(job.weight, 1);
  EXPECT_EQ(job.least, Workers(1));
  EXPECT_EQ(job.most, Workers(640));
  EXPECT_EQ(job.target, std::nullopt);
}

TEST(Workload, HasWhatItSays) {
  const auto workload = read(R"(
cores: 8
epochSeconds: 1
scrapeSeconds: 0.25
lingerSeconds: 0.5
endReleases: true
resizeSeconds: 5
shrinkSeconds: 2
resizeBlocks: false
releaseSeconds: 1
readySeconds: 0
jobs:
  - {name: b, arrivalSeconds: 12.5, trace: a.csv, cpuSecondsPerIteration: 1, convergence: NonConvex, weight: 3,
     minReplicas: 2, maxReplicas: 4, target: "0.25", startSeconds: 1.5, startCpuSeconds: 4, serialSecondsPerIteration: 0.1}
  - {name: a, trace: a.csv, cpuSecondsPerIteration: 1, target: -3}
  - {name: c, trace: a.csv, cpuSecondsPerIteration: 1, target: ""}
)");
  ASSERT_TRUE(workload) << workload.error().message;
  ASSERT_EQ(workload->jobs.size(), 3u);
  EXPECT_EQ(workload->jobs[0].name, "a");
  EXPECT_EQ(workload->jobs[0].target, -3);
  EXPECT_EQ(workload->jobs[0].pauses, (ResizePauses{Seconds(5), Seconds(2), Seconds(1), false, Seconds(0)}));
  EXPECT_EQ(workload->scrape, Seconds(0.25));
  EXPECT_EQ(workload->linger, Seconds(0.5));
  EXPECT_TRUE(workload->endReleases);
  EXPECT_EQ(workload->jobs[2].target, std::nullopt);
  const auto& b = workload->jobs[1];
  EXPECT_EQ(b.arrival, Seconds(12.5));
  EXPECT_EQ(b.convergence, Convergence::NonConvex);
  EXPECT_EQ(b.weight, 3);
  EXPECT_EQ(b.least, Workers(2));
  EXPECT_EQ(b.most, Workers(4));
  EXPECT_EQ(b.target, 0.25);
  EXPECT_EQ(b.start, Seconds(1.5));
  EXPECT_EQ(b.startCoreSeconds, 4);
  EXPECT_EQ(b.serial, Seconds(0.1));
}

TEST(Workload, AShrinkHasTheGrowthsPauseUnlessItSaysSo) {
  const auto workload =
      read("cores: 8\nresizeSeconds: 5\njobs: [{name: a, trace: a.csv, cpuSecondsPerIteration: 1}]\n");
  ASSERT_TRUE(workload) << workload.error().message;
  EXPECT_EQ(workload->jobs[0].pauses.shrink, Seconds(5));
}

TEST(Workload, AJobMayHavePausesOfItsOwn) {
  const auto workload = read(R"(
cores: 8
resizeSeconds: 5
shrinkSeconds: 2
jobs:
  - {name: a, trace: a.csv, cpuSecondsPerIteration: 1, shrinkSeconds: 1}
  - {name: b, trace: a.csv, cpuSecondsPerIteration: 1, resizeSeconds: 3, resizeBlocks: false}
)");
  ASSERT_TRUE(workload) << workload.error().message;
  EXPECT_EQ(workload->jobs[0].pauses, (ResizePauses{Seconds(5), Seconds(1), Seconds(0), true}));
  EXPECT_EQ(workload->jobs[1].pauses, (ResizePauses{Seconds(3), Seconds(3), Seconds(0), false}));
}

TEST(Workload, ReadsEachTraceOnce) {
  int reads = 0;
  const auto workload = read(R"(
cores: 8
jobs:
  - {name: a, trace: a.csv, cpuSecondsPerIteration: 1}
  - {name: b, trace: a.csv, cpuSecondsPerIteration: 2}
)",
                             &reads);
  ASSERT_TRUE(workload) << workload.error().message;
  EXPECT_EQ(reads, 1);
  EXPECT_EQ(workload->jobs[0].trace, workload->jobs[1].trace);
}

TEST(Workload, SaysInOneSentenceWhatIsWrongAndWhere) {
  const std::string top = "cores: 8\njobs:\n  - ";
  const std::string rest = "name: a, trace: a.csv, cpuSecondsPerIteration: 1";
  const std::map<std::string, std::string> cases = {
      {"jobs: [{" + rest + "}]", "w.yaml:1: cores: is missing"},
      {"cores: 0.5\njobs: [{" + rest + "}]", "w.yaml:1: cores: must be from 1 to"},
      {"cores: 8\n", "w.yaml:1: jobs: must list at least one job"},
      {"cores: 8\njobs: 3\n", "w.yaml:2: jobs: must be a list"},
      {"cores: 8\njobs: [3]\n", "w.yaml:2: jobs[0]: must be a mapping"},
      {top + "{" + rest + ", wieght: 2}\n", "w.yaml:3: jobs[0].wieght: unknown key; did you mean weight?"},
      {top + "{" + rest + ", weight: 0}\n", "w.yaml:3: jobs[0].weight: must be a whole number from 1"},
      {top + "{" + rest + ", minReplicas: 9}\n", "w.yaml:3: jobs[0].minReplicas: must be a whole number"},
      {top + "{" + rest + ", minReplicas: 3, maxReplicas: 2}\n",
       "w.yaml:3: jobs[0].maxReplicas: must be at least minReplicas (3)"},
      {top + "{" + rest + ", target: low}\n", "w.yaml:3: jobs[0].target: must be a number"},
      {top + "{" + rest + ", convergence: Convex}\n", "w.yaml:3: jobs[0].convergence: must be one of Auto"},
      {top + "{" + rest + ", arrivalSeconds: -1}\n",
       "w.yaml:3: jobs[0].arrivalSeconds: must be a number from 0"},
      {top + "{" + rest + ", arrivalSeconds: .nan}\n", "w.yaml:3: "},
      {top + "{" + rest + ", arrivalSeconds: nan}\n",
       "w.yaml:3: jobs[0].arrivalSeconds: must be a number from 0"},
      {top + "{" + rest + ", serialSecondsPerIteration: -.inf}\n", "w.yaml:3: "},
      {top + "{" + rest + ", startCpuSeconds: 1e999}\n", "w.yaml:3: "},
      {top + "{" + rest + ", startSeconds: -1}\n", "w.yaml:3: jobs[0].startSeconds: must be a number from 0"},
      {top + "{" + rest + ", releaseSeconds: -1}\n",
       "w.yaml:3: jobs[0].releaseSeconds: must be a number from 0"},
      {top + "{" + rest + ", target: nan}\n", "w.yaml:3: jobs[0].target: must be a number"},
      {top + "{" + rest + ", target: 1e999}\n", "w.yaml:3: "},
      {top + "{name: a, trace: a.csv, cpuSecondsPerIteration: -8}\n",
       "w.yaml:3: jobs[0].cpuSecondsPerIteration: must be a number from"},
      {"cores: -4\njobs: [{" + rest + "}]", "w.yaml:1: cores: \"-4\" is negative"},
      {"cores: nan\njobs: [{" + rest + "}]", "w.yaml:1: cores: "},
      {top + "{name: A, trace: a.csv, cpuSecondsPerIteration: 1}\n",
       "w.yaml:3: jobs[0].name: must be a DNS label"},
      {top + "{trace: a.csv, cpuSecondsPerIteration: 1}\n", "w.yaml:3: jobs[0].name: is missing"},
      {top + "{name: a, cpuSecondsPerIteration: 1}\n", "w.yaml:3: jobs[0].trace: is missing"},
      {top + "{name: a, trace: b.csv, cpuSecondsPerIteration: 1}\n",
       "w.yaml:3: jobs[0].trace: b.csv: can't be read"},
      {top + "{name: a, trace: a.csv}\n", "w.yaml:3: jobs[0].cpuSecondsPerIteration: is missing"},
      {top + "{name: a, trace: a.csv, cpuSecondsPerIteration: 0}\n",
       "w.yaml:3: jobs[0].cpuSecondsPerIteration: must be a number from"},
      {top + "{" + rest + "}\n  - {" + rest + "}\n", "w.yaml:4: jobs[1].name: is another job's name"},
      {"cores: 8\nepochSeconds: 0\njobs: [{" + rest + "}]", "w.yaml:2: epochSeconds: must be a number from"},
      {"cores: 8\nscrapeSeconds: 0\njobs: [{" + rest + "}]",
       "w.yaml:2: scrapeSeconds: must be a number from"},
      {"cores: 8\nlingerSeconds: -1\njobs: [{" + rest + "}]",
       "w.yaml:2: lingerSeconds: must be a number from"},
      {"cores: 8\nresizeBlocks: 1\njobs: [{" + rest + "}]", "w.yaml:2: resizeBlocks: must be true or false"},
      {"cores: 8\njobs: [{" + rest + "}]\n---\ncores: 8\n", "w.yaml:4: a workload is one document"},
  };
  for (const auto& [text, expected] : cases) {
    const auto workload = read(text);
    ASSERT_FALSE(workload) << text;
    EXPECT_THAT(workload.error().message, ::testing::StartsWith(expected)) << text;
    EXPECT_THAT(workload.error().message, ::testing::Not(HasSubstr("\n"))) << text;
  }
}

TEST(Workload, TellsAllMistakesAtOnce) {
  const auto workload = read("cores: 8\njobs:\n  - {name: a}\n");
  ASSERT_FALSE(workload);
  EXPECT_THAT(workload.error().message, HasSubstr("trace"));
  EXPECT_THAT(workload.error().message, HasSubstr("\nw.yaml:3: jobs[0].cpuSecondsPerIteration"));
}

}  // namespace
}  // namespace slaq::simulate
