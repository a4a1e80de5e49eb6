// What slaq top shows of a cluster's jobs, to the letter.
#include "cli/top/top_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "cli/top/job_json.h"

namespace slaq::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

top::TopRow topRow(const std::string& name, JobState state, int workers, double gain) {
  top::TopRow row;
  row.job.key = {"team-a", name};
  row.job.state = state;
  row.job.workers = row.job.desired = row.ready = Workers(workers);
  row.job.most = Workers(8);
  row.job.cores = Cores(500) * Workers(workers);
  row.gainPerCore = gain;
  row.price = 0.0043;
  return row;
}

top::TopView threeTopRows() {
  top::TopView view{.ns = "team-a", .rows = {}, .trouble = {}};
  view.rows = {topRow("logreg", JobState::Running, 6, 0.00512), topRow("svm", JobState::Running, 4, 0.0001),
               topRow("waits", JobState::Waiting, 0, 0)};
  view.rows[0].job.desired = Workers(7);
  view.rows[0].job.iteration = Iterations(1230);
  view.rows[0].job.loss = Loss(0.43125);
  view.rows[0].job.reduced = 0.62;
  view.rows[0].remaining = Seconds(250);
  view.rows[0].job.reason = "6 -> 7: it gains more than the price";
  view.rows[1].workerCpu = Cores(750);
  view.rows[1].job.cores = Cores(3000);
  view.rows[2].job.reason = "waits for 1500m cores";
  return view;
}

constexpr terminal::Style kTopUnicode{.colours = false, .unicode = true};
constexpr terminal::Style kTopAscii{.colours = false, .unicode = false};

TEST(TopTable, ShowsAllThatThereIsRoomFor) {
  EXPECT_EQ("\n" + top::topTable(threeTopRows(), {.columns = 160, .lines = 20, .style = kTopUnicode}), R"(
slaq  team-a  3 jobs: 1 Waiting, 2 Running  cores 6  price 0.0043
NAME    STATE      WORKERS     CORES  ITERATION      LOSS  PROGRESS           GAIN     PRICE   LEFT  WHY
logreg  Running    6/7             3       1230   0.43125  █████░░░  62%   0.00512    0.0043   4:10  6 -> 7: it gains more than the price
svm     Running    4/4 x 750m      3          -         -  ░░░░░░░░    -    0.0001    0.0043      -
waits   Waiting    0/0             0          -         -  ░░░░░░░░    -         0    0.0043      -  waits for 1500m cores
)");
}

TEST(TopTable, LeavesOutWhatIsWorthLeast) {
  EXPECT_EQ("\n" + top::topTable(threeTopRows(), {.columns = 72, .lines = 8, .style = kTopAscii}), R"(
slaq  team-a  3 jobs: 1 Waiting, 2 Running  cores 6  price 0.0043
NAME    STATE      WORKERS     CORES  ITERATION      LOSS  PROG   LEFT
logreg  Running    6/7             3       1230   0.43125   62%   4:10
svm     Running    4/4 x 750m      3          -         -     -      -
waits   Waiting    0/0             0          -         -     -      -
)");
  EXPECT_EQ("\n" + top::topTable(threeTopRows(), {.columns = 46, .lines = 8, .style = kTopAscii}), R"(
slaq  team-a  3 jobs: 1 Waiting, 2 Running..
NAME    STATE      WORKERS         LOSS  PROG
logreg  Running    6/7          0.43125   62%
svm     Running    4/4 x 750m         -     -
waits   Waiting    0/0                -     -
)");
}

TEST(TopTable, StaysWithinTheScreen) {
  for (const std::size_t columns : {40u, 60u, 80u, 100u, 120u, 200u}) {
    for (const std::size_t lines : {2u, 3u, 4u, 20u}) {
      std::istringstream text(
          top::topTable(threeTopRows(), {.columns = columns, .lines = lines, .style = kTopUnicode}));
      std::size_t count = 0;
      for (std::string line; std::getline(text, line); ++count)
        EXPECT_LE(terminal::widthOf(line), columns) << line;
      EXPECT_LE(count, lines);
    }
  }
}

TEST(TopTable, NamesNamespacesWhereThereAreMany) {
  top::TopView view = threeTopRows();
  view.ns.clear();
  const auto text = top::topTable(view, {.columns = 140, .lines = 20, .style = kTopUnicode});
  EXPECT_THAT(text, HasSubstr("slaq  all namespaces  3 jobs"));
  EXPECT_THAT(text, HasSubstr("\nNAMESPACE  NAME"));
  EXPECT_THAT(text, HasSubstr("\nteam-a     logreg"));
}

TEST(TopTable, TellsWhyItMayBeOldAndKeepsTheJobs) {
  top::TopView view = threeTopRows();
  view.trouble = "the API server at https://k can't be reached: the connection is refused";
  const auto text = top::topTable(view, {.columns = 140, .lines = 20, .style = kTopUnicode});
  EXPECT_THAT(text, HasSubstr("\nthe API server at https://k can't be reached"));
  EXPECT_THAT(text, HasSubstr("\nlogreg"));
}

