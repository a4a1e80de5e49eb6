// torchrun starts a training again at each change of its workers. The test prints what that costs.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

#include "run.h"

namespace slaq::machine {
namespace {

// Comes later, takes its fair share for as long as it sleeps, and leaves.
const std::string kGuest = R"(---
apiVersion: slaq.io/v1alpha1
kind: TrainingJob
metadata: {name: guest}
spec:
  workers:
    minReplicas: 1
    maxReplicas: 4
    template:
      spec:
        containers:
        - name: worker
          image: debian
          command: [sleep, "25"]
          resources: {requests: {cpu: 500m}, limits: {cpu: "1"}}
)";

constexpr const char* kNeeds = "needs the packages of scripts/install-deps --python";

bool hasPyTorch() { return system("/usr/bin/python3 -c 'import torch' 2>/dev/null") == 0; }

std::vector<int> sizesOf(const std::vector<Change>& changes) {
  std::vector<int> sizes;
  for (const Change& each : changes) sizes.push_back(each.to);
  return sizes;
}

// The longest time in which a training does no new iteration. It may begin before the two moments, and end
// after them.
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

// Returns the manifest of the example with more steps than any machine does in `seconds`, after which slaq
// ends it. So the example still runs when the guest leaves.
std::string exampleUntil(const std::string& seconds) {
  std::ifstream file(SLAQ_SOURCE_DIR "/examples/python/torchrun.yaml");
  std::string text(std::istreambuf_iterator<char>(file), {});
  const auto replace = [&text](const std::string& what, const std::string& with) {
    const auto at = text.find(what);
    if (at == std::string::npos) throw std::runtime_error("the example has no " + what);
    text.replace(at, what.size(), with);
  };
  replace("--steps=600", "--steps=100000000");
  replace("spec:\n  workers:", "spec:\n  stop: {activeDeadlineSeconds: " + seconds + "}\n  workers:");
  return text;
}

TEST(Torchrun, GoesOnWhenAnotherJobTakesSomeOfItsWorkersAndLeaves) {
  if (!hasPyTorch()) GTEST_SKIP() << kNeeds;
  const Manifest example(exampleUntil("120"));
  const Manifest guest(kGuest);
  const LocalRun run =
      slaqRun("--cores 2 --epoch 2 --policy Fair --interarrival 50 " + example.path() + " " + guest.path());
  ASSERT_EQ(run.code, 0) << run.text;
  for (const char* name : {"torchrun", "guest"}) EXPECT_EQ(run.states.at(name), "Complete") << run.text;
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

// Rank 0, which prints the loss, is at worker 0, whose output is read.
TEST(Torchrun, RunsAProgramThatKnowsNothingOfSlaq) {
  if (!hasPyTorch()) GTEST_SKIP() << kNeeds;
  const TemporaryFile snapshot("", ".pt");
  // Debian's torchrun cannot start with its default of redirects and tee.
  const LocalRun run = slaqRun(
      "--cores 2 --epoch 2 --policy Fair --workers 2:4 --max-cpu 500m -- "
      "torchrun --redirects=2 --tee=2 " SLAQ_SOURCE_DIR "/tests/machine/elastic.py " +
      snapshot.path());
  ASSERT_EQ(run.code, 0) << run.text;
  EXPECT_EQ(run.states.at("elastic"), "Complete") << run.text;
  EXPECT_EQ(sizesOf(run.changes.at("elastic")), std::vector({4})) << run.text;
  EXPECT_EQ(run.samples.at("elastic").back().iteration, 400) << run.text;
}

}  // namespace
}  // namespace slaq::machine
