// What is drawn, to the letter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli/jobs/change_lines.h"
#include "cli/jobs/live_table.h"
#include "cli/jobs/verdict.h"
#include "cli/run/summary.h"
#include "cli/terminal/terminal.h"

namespace slaq::cli {
namespace {

jobs::JobRow row(const std::string& name, JobState state, int workers, int desired) {
  jobs::JobRow row;
  row.key = {"default", name};
  row.state = state;
  row.workers = Workers(workers);
  row.desired = Workers(desired);
  row.most = Workers(8);
  row.cores = Cores(200) * Workers(workers);
  return row;
}

jobs::RunSnapshot threeJobs() {
  jobs::RunSnapshot snapshot{
      .policy = "TotalQuality", .age = Seconds(75.4), .capacity = Cores(2000), .toCome = 2, .jobs = {}};
  snapshot.jobs = {row("kmeans", JobState::Complete, 0, 0), row("logreg", JobState::Running, 5, 6),
                   row("linreg", JobState::Waiting, 0, 0)};
  snapshot.jobs[0].iteration = Iterations(60);
  snapshot.jobs[0].loss = Loss(12.25);
  snapshot.jobs[0].reduced = 1;
  snapshot.jobs[0].reason = "the training is over";
  snapshot.jobs[1].iteration = Iterations(123);
  snapshot.jobs[1].loss = Loss(0.43125);
  snapshot.jobs[1].reduced = 0.618;
  snapshot.jobs[1].reason = "one more worker takes off more here than anywhere else";
  snapshot.jobs[2].key.ns = "team";
  snapshot.jobs[2].reason = "waits for 300m cores";
  return snapshot;
}

constexpr terminal::Style kUnicode{.colours = false, .unicode = true};
constexpr terminal::Style kAscii{.colours = false, .unicode = false};

TEST(LiveTable, ShowsBarsAndReasonsWhereThereIsRoom) {
  EXPECT_EQ("\n" + jobs::liveTable(threeJobs(), {.columns = 110, .lines = 8, .style = kUnicode}), R"(
slaq  TotalQuality  1:15  cores 1 of 2  jobs 2 here, 1 done, 2 to come
JOB          STATE      WORKERS         ITERATION       LOSS  REDUCED        WHY
kmeans       Complete   ░░░░░░░░   0/8         60      12.25  ████████ 100%  the training is over
logreg       Running    █████░░░   5/8        123    0.43125  █████░░░  61%  one more worker takes off more…
team/linreg  Waiting    ░░░░░░░░   0/8          -          -  ░░░░░░░░    -  waits for 300m cores
)");
}

TEST(LiveTable, PutsReasonsBelowOnANarrowScreen) {
  EXPECT_EQ("\n" + jobs::liveTable(threeJobs(), {.columns = 58, .lines = 9, .style = kAscii}), R"(
slaq  TotalQuality  1:15  cores 1 of 2  jobs 2 here, 1..
JOB          STATE      WORK.  ITERATION       LOSS  RED.
kmeans       Complete     0/8         60      12.25  100%
    the training is over
logreg       Running      5/8        123    0.43125   61%
    one more worker takes off more here than anywhere else
team/linreg  Waiting      0/8          -          -     -
    waits for 300m cores
)");
}

TEST(LiveTable, LeavesOutWhatHasNoRoom) {
  EXPECT_EQ("\n" + jobs::liveTable(threeJobs(), {.columns = 58, .lines = 8, .style = kAscii}), R"(
slaq  TotalQuality  1:15  cores 1 of 2  jobs 2 here, 1..
JOB          STATE      WORK.  ITERATION       LOSS  RED.
kmeans       Complete     0/8         60      12.25  100%
logreg       Running      5/8        123    0.43125   61%
team/linreg  Waiting      0/8          -          -     -
)");
}

TEST(LiveTable, ShowsTheCoresOfWorkersThatScaleByCpu) {
  jobs::RunSnapshot snapshot = threeJobs();
  snapshot.jobs.resize(2);
  for (auto& job : snapshot.jobs) job.mostCpu = Cores(4000);
  snapshot.jobs[1].workers = Workers(2);
  snapshot.jobs[1].cpu = Cores(1250);
  EXPECT_EQ("\n" + jobs::liveTable(snapshot, {.columns = 78, .lines = 6, .style = kUnicode}), R"(
slaq  TotalQuality  1:15  cores 1 of 2  jobs 1 here, 1 done, 2 to come
JOB     STATE      WORKERS          ITERATION       LOSS  REDUCED
kmeans  Complete   ░░░░░░░░      0         60      12.25  ████████ 100%
logreg  Running    ███░░░░░ 2x1.25        123    0.43125  █████░░░  61%
)");
}

// Commands have no workers that a reader could know of.
TEST(LiveTable, ShowsCoresWhereEachJobIsOneProcess) {
  jobs::RunSnapshot snapshot = threeJobs();
  snapshot.jobs.resize(2);
  for (auto& job : snapshot.jobs) {
    job.mostCpu = Cores(2000);
    job.most = Workers(1);
  }
  snapshot.jobs[1].workers = Workers(1);
  snapshot.jobs[1].cpu = Cores(1250);
  EXPECT_EQ("\n" + jobs::liveTable(snapshot, {.columns = 78, .lines = 6, .style = kUnicode}), R"(
slaq  TotalQuality  1:15  cores 1 of 2  jobs 1 here, 1 done, 2 to come
JOB     STATE      CORES            ITERATION       LOSS  REDUCED
kmeans  Complete   ░░░░░░░░    0/2         60      12.25  ████████ 100%
logreg  Running    █████░░░ 1.25/2        123    0.43125  █████░░░  61%
)");
}

TEST(LiveTable, StaysWithinTheScreen) {
  for (const std::size_t columns : {58u, 60u, 70u, 75u, 80u, 100u, 200u}) {
    for (const std::size_t lines : {2u, 3u, 4u, 20u}) {
      std::istringstream text(
          jobs::liveTable(threeJobs(), {.columns = columns, .lines = lines, .style = kUnicode}));
      std::size_t count = 0;
      for (std::string line; std::getline(text, line); ++count)
        EXPECT_LE(terminal::widthOf(line), columns) << line;
      EXPECT_LE(count, lines);
    }
  }
  EXPECT_THAT(jobs::liveTable(threeJobs(), {.columns = 80, .lines = 3, .style = kAscii}),
              testing::EndsWith("3 more\n"));
}

TEST(LiveTable, ColoursOnlyIfAsked) {
  const terminal::Frame colourful{.columns = 110, .lines = 20, .style = {.colours = true, .unicode = true}};
  EXPECT_THAT(jobs::liveTable(threeJobs(), colourful), testing::HasSubstr("\x1b[36mRunning  \x1b[0m"));
  EXPECT_THAT(jobs::liveTable(threeJobs(), {.columns = 110, .lines = 20, .style = kUnicode}),
              testing::Not(testing::HasSubstr("\x1b")));
}

TEST(Rewind, GoesBackOverWhatWasDrawn) {
  EXPECT_EQ(terminal::rewind(0), "");
  EXPECT_EQ(terminal::rewind(5), "\x1b[5A\r\x1b[J");
}

TEST(ChangeLines, TellTheCoresOfWorkersThatScaleByCpu) {
  jobs::RunSnapshot snapshot = threeJobs();
  snapshot.jobs = {row("a", JobState::Running, 2, 2)};
  snapshot.jobs[0].desiredCpu = Cores(600);
  snapshot.jobs[0].reason = "fair share";
  const auto before = snapshot.jobs;
  EXPECT_THAT(jobs::changeLines({}, snapshot),
              testing::ElementsAre("   75.4 s  default/a  arrived",
                                   "   75.4 s  default/a  600m cores for each of 2 workers: fair share"));
  EXPECT_THAT(jobs::changeLines(before, snapshot), testing::IsEmpty());
  snapshot.jobs[0].desiredCpu = Cores(1250);
  EXPECT_THAT(
      jobs::changeLines(before, snapshot),
      testing::ElementsAre("   75.4 s  default/a  600m -> 1250m cores for each of 2 workers: fair share"));
}

TEST(ChangeLines, CountOneCoreAndOneWorker) {
  jobs::RunSnapshot snapshot = threeJobs();
  snapshot.jobs = {row("a", JobState::Running, 1, 1)};
  snapshot.jobs[0].desiredCpu = Cores(1000);
  snapshot.jobs[0].awaited = Cores(1000);
  snapshot.jobs[0].reason = "fair share";
  auto before = snapshot.jobs;
  before[0].desiredCpu = Cores(600);
  EXPECT_THAT(
      jobs::changeLines(before, snapshot),
      testing::ElementsAre("   75.4 s  default/a  0.6 -> 1 core, as soon as 1 core is free: fair share"));
}

TEST(ChangeLines, TellWhatIsNewAndNothingElse) {
  jobs::RunSnapshot snapshot = threeJobs();
  EXPECT_THAT(
      jobs::changeLines({}, snapshot),
      testing::ElementsAre(
          "   75.4 s  default/kmeans  arrived",
          "   75.4 s  default/kmeans  Complete, loss 12.25 at iteration 60: the training is over",
          "   75.4 s  default/logreg  arrived",
          "   75.4 s  default/logreg  0 -> 6 workers: one more worker takes off more here than anywhere else",
          "   75.4 s  team/linreg  arrived", "   75.4 s  team/linreg  Waiting: waits for 300m cores"));
  EXPECT_THAT(jobs::changeLines(snapshot.jobs, snapshot), testing::IsEmpty());
  const auto before = snapshot.jobs;
  snapshot.age = Seconds(130);
  snapshot.jobs[1].desired = Workers(1);
  snapshot.jobs[1].loss = Loss(0.1);
  snapshot.jobs[1].reason = "others gain more";
  EXPECT_THAT(jobs::changeLines(before, snapshot),
              testing::ElementsAre("    130 s  default/logreg  6 -> 1 worker: others gain more"));
}

// The size of a job that has ended becomes 0 in the next epoch.
TEST(ChangeLines, TellTheEndOfAJobBetweenTwoEpochsOnce) {
  jobs::RunSnapshot snapshot = threeJobs();
  snapshot.jobs = {row("a", JobState::Complete, 4, 4)};
  const auto ended = snapshot.jobs;
  snapshot.jobs[0].desired = Workers(0);
  EXPECT_THAT(jobs::changeLines(ended, snapshot), testing::IsEmpty());
}

TEST(ChangeLines, TellAChangeOnceAndTheCoresThatItWaitsFor) {
  jobs::RunSnapshot snapshot = threeJobs();
  snapshot.jobs = {row("a", JobState::Running, 4, 4)};
  const auto before = snapshot.jobs;
  snapshot.jobs[0].desired = Workers(8);
  snapshot.jobs[0].awaited = Cores(1400);
  snapshot.jobs[0].reason = "its last worker gains most";
  EXPECT_THAT(jobs::changeLines(before, snapshot),
              testing::ElementsAre("   75.4 s  default/a  4 -> 8 workers, as soon as 1400m cores are free: "
                                   "its last worker gains most"));
  const auto waiting = snapshot.jobs;
  snapshot.jobs[0].awaited.reset();
  EXPECT_THAT(jobs::changeLines(waiting, snapshot), testing::IsEmpty());
}

run::JobResult result(const std::string& name, std::array<std::optional<Seconds>, 4> times) {
  return {{"default", name}, times[3] ? JobState::Complete : JobState::Failed, times, ""};
}

const run::RunResult kFirst{"TotalQuality",
                            {result("kmeans", {Seconds(2), Seconds(4), Seconds(5), Seconds(10)}),
                             result("logreg", {Seconds(4), Seconds(10.04), Seconds(12), Seconds(100.4)}),
                             result("linreg", {Seconds(1), {}, {}, {}})},
                            false};
const run::RunResult kSecond{
    "Fair",
    {result("kmeans", {Seconds(4), Seconds(6), Seconds(7), Seconds(12)}),
     result("logreg", {Seconds(6), Seconds(15), Seconds(20), Seconds(98)}), result("linreg", {})},
    false};

TEST(Summary, ShowsTimesAndMeans) {
  EXPECT_EQ("\n" + run::summaryOf(kFirst), R"(
Time from arrival to so much of the job's own loss reduction (TotalQuality)
JOB                 50%      90%      95%     done  STATE
default/kmeans    2.0 s    4.0 s    5.0 s   10.0 s  Complete
default/logreg    4.0 s   10.0 s   12.0 s    100 s  Complete
default/linreg    1.0 s        -        -        -  Failed
mean              2.3 s    7.0 s    8.5 s   55.2 s
)");
}

TEST(Comparison, SetsTwoRunsSideBySide) {
  EXPECT_EQ("\n" + run::comparisonOf(kFirst, kSecond), R"(
Time from arrival to so much of the job's own loss reduction
                TotalQuality                           Fair
JOB                 50%      90%      95%     done         50%      90%      95%     done
default/kmeans    2.0 s    4.0 s    5.0 s   10.0 s       4.0 s    6.0 s    7.0 s   12.0 s
default/logreg    4.0 s   10.0 s   12.0 s    100 s       6.0 s   15.0 s   20.0 s   98.0 s
default/linreg    1.0 s        -        -        -           -        -        -        -
mean              3.0 s    7.0 s    8.5 s   55.2 s       5.0 s   10.5 s   13.5 s   55.0 s
ratio             1.67x    1.50x    1.59x    1.00x   (Fair to TotalQuality)
)");
}

std::string verdictOf(const run::RunResult& first, const run::RunResult& second) {
  const auto pageOf = [](const run::RunResult& run) {
    return page::Run{.policy = run.policy, .timeline = {}, .ends = run::endsOf(run)};
  };
  return jobs::verdictOf(pageOf(first), pageOf(second));
}

// How the sentence begins.
std::string meansAre(const std::string& first, const std::string& beside, const std::string& second) {
  return "Under " + first + " the mean time until jobs have 90% of their loss reduction is " + beside +
         " under " + second;
}

TEST(Verdict, IsASentenceAboutTheMeansAndTheJobsThatAreLater) {
  EXPECT_EQ(verdictOf(kFirst, kSecond), meansAre("TotalQuality", "33% shorter than", "Fair") +
                                            " (7.0 s and 10.5 s); later for no job. The mean time to their "
                                            "end is as long as under Fair (55.2 s "
                                            "and 55.0 s); later for the job logreg, by 2.4 s.");
  EXPECT_EQ(verdictOf(kSecond, kFirst),
            meansAre("Fair", "50% longer than", "TotalQuality") +
                " (10.5 s and 7.0 s); later for the jobs kmeans, logreg, by up to 5.0 s. The mean time to "
                "their end "
                "is as long as under TotalQuality (55.0 s and 55.2 s); later for the job kmeans, by 2.0 s.");
}

TEST(Verdict, DoesNotNameWhatTheTableDoesNotShow) {
  run::RunResult other = kFirst;
  *other.jobs[0].times[1] -= Seconds(0.04);
  EXPECT_EQ(
      verdictOf(kFirst, other),
      meansAre("TotalQuality", "as long as", "TotalQuality") +
          " (7.0 s and 7.0 s); later for no job. The mean time to their end is as long as under TotalQuality "
          "(55.2 s and 55.2 s); later for no job.");
}

TEST(Verdict, NamesTheJobsThatCameThereInOneRunAlone) {
  run::RunResult other = kSecond;
  other.jobs[0].times = {};
  other.jobs[2].times[1] = Seconds(3);
  EXPECT_EQ(
      verdictOf(kFirst, other),
      meansAre("TotalQuality", "33% shorter than", "Fair") +
          " (10.0 s and 15.0 s); later for no job; only under TotalQuality came so far kmeans; only under "
          "Fair "
          "came so far linreg. The mean time to their end is 2% longer than under Fair (100 s and 98.0 s); "
          "later for the job logreg, by 2.4 s; only under TotalQuality came so far kmeans.");
}

TEST(Verdict, SaysThatThereIsNothingToCompare) {
  run::RunResult other = kSecond;
  for (auto& job : other.jobs) job.times = {};
  EXPECT_EQ(verdictOf(kFirst, other),
            "No job came to 90% of its loss reduction in both runs, so they cannot be compared.");
}

TEST(LossCsv, HasALineForEachLossThatWasSeen) {
  const JobKey job{"default", "kmeans"};
  EXPECT_EQ(run::lossCsvHeader() +
                run::lossCsvLine("Fair", job, Seconds(1.25), {Time(), Iterations(0), Loss(2.5)}) +
                run::lossCsvLine("Fair", job, Seconds(30), {Time(), Iterations(120), Loss(-1e-3)}),
            "policy,job,seconds,iteration,loss\n"
            "Fair,default/kmeans,1.25,0,2.5\n"
            "Fair,default/kmeans,30,120,-0.001\n");
}

TEST(Failures, AreToldWithTheReason) {
  run::RunResult run = kFirst;
  EXPECT_EQ(run::failuresOf(run), "default/linreg failed\n");
  run.jobs[2].failure = "the driver failed 4 times\ndriver ended with exit code 4";
  EXPECT_EQ(run::failuresOf(run),
            "default/linreg failed: the driver failed 4 times\ndriver ended with exit code 4\n");
}

TEST(Silent, AreToldWithTheReason) {
  run::RunResult run = kFirst;
  for (auto& job : run.jobs) job.losses = {{Time(), Iterations(0), Loss(1)}};
  EXPECT_EQ(run::silentOf(run), "");
  run.jobs[0].losses.clear();
  run.jobs[0].problem = "there is no metric slaq_training_loss";
  EXPECT_EQ(
      run::silentOf(run),
      "1 of " + std::to_string(run.jobs.size()) +
          " jobs exported no loss, and had cores without regard to it:\n  " + toString(run.jobs[0].key) +
          ": there is no metric slaq_training_loss\nA program exports it on the port in its environment "
          "variable SLAQ_METRICS_PORT, as docs/your-trainer.md tells. A program that prints it needs "
          "spec.loss.from: {output: {}}.\n");
  run.jobs[0].exportsLoss = false;
  EXPECT_THAT(run::silentOf(run),
              ::testing::EndsWith("docs/your-trainer.md tells what is read of what programs write.\n"));
  run.jobs[0].state = JobState::Failed;
  EXPECT_EQ(run::silentOf(run), "") << "its failure is what has to be mended";
  run.jobs[0].state = JobState::Complete;
  run.jobs[0].needsLoss = false;
  EXPECT_EQ(run::silentOf(run), "");
}

TEST(Hints, AreToldOnceAndAtTheEnd) {
  jobs::RunSnapshot snapshot = threeJobs();
  snapshot.jobs = {row("a", JobState::Running, 2, 2)};
  const auto before = snapshot.jobs;
  snapshot.jobs[0].hints = {"the loss is read, but one scrape has 2 series of it"};
  EXPECT_THAT(jobs::changeLines(before, snapshot),
              testing::ElementsAre(
                  "   75.4 s  default/a  hint: the loss is read, but one scrape has 2 series of it"));
  EXPECT_THAT(jobs::changeLines(snapshot.jobs, snapshot), testing::IsEmpty());
  auto later = snapshot;
  later.jobs[0].hints = {"the loss is read, but one scrape has 3 series of it"};
  EXPECT_THAT(jobs::changeLines(snapshot.jobs, later), testing::IsEmpty()) << "only a figure changed";
  run::RunResult run = kFirst;
  EXPECT_EQ(run::hintsOf(run), "");
  run.jobs[1].hints = snapshot.jobs[0].hints;
  EXPECT_EQ(run::hintsOf(run), "hint: default/logreg: the loss is read, but one scrape has 2 series of it\n");
}

TEST(Hints, AreConditionsThatSayWhatToChange) {
  JobStatus status;
  set(status.conditions, {.type = ConditionType::MetricsAvailable,
                          .status = Truth::True,
                          .reason = "LossReported",
                          .message = "x"});
  EXPECT_THAT(jobs::hintsOf(status), testing::IsEmpty());
  set(status.conditions, {.type = ConditionType::MetricsAvailable,
                          .status = Truth::True,
                          .reason = kSeveralSeries,
                          .message = "y"});
  EXPECT_THAT(jobs::hintsOf(status), testing::ElementsAre("y"));
}

TEST(Restarts, AreToldWhenTheyComeAndAtTheEnd) {
  jobs::RunSnapshot snapshot = threeJobs();
  snapshot.jobs = {row("a", JobState::Running, 2, 2)};
  auto before = snapshot.jobs;
  snapshot.jobs[0].chief = {1, "exit code 1"};
  EXPECT_THAT(jobs::changeLines(before, snapshot),
              testing::ElementsAre("   75.4 s  default/a  its program ended with exit code 1; "
                                   "it has failed once so far"));
  EXPECT_THAT(jobs::changeLines(snapshot.jobs, snapshot), testing::IsEmpty());
  before = snapshot.jobs;
  snapshot.jobs[0].chief = {3, "signal 9"};
  EXPECT_THAT(jobs::changeLines(before, snapshot),
              testing::ElementsAre("   75.4 s  default/a  its program ended with signal 9; "
                                   "it has failed 3 times so far"));
  EXPECT_THAT(jobs::liveTable(snapshot, {.columns = 120, .lines = 20, .style = kAscii}),
              testing::HasSubstr("failed 3 times, last with signal 9;"));
  run::RunResult run = kFirst;
  EXPECT_EQ(run::restartsOf(run), "");
  run.jobs[1].restarts = 3;
  run.jobs[1].lastFailure = "exit code 1";
  EXPECT_EQ(run::restartsOf(run),
            "default/logreg was started again 3 times: its program ended with exit code 1\n");
}

TEST(ChangeLines, TellOfALossThatIsNotReadOnce) {
  jobs::RunSnapshot snapshot = threeJobs();
  snapshot.jobs = {row("a", JobState::Running, 2, 2)};
  const auto before = snapshot.jobs;
  snapshot.jobs[0].problem = "no sample came";
  EXPECT_THAT(jobs::changeLines(before, snapshot),
              testing::ElementsAre("   75.4 s  default/a  no loss: no sample came"));
  EXPECT_THAT(jobs::changeLines(snapshot.jobs, snapshot), testing::IsEmpty());
  snapshot.jobs[0].problem = "line 1 is no metric: 'loss 0.42'";
  const auto told = snapshot.jobs;
  snapshot.jobs[0].problem = "line 1 is no metric: 'loss 0.41'";
  EXPECT_THAT(jobs::changeLines(told, snapshot), testing::IsEmpty()) << "another figure is no news";
}

TEST(Text, FitsColumns) {
  EXPECT_EQ(terminal::left("abc", 5), "abc  ");
  EXPECT_EQ(terminal::left("äöü", 2), "äö");
  EXPECT_EQ(terminal::right("é", 3), "  é");
  EXPECT_EQ(terminal::cut("abc def", 5, kUnicode), "abc…");
  EXPECT_EQ(terminal::cut("abcdef", 5, kAscii), "abc..");
  EXPECT_EQ(terminal::cut("abc", 3, kUnicode), "abc");
  EXPECT_EQ(terminal::cut("abc", 0, kUnicode), "");
  EXPECT_EQ(terminal::bar(0.5, 4, kUnicode), "██░░");
  EXPECT_EQ(terminal::bar(7, 4, kAscii), "####");
  EXPECT_EQ(terminal::bar(-1, 4, kAscii), "....");
  EXPECT_EQ(terminal::toClock(Seconds(3723.9)), "1:02:03");
  EXPECT_EQ(terminal::toClock(Seconds(7)), "0:07");
}

}  // namespace
}  // namespace slaq::cli
