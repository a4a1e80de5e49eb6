// How well tables of experts forecast a recorded training: those that have one expert more than a given one,
// all together, as most of the work is the same for all of them.
#pragma once

#include <span>

#include "scoring/prepared_series.h"

namespace slaq::evaluation {

// Of the table with each candidate added: means over the forecasts 10 iterations ahead.
struct TableScores {
  CandidateNumbers ofRange{};  // |forecast - true| / range
  CandidateNumbers ofLoss{};   // |forecast - true| / |true|
};

// `table` are the numbers of different candidates, one of them 0. REQUIRES: fewer than kCandidates.
TableScores scoresWithEachAdded(std::span<const std::size_t> table, const PreparedSeries& series);

}  // namespace slaq::evaluation
