// A policy: one way of dividing cores among jobs, with everything that follows from it. A policy is a value
// without state; whatever differs between policies is a member here, so that no other code asks which policy
// it serves. To add one: a file in scheduler/policies, and its line in the registry there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scheduler/allocation/price_allocation.h"
#include "scheduler/policy/resize_price.h"

namespace slaq::scheduler {

// What a policy divides, and under which conditions.
struct AllocationProblem {
  std::span<const Demand> demands;
  Budget budget;  // without the drivers; the minimums fit
  Seconds epoch{3};
  ResizePrice resizePrice = {};
  Seconds calm{0};  // since any of the jobs was last told to change
};

// What a policy decided.
struct Division {
  Allocation allocation;
  // In the order of the demands, where the policy goes by gains; else empty.
  std::vector<MarginalGains> gains = {};
  // The dual price of a core-second, in weighted normalized loss; empty where no forecast moved any core.
  std::optional<double> price = {};
  double worstLevel = 0;  // of all jobs, where the policy goes by levels
};

// What is known about one forecast.
struct ForecastQuality {
  std::optional<double> backTestError;  // as a share of the range of the losses seen
  std::size_t losses = 0;               // seen so far
};

// One job of a division that was made, to be explained.
struct ExplainedJob {
  const AllocationProblem& problem;
  const Division& division;
  const Budget& left;           // what nobody has
  std::size_t place;            // of the demand
  std::int32_t leastUnits = 0;  // that its owner allows, whatever bounds the demand at the moment
  std::int32_t mostUnits = 0;
  ForecastQuality forecast = {};
  Cores cpuOfUnit = {};  // what a unit is for each worker, where the job scales by CPU; else 0
};

class Policy {
 public:
  virtual ~Policy() = default;

  // As in the configuration, CamelCase.
  virtual std::string_view name() const = 0;

  // Divides the budget. What a resize has to pay is a part of it. A pure function.
  virtual Division divide(const AllocationProblem& problem) const = 0;

  // Why a job gets what it gets: a clause with the figures that decided, such as "a fifth worker would gain
  // 0.0021, under the price 0.0043".
  virtual std::string explain(const ExplainedJob& job) const = 0;

  // It goes by forecasts, so that jobs whose loss is not known are set apart: they keep what they have or get
  // a fair share. Otherwise it decides about all jobs.
  virtual bool usesForecasts() const { return true; }

  // Arrivals, completions and cores that have come free trigger an epoch of their own. The published policies
  // decide once a period, as section 4 has it.
  virtual bool decidesOnEvents() const { return false; }

  // A gain is counted as a share of all that the job has to gain, from its first loss to its forecast final
  // one. Otherwise it is counted in the largest change of the loss seen so far (section 4.1).
  virtual bool normalizesByRange() const { return false; }

  // The time until a training ends counts, not its loss.
  virtual bool countsCompletion() const { return false; }

  // Before a job has shown its losses and its speed, what other jobs did stands for them.
  virtual bool decidesForNewcomers() const { return false; }

  // The share of all cores that a forecast of this quality may move, as long as others can use the rest.
  virtual double trustedShare(const ForecastQuality&, const ResizePrice&) const { return 1; }

  // Knows the true curves of jobs, as a simulation does. No cluster can be run by it.
  virtual bool needsKnownFuture() const { return false; }
};

inline std::string_view name(const Policy* policy) { return policy->name(); }

}  // namespace slaq::scheduler
