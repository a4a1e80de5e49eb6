#include "scheduler/allocation/concave_envelope.h"

#include <algorithm>

namespace slaq::scheduler {
namespace {

double slope(const EnvelopePoint& from, const EnvelopePoint& to) {
  return (to.value - from.value) / (to.cost - from.cost);
}

}  // namespace

void ConcaveEnvelope::add(const EnvelopePoint& point) {
  if (!vertices_.empty() && !(point.value > vertices_.back().value)) return;
  while (vertices_.size() > 1) {
    const EnvelopePoint& last = vertices_.back();
    const EnvelopePoint& before = vertices_[vertices_.size() - 2];
    if (slope(last, point) < slope(before, last)) break;
    vertices_.pop_back();
  }
  vertices_.push_back(point);
}

double ConcaveEnvelope::at(double cost) const {
  const auto after = std::ranges::upper_bound(vertices_, cost, {}, &EnvelopePoint::cost);
  if (after == vertices_.begin()) return vertices_.front().value;
  if (after == vertices_.end()) return vertices_.back().value;
  const EnvelopePoint& before = *(after - 1);
  return before.value + (cost - before.cost) * slope(before, *after);
}

std::size_t ConcaveEnvelope::best(double price, std::size_t first, std::size_t last) const {
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    if (slopeAfter(middle) > price) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

double ConcaveEnvelope::slopeAfter(std::size_t i) const { return slope(vertices_[i], vertices_[i + 1]); }

}  // namespace slaq::scheduler
