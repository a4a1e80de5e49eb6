#include "prometheus/crowds.h"

#include <algorithm>
#include <utility>

namespace slaq::prom {

bool Crowds::update(const Matrix& counts, const SeriesLabels& labels) {
  const auto before = std::exchange(counts_, {});
  namespaces_.clear();
  for (const Series& series : counts.series) {
    if (series.points.empty() || !(series.points.back().value > double(kMostSeriesOfAJob))) continue;
    const JobKey job{std::string(labelOf(series, labels.ns)), std::string(labelOf(series, labels.job))};
    counts_[job] = series.points.back().value;
    namespaces_.insert(job.ns);
  }
  return std::ranges::any_of(counts_, [&](const auto& each) { return !before.contains(each.first); });
}

std::string Crowds::problemOf(const JobKey& job) const { return tooManySeries(counts_.at(job)); }

}  // namespace slaq::prom
