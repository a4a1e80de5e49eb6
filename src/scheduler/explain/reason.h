// Decisions explain themselves: one clause for each job, with the figures that decided.
#pragma once

#include "scheduler/lifecycle/decision_context.h"
#include "scheduler/state/sizes.h"

namespace slaq::scheduler {

// A job of a finished division.
struct DecidedJob {
  const DecisionContext& context;
  const AllocationProblem& problem;
  const Division& division;
  const Budget& left;  // cores that no job gets
  const JobSnapshot& job;
  const JobPlan& plan;  // with the held size and the target
  const Sizes& sizes;
  const Demand& demand;
  std::int32_t units;
  int weight;                        // within the limit of its namespace
  std::optional<std::size_t> place;  // in the problem; empty if the policy did not decide about it
};

// The reason for the job's units: "a fifth worker would gain 0.0021, under the price 0.0043".
std::string reasonOf(const DecidedJob& decided);

}  // namespace slaq::scheduler
