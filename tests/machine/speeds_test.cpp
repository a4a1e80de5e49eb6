// What slaq finds out about trainings whose iterations take a known time with each number of workers, and
// what changes cost a training that starts again at each of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "run.h"

namespace slaq::machine {
namespace {

// Seconds of an iteration by workers, as measured_trainer takes them.
using SecondsByWorkers = std::map<int, double>;

// A training of 1 to 4 workers, of a kind of its own: else each would expect of itself what the other showed.
std::string job(const std::string& name, const SecondsByWorkers& seconds, int iterations,
                const std::string& cpu = "100m") {
  std::string list;
  for (const auto& [workers, each] : seconds)
    list += (list.empty() ? "" : ",") + std::to_string(workers) + ":" + std::to_string(each);
  return R"(---
apiVersion: slaq.io/v1alpha1
kind: TrainingJob
metadata: {name: )" +
         name + ", labels: {slaq.io/kind: " + name + R"(}}
spec:
  workers:
    minReplicas: 1
    maxReplicas: 4
    restart: {pauseSeconds: 1}
    template:
      spec:
        containers:
        - name: worker
          command: [)" SLAQ_SOURCE_DIR R"(/tests/machine/measured_trainer]
          args: ["--seconds=)" +
         list + "\", --iterations=" + std::to_string(iterations) + R"(]
          ports: [{name: driver, containerPort: 7070}, {name: metrics, containerPort: 9464}]
          resources: {requests: {cpu: )" +
         cpu + R"(}, limits: {cpu: "1"}}
)";
}

// The mean of those in the last third of the run.
double secondsOfAnIteration(const std::vector<Sample>& samples) {
  const Sample& last = samples.back();
  const auto first = std::ranges::lower_bound(samples, last.seconds * 2 / 3, {}, &Sample::seconds);
  return (last.seconds - first->seconds) / (last.iteration - first->iteration);
}

double least(const SecondsByWorkers& seconds) {
  return std::ranges::min_element(seconds, {}, [](const auto& each) { return each.second; })->second;
}

std::vector<int> sizesOf(const std::vector<Change>& changes) {
  std::vector<int> sizes;
  for (const Change& each : changes) sizes.push_back(each.to);
  return sizes;
}

// One run of both trainings. Neither takes cores from the other. They are long enough for a trial with fewer
// workers, which may cost a twentieth of the time before it.
class Speeds : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const Manifest both(job("crowded", kCrowded, 900) + job("serial", kSerial, 630));
    run_ = slaqRun("--cores 1 --epoch 2 " + both.path());
  }

  void SetUp() override {
    ASSERT_EQ(run_.code, 0) << run_.text;
    for (const char* name : {"crowded", "serial"})
      ASSERT_EQ(run_.jobs.at(name).state, "Complete") << run_.text;
  }

  // Three workers are the best: the fourth only costs time.
  inline static const SecondsByWorkers kCrowded = {{1, 0.22}, {2, 0.12}, {3, 0.08}, {4, 0.16}};
  // A quarter of what one worker does cannot be shared.
  inline static const SecondsByWorkers kSerial = {{1, 0.44}, {2, 0.275}, {3, 0.22}, {4, 0.19}};
  inline static LocalRun run_;
};

TEST_F(Speeds, ATrainingWhoseSpeedFallsBeyond3WorkersEndsUpWith3AndStays) {
  const auto sizes = sizesOf(run_.changes.at("crowded"));
  const double seconds = secondsOfAnIteration(run_.samples.at("crowded"));
  std::cout << "crowded had " << testing::PrintToString(sizes) << " workers and ended with iterations of "
            << seconds << " s, of " << least(kCrowded) << " s at best\n";
  EXPECT_EQ(sizes.back(), 3) << run_.text;
  EXPECT_LE(sizes.size(), 6u) << run_.text;
  EXPECT_LT(seconds, 1.15 * least(kCrowded)) << run_.text;
}

TEST_F(Speeds, ATrainingWithALargeSerialPartEndsAtASizeNearTheBest) {
  const auto sizes = sizesOf(run_.changes.at("serial"));
  const double seconds = secondsOfAnIteration(run_.samples.at("serial"));
  std::cout << "serial had " << testing::PrintToString(sizes) << " workers and ended with iterations of "
            << seconds << " s, of " << least(kSerial) << " s at best\n";
  EXPECT_LE(kSerial.at(sizes.back()), 1.25 * least(kSerial)) << run_.text;
  EXPECT_LE(sizes.size(), 6u) << run_.text;
  EXPECT_LT(seconds, 1.25 * least(kSerial)) << run_.text;
}

// The longest time without a new iteration between two moments, or across one of them.
struct Standstill {
  double from = 0;
  double seconds = 0;
};

Standstill longestBetween(const std::vector<Sample>& samples, double from, double to) {
  Standstill longest;
  Sample before = samples.front();
  for (const Sample& each : samples) {
    if (each.iteration <= before.iteration) continue;
    const Standstill standstill{before.seconds, each.seconds - before.seconds};
    const bool isWithin = each.seconds > from && before.seconds < to;
    if (isWithin && standstill.seconds > longest.seconds) longest = standstill;
    before = each;
  }
  return longest;
}

TEST(Torchrun, GoesOnWhenAnotherJobTakesSomeOfItsWorkersAndLeaves) {
  if (system("/usr/bin/python3 -c 'import torch, prometheus_client' 2>/dev/null") != 0)
    GTEST_SKIP() << "needs the packages of scripts/install-deps --python";
  const Manifest guest(job("guest", {{1, 0.2}}, 120, "500m"));
  const LocalRun run = slaqRun("--cores 2 --epoch 2 --policy Fair --interarrival 50 " SLAQ_SOURCE_DIR
                               "/examples/python/torchrun.yaml " +
                               guest.path());
  ASSERT_EQ(run.code, 0) << run.text;
  for (const char* name : {"torchrun", "guest"}) EXPECT_EQ(run.jobs.at(name).state, "Complete") << run.text;
  const auto& changes = run.changes.at("torchrun");
  EXPECT_EQ(sizesOf(changes), std::vector({4, 2, 4})) << run.text;
  for (std::size_t i = 1; i < changes.size(); ++i) {
    const double end =
        i + 1 < changes.size() ? changes[i + 1].seconds : run.samples.at("torchrun").back().seconds;
    const auto longest = longestBetween(run.samples.at("torchrun"), changes[i].seconds, end);
    std::cout << changes[i].from << " -> " << changes[i].to << " workers at " << changes[i].seconds
              << " s: torchrun stood still for " << longest.seconds << " s from " << longest.from
              << " s on\n";
  }
}

}  // namespace
}  // namespace slaq::machine
