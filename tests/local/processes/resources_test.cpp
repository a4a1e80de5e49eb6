// The weight and the limit of a process: the request and the limit of its container.
#include <gtest/gtest.h>

#include <thread>

#include "local/cpu/choose_limiter.h"
#include "local/processes/machine.h"
#include "local/support.h"

namespace slaq::local::processes {
namespace {

PodTemplate podWith(std::optional<Cores> request, std::optional<Cores> limit) {
  PodTemplate pod = shell("exit 0");
  pod.containers.front().request = request;
  pod.containers.front().limit = limit;
  return pod;
}

const Cores kAll = cpu::usableCores();

TEST(ResourcesOfAProcess, AreThoseOfItsContainer) {
  const auto limited = resourcesOf(podWith(Cores(200), Cores(500)));
  EXPECT_EQ(limited.request, Cores(200));
  EXPECT_EQ(limited.limit, Cores(500));
  EXPECT_EQ(resourcesOf(podWith({}, Cores(500))).request, Cores(500));
}

// As on a cluster: it uses what others leave.
TEST(ResourcesOfAProcess, HaveNoLimitWhereTheContainerHasNone) {
  EXPECT_EQ(resourcesOf(podWith(Cores(200), {})).limit, kAll);
  WorkersSpec workers;
  workers.pod = podWith(Cores(200), {});
  const auto worker = resourcesAt(workers, Cores(200), false);
  EXPECT_EQ(worker.request, Cores(200));
  EXPECT_EQ(worker.limit, kAll);
}

// --max-cpu of a command is cpu.max, and its template has no limit.
TEST(ResourcesOfAProcess, HaveTheCeilingOfAWorkerWhoseCpuChanges) {
  WorkersSpec workers;
  workers.scaling = Scaling::CPU;
  workers.cpu = {.min = Cores(100), .max = Cores(1500)};
  workers.pod = podWith(Cores(100), {});
  EXPECT_EQ(resourcesAt(workers, Cores(400), false).limit, Cores(1500));
  workers.cpu.ceiling = CpuCeiling::Hard;
  EXPECT_EQ(resourcesAt(workers, Cores(400), false).limit, Cores(400));
  EXPECT_EQ(resourcesAt(workers, Cores(400), true).limit, Cores(1500));
  workers.pod = podWith(Cores(100), Cores(200));
  EXPECT_EQ(resourcesAt(workers, Cores(400), false).limit, Cores(800))
      << "it moves by the factor of the request";
}

}  // namespace
}  // namespace slaq::local::processes
