// A policy: one way of dividing cores among jobs, with everything that follows from it. A policy is a value
// without state. All differences between policies are members here, so that no other code asks which policy
// it serves. A new policy needs a file in scheduler/policies and a line in the registry there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scheduler/allocation/price_allocation.h"
#include "scheduler/policy/resize_price.h"

namespace slaq::scheduler {

// The input of a policy's division: the demands, the budget and the conditions.
struct AllocationProblem {
  std::span<const Demand> demands;
  Budget budget;  // without the drivers; the minimums fit
  Seconds epoch{3};
  ResizePrice resizePrice = {};
  Seconds calm{0};  // time since any of the jobs was last told to change
};

// The result of a policy's division.
struct Division {
  Allocation allocation;
  // The gains in the order of the demands, where the policy goes by gains; else empty.
  std::vector<MarginalGains> gains = {};
  // The dual price of a core-second, in weighted normalized loss; empty where no forecast moved any core.
  std::optional<double> price = {};
  double worstLevel = 0;  // the largest of all jobs, where the policy goes by levels
};

// One job of a finished division, to be explained.
struct ExplainedJob {
  const AllocationProblem& problem;
  const Division& division;
  const Budget& left;           // cores that no job gets
  std::size_t place;            // the demand's place in the problem
  std::int32_t leastUnits = 0;  // allowed by its owner, whatever bounds the demand at the moment
  std::int32_t mostUnits = 0;
  std::optional<double> backTestError = {};  // of the forecast, as a share of the range of the losses seen
  Cores cpuOfUnit = {};       // the CPU of a unit for each worker, where the job scales by CPU; else 0
  bool isOneProcess = false;  // it never has more than one worker
};

class Policy {
 public:
  virtual ~Policy() = default;

  // The name in the configuration, in CamelCase.
  virtual std::string_view name() const = 0;

  // Divides the budget. Each policy decides whether it counts the cost of resizes, which the demands tell:
  // Fair does not. A pure function.
  virtual Division divide(const AllocationProblem& problem) const = 0;

  // The reason for a job's units: a clause with the figures that decided, such as "a fifth worker would gain
  // 0.0021, under the price 0.0043".
  virtual std::string explain(const ExplainedJob& job) const = 0;

  // True if the policy goes by forecasts. Jobs whose loss is not known are then set apart: they keep what
  // they have or get a fair share. Otherwise the policy decides about all jobs.
  virtual bool usesForecasts() const { return true; }

  // True if arrivals, completions and newly free cores trigger an epoch of their own. The published policies
  // decide once a period, as in section 4.
  virtual bool decidesOnEvents() const { return false; }

  // True if a gain is counted as a share of the job's whole range, from its first loss to its forecast final
  // loss. Otherwise it is counted in the largest change of the loss seen so far (section 4.1).
  virtual bool normalizesByRange() const { return false; }

  // True if the time until a training ends counts, and not its loss.
  virtual bool countsCompletion() const { return false; }

  // True if the results of other jobs stand in for a job until it has shown its losses and its speed.
  virtual bool decidesForNewcomers() const { return false; }

  // The share of all cores that a forecast may move, as long as other jobs can use the rest. `backTestError`
  // is a share of the range of the losses seen, and empty before the first back-test.
  virtual double trustedShare(std::optional<double> /*backTestError*/) const { return 1; }

  // True if the policy needs the true curves of jobs, which only a simulation knows. Such a policy cannot run
  // a cluster.
  virtual bool needsKnownFuture() const { return false; }
};

inline std::string_view name(const Policy* policy) { return policy->name(); }

}  // namespace slaq::scheduler
