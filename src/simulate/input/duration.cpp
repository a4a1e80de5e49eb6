#include "simulate/input/duration.h"

#include <algorithm>
#include <limits>

namespace slaq::simulate {
namespace {

double iterationsOf(const SimulatedJob& job) { return static_cast<double>(job.trace->losses.size() - 1); }

// The core-seconds of one iteration, with the cheapest number of workers.
double cheapestIteration(const SimulatedJob& job) {
  if (!job.scaling) return job.coreSecondsPerIteration;
  double cheapest = std::numeric_limits<double>::infinity();
  for (const auto& point : job.scaling->speeds) cheapest = std::min(cheapest, point.size / point.speed);
  return cheapest;
}

double coreSecondsOf(const SimulatedJob& job) {
  return iterationsOf(job) * cheapestIteration(job) + job.startCoreSeconds;
}

// The job's shortest time from its start to its end, with the fastest number of workers.
Seconds leastOf(const SimulatedJob& job, Cores all) {
  const double cores = std::min<double>(job.most.value(), inCores(all));
  return Seconds(iterationsOf(job) / speedOf(job).fastest(cores) + job.startCoreSeconds / cores);
}

std::string sentence(const std::string& who, Seconds least, Seconds epoch, double epochs) {
  return who + " " + toDecimal(least.count(), 4) + " s at least, and no more than " + toDecimal(epochs, 12) +
         " epochs of " + toDecimal(epoch.count()) +
         " s are simulated; give shorter traces, fewer cpuSecondsPerIteration, or more epochSeconds";
}

}  // namespace

std::optional<std::string> whyTooLong(const Workload& workload, double epochs) {
  const Seconds most = epochs * workload.epoch;
  double all = 0;
  for (const auto& job : workload.jobs) {
    const Seconds least = leastOf(job, workload.cores);
    if (least > most) return sentence("job " + job.name + " takes", least, workload.epoch, epochs);
    all += coreSecondsOf(job);
  }
  const Seconds together(all / inCores(workload.cores));
  if (together > most) return sentence("all jobs together take", together, workload.epoch, epochs);
  return std::nullopt;
}

}  // namespace slaq::simulate
