// A whole run of a workload under one policy: the production loop on a cluster in virtual time, and the
// figures of the paper's evaluation (section 6) about it. The same input gives the same figures.
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

// Over jobs; the 95th percentile by nearest rank.
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
  // The mean over the active jobs whose losses fall, sampled when each regular epoch begins, early ones left
  // out, and averaged over those with any.
  double averageNormalizedLoss = 0;
  // The mean over those jobs of the integral of normalized loss from arrival to completion; empty of none.
  std::optional<double> meanLossIntegralSeconds = {};
  // From arrival; in the order of kReductions. Empty where no job came to it.
  std::array<std::optional<Spread>, kReductions.size()> secondsToReduction;
  Spread completionSeconds;                  // from arrival
  double makespanSeconds = 0;                // from the workload's second 0
  std::int64_t resizes = 0;                  // changes of a running job's workers; starts are none
  std::vector<double> decisionMicroseconds;  // of each epoch with active jobs, early ones too, if timed
};

// The moment after an epoch's decision was carried out.
struct EpochMoment {
  Seconds time{0};
  std::size_t active = 0;
  std::size_t completed = 0;
  double averageNormalizedLoss = 0;
  std::int32_t cores = 0;  // held by the active jobs
  // The shares of those cores of the quarter of the jobs with the highest normalized loss, the next quarter
  // and the other half (Figure 8).
  double highest = 0;
  double middle = 0;
  double lowest = 0;
};

// By nearest rank. REQUIRES: values, ascending; a share of 0..1.
double quantile(std::span<const double> ascending, double share);

// What is not over then hardly ever will be.
inline constexpr double kMostEpochs = 1e6;

struct SimulationOptions {
  scheduler::Settings settings;  // the capacity and the epoch are the workload's
  forecast::FittedConstants constants =
      forecast::defaultConstants();  // of the forecasts of jobs that have none of their own
  bool timed = false;                // measure the decisions in real time
  std::function<void(const EpochMoment&)> watch = {};
  double mostEpochs = kMostEpochs;  // with active jobs
  std::function<void(Seconds, const loop::EpochReport&)> tell =
      {};  // what each epoch decided and did, and when
};

// Invalid if the jobs have come to a standstill for good, or can't be over or are not within `mostEpochs`.
// REQUIRES: the workload has a job.
Result<Outcome> runSimulation(const Workload& workload, SimulationOptions options);

}  // namespace slaq::simulate
