// Scores tables of experts for evaluation/fit_constants.py. It reads from the standard input:
//   EVERY COUNT                 one forecast of so many is scored; the number of series; then of each:
//   RANGE TRUTHS SEEN           and as many truths by iteration, as many iterations seen, and the losses seen
//   there;
// and then, until the input ends, tables: the number of candidates (scoring/candidates.h) and these. For each
// table it writes, as floats, for each series the errors of the range and then those of the loss with each
// candidate added.
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "scoring/table_score.h"

namespace slaq::evaluation {
namespace {

std::vector<double> readNumbers(std::size_t count) {
  std::vector<double> numbers(count);
  for (auto& number : numbers) std::cin >> number;
  return numbers;
}

std::vector<PreparedSeries> readSeries() {
  std::size_t every = 1, count = 0;
  std::cin >> every >> count;
  std::vector<PreparedSeries> series;
  for (std::size_t i = 0; i < count; ++i) {
    RecordedSeries recorded;
    std::size_t truths = 0, seen = 0;
    std::cin >> recorded.range >> truths >> seen;
    recorded.truth = readNumbers(truths);
    recorded.iterations = readNumbers(seen);
    recorded.losses = readNumbers(seen);
    series.push_back(prepare(recorded, every));
  }
  return series;
}

void scoreTables(const std::vector<PreparedSeries>& series) {
  std::size_t size = 0;
  while (std::cin >> size) {
    std::vector<std::size_t> table(size);
    for (auto& expert : table) std::cin >> expert;
    for (const auto& each : series) {
      const TableScores scores = scoresWithEachAdded(table, each);
      std::fwrite(scores.ofRange.data(), sizeof(float), kCandidates, stdout);
      std::fwrite(scores.ofLoss.data(), sizeof(float), kCandidates, stdout);
    }
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace slaq::evaluation

int main() {
  std::ios::sync_with_stdio(false);
  slaq::evaluation::scoreTables(slaq::evaluation::readSeries());
}
