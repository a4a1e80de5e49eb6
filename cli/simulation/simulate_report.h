// What a simulation found, as JSON for programs, as a table for people, and epoch by epoch as CSV.
#pragma once

#include <map>
#include <string>

#include "page/document.h"
#include "simulate/run/simulation.h"

namespace slaq::cli::simulation {

// An outcome with the settings that it came out under.
struct Simulated {
  scheduler::Settings settings;
  simulate::Outcome outcome;
};

// One object; the time of decisions only where it was measured.
std::string outcomeJson(const Simulated& run);
std::string outcomeTable(const Simulated& run);

// The same workload under two policies: an object with both, and a table with the ratios of the second's
// means to the first's.
std::string comparisonJson(const Simulated& ours, const Simulated& others);
std::string comparisonTable(const Simulated& ours, const Simulated& others);

// A line for each job, below their headings.
std::string jobsCsv(const simulate::Outcome& outcome);

// How far each job came, and when, for a page.
std::map<JobKey, page::JobEnd> endsOf(const simulate::Outcome& outcome);

// The columns of a series, and one epoch of it, each with its end of line.
std::string seriesHeader();
std::string seriesRow(const simulate::EpochMoment& moment);

}  // namespace slaq::cli::simulation
