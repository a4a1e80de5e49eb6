// What a simulation found, as JSON for programs, as a table for people, and epoch by epoch as CSV.
#pragma once

#include <string>

#include "simulate/run/simulation.h"

namespace slaq::cli::simulation {

// One object; the time of decisions only where it was measured.
std::string outcomeJson(const simulate::Outcome& outcome, const scheduler::Settings& settings);
std::string outcomeTable(const simulate::Outcome& outcome, const scheduler::Settings& settings);

// A line for each job, below their headings.
std::string jobsCsv(const simulate::Outcome& outcome);

// The columns of a series, and one epoch of it, each with its end of line.
std::string seriesHeader();
std::string seriesRow(const simulate::EpochMoment& moment);

}  // namespace slaq::cli::simulation
