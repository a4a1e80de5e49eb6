// The outcome of a simulation, as JSON for programs, as a table for people, and epoch by epoch as CSV.
#pragma once

#include <map>
#include <string>

#include "page/document.h"
#include "simulate/run/simulation.h"

namespace slaq::cli::simulation {

// An outcome with the settings of its simulation.
struct Simulated {
  scheduler::Settings settings;
  simulate::Outcome outcome;
};

// One object; it has the time of decisions only if that was measured.
std::string outcomeJson(const Simulated& run);
std::string outcomeTable(const Simulated& run);

// The same workload under two policies: an object with both, and a table with the ratios of the second's
// means to the first's.
std::string comparisonJson(const Simulated& ours, const Simulated& others);
std::string comparisonTable(const Simulated& ours, const Simulated& others);

// A heading, and a line for each job.
std::string jobsCsv(const simulate::Outcome& outcome);

// The times of each job's reductions and completion, for a page.
std::map<JobKey, page::JobEnd> endsOf(const simulate::Outcome& outcome);

// The heading of a series, and one epoch of it, each with its line end.
std::string seriesHeader();
std::string seriesRow(const simulate::EpochMoment& moment);

}  // namespace slaq::cli::simulation
