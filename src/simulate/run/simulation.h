// A whole run of a workload under one policy: the production loop on a cluster in virtual time, and the
// figures of the paper's evaluation (section 6). The same input gives the same figures.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loop/epoch_loop.h"
#include "scheduler/state/settings.h"
#include "simulate/input/workload.h"
#include "simulate/run/progression.h"

namespace slaq::simulate {

// Statistics over jobs; the 95th percentile is by nearest rank.
struct Spread {
  double mean = 0;
  double p95 = 0;
};

struct JobOutcome {
  std::string name;
  Seconds arrival{0};
  std::array<std::optional<Seconds>, kReductions.size()> reductions;  // from arrival
  Seconds completion{0};                                              // from arrival
  std::optional<double> lossIntegralSeconds = {};                     // empty where its loss does not fall
  std::int64_t resizes = 0;
};

struct Outcome {
  std::vector<JobOutcome> jobs;  // by name
  // The mean normalized loss of the active jobs whose losses fall, sampled at the beginning of each regular
  // epoch (not of early ones) and averaged over the epochs with such jobs.
  double averageNormalizedLoss = 0;
  // The mean over the jobs whose losses fall of the integral of normalized loss from arrival to completion;
  // empty if no job's loss falls.
  std::optional<double> meanLossIntegralSeconds = {};
  // The times from arrival, in the order of kReductions. Empty where no job reached the reduction.
  std::array<std::optional<Spread>, kReductions.size()> secondsToReduction;
  Spread completionSeconds;                  // from arrival
  double makespanSeconds = 0;                // from the workload's second 0
  std::int64_t resizes = 0;                  // changes of a running job's workers, without starts
  std::vector<double> decisionMicroseconds;  // of each epoch with active jobs, also early ones; only if timed
};

// The state just after an epoch's decision was carried out.
struct EpochMoment {
  Seconds time{0};
  std::size_t active = 0;
  std::size_t completed = 0;
  double averageNormalizedLoss = 0;
  std::int32_t cores = 0;  // held by the active jobs
  // The shares of these cores that go to the quarter of the jobs with the highest normalized loss, to the
  // next quarter and to the other half (Figure 8).
  double highest = 0;
  double middle = 0;
  double lowest = 0;
};

// The quantile by nearest rank. REQUIRES: values, ascending; a share of 0..1.
double quantile(std::span<const double> ascending, double share);

// A run with more epochs than this will hardly ever be over.
inline constexpr double kMostEpochs = 1e6;

struct SimulationOptions {
  scheduler::Settings settings;  // the capacity and the epoch are taken from the workload
  forecast::FittedConstants constants =
      forecast::defaultConstants();  // for the forecasts of jobs without constants of their own
  bool timed = false;                // measure the decisions in real time
  std::function<void(const EpochMoment&)> watch = {};
  double mostEpochs = kMostEpochs;  // the limit of epochs with active jobs
  std::function<void(Seconds, const loop::EpochReport&)> tell =
      {};  // is called with the decisions and actions of each epoch, and its time
};

// Invalid if the jobs stand still for good, or can't be over or are not over within `mostEpochs`.
// REQUIRES: the workload has a job.
Result<Outcome> runSimulation(const Workload& workload, SimulationOptions options);

}  // namespace slaq::simulate
