// The times of jobs as they were, beside those that slaq would have given them, as a table for people and as
// JSON for programs.
#pragma once

#include <string>

#include "cli/report/past_jobs.h"
#include "cli/terminal/grid.h"
#include "simulate/run/simulation.h"

namespace slaq::cli::report {

struct Comparison {
  PastJobs past;
  Time begin;
  Time end;
  std::string policy;
  simulate::Outcome was;    // of past.asTheyWere
  simulate::Outcome would;  // of past.asTheyMay, under the policy
};

std::string comparisonText(const Comparison& comparison, const terminal::Frame& frame);
std::string comparisonJson(const Comparison& comparison);

}  // namespace slaq::cli::report
