// Chooses the series of one scrape that are the loss and the iterations of a training. A program may export
// several series of one metric that differ in labels of its own. All sources use these functions, so that a
// job is read alike from Prometheus and from its pods. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "prometheus/matrix.h"

namespace slaq::prom {

// Three metrics for each of a thousand pods. A job with more series is not read, since each of its losses is
// compared with each of its iterations.
inline constexpr std::size_t kMostSeriesOfAJob = 3000;

// The sentence for the owner of a job that has this number of series.
std::string tooManySeries(double series);

using Labels = std::vector<Label>;  // sorted by name

struct NearestLabels {
  std::size_t index = 0;
  std::size_t differences = 0;  // labels that only one of the two has, or that have two values
};

// The candidate whose labels differ least from `labels`. Among equals, it is the one with the fewest labels,
// and then the first in the order of their names and values. Empty without candidates.
std::optional<NearestLabels> nearestTo(const Labels& labels, std::span<const Labels* const> candidates);

// Indices of a loss and of its iterations.
struct SeriesPair {
  std::size_t loss = 0;
  std::size_t iterations = 0;
  std::size_t differences = 0;  // between their labels

  bool operator==(const SeriesPair&) const = default;
};

// Pairs each loss with its nearest iterations, and each series of iterations with its nearest loss. The pairs
// are in the order in which they are to be read: the pair that differs least comes first. Among equals, the
// loss with the fewest labels comes first, and then the first in the order of their names and values.
std::vector<SeriesPair> pairsOf(std::span<const Labels* const> losses,
                                std::span<const Labels* const> iterations);

struct MetricNames {
  std::string_view loss;
  std::string_view iterations;
};

// A sentence for the owner, if only the order of labels made the first pair the one that is read. It says
// which label distinguishes the series, which of them is read, and what to write instead.
std::optional<std::string> noticeOf(const MetricNames& metrics, std::span<const Labels* const> losses,
                                    std::span<const Labels* const> iterations,
                                    std::span<const SeriesPair> pairs);

}  // namespace slaq::prom
