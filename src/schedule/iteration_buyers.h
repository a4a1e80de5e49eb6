// Buyers whose iterations are long beside what a unit does in an epoch: a unit is worth to them what their
// prospect says (schedule/prospect.h), whose slope is the same all through an iteration. The iteration in
// which a price is reached has a closed form, and only the unit in which that iteration ends has to be
// weighed.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "schedule/candidate.h"
#include "schedule/prospect.h"

namespace slaq {

// One job's figures, or those of several jobs, one in each lane. How many iterations are worth a price is a
// function of the first ones; the units that they take, of the others.
template <class Real>
struct IterationTerms {
  Real first, second, third;
  Real least;  // reaches the price: the iteration under way costs less, so it is worth more
  Real each;   // iterations that one unit does in an epoch
  Real start;  // and what is done of them with no unit at all: the part that is begun
  Real begun;
  Real min, max;  // units
};

// Those of one family of curves.
struct IterationColumns {
  static constexpr std::size_t kTogether = 8;
  using Rough = IterationTerms<std::array<float, kTogether>>;

  std::vector<IterationTerms<double>> terms;
  std::vector<Rough> rough;      // the same again, for the search
  std::vector<double> rounding;  // of gains per core-second
  std::vector<std::uint32_t> place;
  std::vector<std::int32_t> fewest, most;
  std::int64_t minimum = 0;  // of all

  void clear();
  void add(const IterationTerms<double>& terms, double rounding, std::uint32_t at);
  std::size_t size() const { return place.size(); }
};

// How many units buyers take, in all.
struct Counts {
  std::int64_t fewest = 0;
  std::int64_t most = 0;
};

// visit(place, fewest, most) of each in the columns, as counted last.
template <class Columns, class Visit>
void visitCounts(const Columns& columns, Visit visit) {
  for (std::size_t i = 0; i < columns.size(); ++i)
    visit(columns.place[i], columns.fewest[i], columns.most[i]);
}

// Columns of floats hold it, too.
inline bool isRoughlyFinite(double figure) { return std::isfinite(static_cast<float>(figure)); }

// The functions are those of schedule/buyers.h.
class IterationBuyers {
 public:
  void clear();
  // False where it has no closed form: neither a falling hyperbola nor a falling exponential, or figures that
  // are out of range.
  bool add(const Candidate& candidate, const Prospect& prospect, std::uint32_t place, Seconds epoch);

  std::size_t size() const { return hyperbolas_.size() + exponentials_.size(); }
  std::int64_t least() const { return hyperbolas_.minimum + exponentials_.minimum; }
  double countAt(double logPrice) const { return sampleAt(logPrice, 1); }
  double sampleAt(double logPrice, std::size_t every) const;
  // However gains are rounded, no unit of `fewest` is worth less than the higher price, and none beyond
  // `most` as much as the lower.
  Counts countEach(double higher, double lower);
  template <class Visit>
  void forEach(Visit visit) const {
    for (const auto* columns : {&hyperbolas_, &exponentials_}) visitCounts(*columns, visit);
  }

 private:
  IterationColumns hyperbolas_;
  IterationColumns exponentials_;
};

}  // namespace slaq