// A script reads the names.
TEST(TopTable, CutsNoNameWhereThereIsRoom) {
  top::TopView view = threeTopRows();
  view.rows[0].job.key.name = std::string(45, 'a');
  EXPECT_THAT(top::topTable(view, {.columns = 140, .lines = 20, .style = kTopUnicode}),
              Not(HasSubstr(std::string(45, 'a'))));
  EXPECT_THAT(top::topTable(view, {.columns = 10000, .lines = 0, .style = kTopUnicode}),
              HasSubstr(std::string(45, 'a')));
}

TEST(TopTable, ColoursOnlyIfAsked) {
  EXPECT_THAT(top::topTable(threeTopRows(), {.columns = 140, .lines = 20, .style = {true, true}}),
              HasSubstr("\x1b[33mWaiting  \x1b[0m"));
  EXPECT_THAT(top::topTable(threeTopRows(), {.columns = 140, .lines = 20, .style = kTopUnicode}),
              Not(HasSubstr("\x1b")));
}

std::vector<std::string> sorted(top::SortKey key) {
  auto rows = threeTopRows().rows;
  rows[0].created = Time(Seconds(30));
  rows[1].created = Time(Seconds(10));
  rows[2].created = Time(Seconds(20));
  rows[2].gainPerCore.reset();
  rows[2].job.loss = Loss(7);
  top::sortRows(rows, key);
  std::vector<std::string> names;
  for (const auto& each : rows) names.push_back(each.job.key.name);
  return names;
}

TEST(TopRows, AreSortedWithWhatIsNotKnownLast) {
  EXPECT_THAT(sorted(top::SortKey::Cores), ElementsAre("logreg", "svm", "waits"));  // a tie, then none
  EXPECT_THAT(sorted(top::SortKey::Gain), ElementsAre("logreg", "svm", "waits"));
  EXPECT_THAT(sorted(top::SortKey::Loss), ElementsAre("waits", "logreg", "svm"));
  EXPECT_THAT(sorted(top::SortKey::Age), ElementsAre("svm", "waits", "logreg"));
  EXPECT_THAT(sorted(top::SortKey::Name), ElementsAre("logreg", "svm", "waits"));
}

kube::objects::StoredJob storedJob() {
  kube::objects::StoredJob job;
  job.key = {"team-a", "logreg"};
  job.job.spec.workers.pod.containers.push_back({.name = "main", .request = Cores(500)});
  job.status.replicas = Workers(4);
  job.status.decision = Decision{.workers = Workers(4), .cores = Cores(2000)};
  return job;
}

TEST(TopRows, CountTheCoresOfTheWorkersThatExist) {
  auto job = storedJob();
  EXPECT_EQ(top::topRowOf(job).job.cores, Cores(2000));
  job.status.decision->workerCpu = Cores(750);
  EXPECT_EQ(top::topRowOf(job).job.cores, Cores(3000));
}

// A worker with a GPU requests CPU, too.
TEST(TopRows, TakeTheUnitOfCapacityFromTheDecision) {
  auto job = storedJob();
  job.status.decision->cores = Cores(8000);
  for (const auto& cpu : {std::optional(Cores(500)), std::optional<Cores>()}) {
    job.job.spec.workers.pod.containers[0].request = cpu;
    EXPECT_EQ(top::topRowOf(job).job.cores, Cores(8000));
  }
  job.status.decision.reset();
  EXPECT_EQ(top::topRowOf(job).job.cores, Cores(0));
}

TEST(TopRows, ShowNothingThatIsNoNumber) {
  auto job = storedJob();
  job.status.progress = Progress{.iteration = Iterations(3), .loss = Loss(std::nan(""))};
  job.status.decision->gainPerCore = std::numeric_limits<double>::infinity();
  const auto row = top::topRowOf(job);
  EXPECT_FALSE(row.job.loss);
  EXPECT_FALSE(row.gainPerCore);
  EXPECT_THAT(top::topJson({row}), Not(testing::AnyOf(HasSubstr("NaN"), HasSubstr("Inf"))));
}

TEST(TopRows, OfAFinishedJobAreDone) {
  auto job = storedJob();
  job.status.state = JobState::Complete;
  job.status.progress = Progress{.level = 0.03, .remaining = Seconds(10)};
  EXPECT_EQ(top::topRowOf(job).job.reduced, 1.0);
  EXPECT_FALSE(top::topRowOf(job).remaining);
}

TEST(TopRows, OfAFinishedJobWhoseLossDidNotFallShowNoProgress) {
  auto job = storedJob();
  job.status.state = JobState::Complete;
  job.status.progress = Progress{.iteration = Iterations(3), .loss = Loss(0.7)};
  EXPECT_FALSE(top::topRowOf(job).job.reduced);
}

}  // namespace
}  // namespace slaq::cli
