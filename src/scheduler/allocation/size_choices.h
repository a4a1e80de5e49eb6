// The sizes of a job that are best for it at some price: the vertices of the concave envelope of its utility
// over its units.
#pragma once

#include "scheduler/allocation/utility.h"

namespace slaq::scheduler {

class SizeChoices {
 public:
  // REQUIRES: the demand outlives it.
  SizeChoices(const Demand& demand, const UtilityRule& rule);

  const Utility& utility() const { return utility_; }

  // Vertex 0 is the minimum.
  std::size_t last() const { return envelope_.size() - 1; }
  std::int32_t unitsAt(std::size_t vertex) const { return static_cast<std::int32_t>(envelope_[vertex].cost); }

  // The best vertex at the price of a core-second, among the vertices `from` to `to`.
  std::size_t best(double price, std::size_t from, std::size_t to) const {
    return envelope_.best(price * coresOfUnit_, from, to);
  }

  // The value of a core-second from this size to the next better one; -infinity if there is none.
  double gainAfter(std::int32_t units) const;
  // The value of a core-second on the way to this size; infinity at the minimum.
  double gainBefore(std::int32_t units) const;

 private:
  void add(std::int32_t units) { envelope_.add({static_cast<double>(units), utility_.at(units)}); }

  Utility utility_;
  ConcaveEnvelope envelope_;  // its costs are units
  double coresOfUnit_;
};

}  // namespace slaq::scheduler
