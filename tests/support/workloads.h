// Workloads for tests: jobs with made-up losses in a line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scheduler/state/settings.h"
#include "simulate/input/workload.h"

namespace slaq::testing {

struct MadeUpJob {
  std::string name;
  std::vector<double> losses;
  double cost = 1;
  Seconds arrival{0};
  int least = 1;
  int most = 1000;
  std::string kind = {};
  Value value = Value::Loss;
};

// From 1 down to 0 in so many equal steps.
inline std::vector<double> linearFall(int iterations) {
  std::vector<double> losses;
  for (int k = 0; k <= iterations; ++k) losses.push_back(1.0 - static_cast<double>(k) / iterations);
  return losses;
}

inline simulate::Workload workloadOf(int cores, const std::vector<MadeUpJob>& jobs,
                                     simulate::ResizePauses pauses = {}) {
  simulate::Workload workload{.cores = Cores(1000 * cores), .jobs = {}};
  for (const auto& job : jobs) {
    workload.jobs.push_back({.name = job.name,
                             .kind = job.kind,
                             .arrival = job.arrival,
                             .trace = std::make_shared<simulate::Trace>(simulate::Trace{job.losses}),
                             .coreSecondsPerIteration = job.cost,
                             .pauses = pauses,
                             .value = job.value,
                             .least = Workers(job.least),
                             .most = Workers(job.most)});
  }
  return workload;
}

// A policy as published: resizes are not weighed.
inline scheduler::Settings published(const scheduler::Policy* policy) {
  return {.policy = policy, .price = {.grow = Seconds(0), .shrink = Seconds(0), .horizon = Seconds(0)}};
}

}  // namespace slaq::testing
