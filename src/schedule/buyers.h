// Jobs as buyers of units: how many each takes at a price of a core, in closed form, because its gains by
// unit fall. Columns of figures, so that a hundred thousand are asked at once. What a unit gains is what the
// curve loses by the next epoch, or what it is worth by the job's prospect.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "schedule/candidate.h"
#include "schedule/iteration_buyers.h"
#include "schedule/prospects.h"

namespace slaq {

// A price is given by its logarithm; it is in weighted normalized loss per core-second.
class Buyers {
 public:
  // By curves. False where prices say nothing: a limited group, units of different size, gains that do not
  // fall; and where a unit of one of them does fewer iterations in an epoch than so many. REQUIRES: there are
  // any, and they outlive the next call of anything else.
  bool load(std::span<const Candidate> candidates, Seconds epoch, double iterations = 0);
  // By prospects, by which gains always fall. REQUIRES: they outlive the next call of anything else.
  bool load(const Prospects& prospects);

  // What one unit more gains, per core-second.
  double gainPerCore(std::uint32_t place, std::int32_t units) const;

  // What each candidate has at least, and what all buyers have at least.
  std::span<const std::int32_t> minimums() const { return minimums_; }
  std::int64_t least() const {
    return hyperbolas_.minimum + exponentials_.minimum + others_.minimum + iterations_.least();
  }
  // The cores of all candidates' minimums.
  Cores minimumCores() const { return minimumCores_; }

  // How many units all buyers take, or every so manyth of them for all, but for roundings. Those who never
  // gain are no buyers.
  double countAt(double logPrice) const;
  double sampleAt(double logPrice, std::size_t every) const;
  std::size_t size() const {
    return hyperbolas_.size() + exponentials_.size() + others_.size() + iterations_.size();
  }

  // Those that have no closed form, but are asked again and again at each price.
  std::size_t asked() const { return others_.size(); }

  // Exactly what each takes at the higher and at the lower price; the result is all of them together. By
  // prospects, however gains are rounded.
  Counts countEach(double higher, double lower);
  // visit(place, fewest, most): as counted last.
  template <class Visit>
  void forEach(Visit visit) const {
    for (const auto* columns : {&hyperbolas_, &exponentials_, &others_}) visitCounts(*columns, visit);
    iterations_.forEach(visit);
  }

 private:
  // The count at a price is a function of two figures, within bounds.
  struct Columns {
    std::vector<double> first, second;
    std::vector<float> roughFirst, roughSecond, min, max;  // half the memory for the search
    std::vector<std::uint32_t> place;
    std::vector<std::int32_t> fewest, most;
    std::int64_t minimum = 0;  // of all

    void clear(std::size_t most);  // and make room for so many
    void add(double one, double two, const Candidate& candidate, std::uint32_t at);
    std::size_t size() const { return place.size(); }
  };

  bool loadAll(double iterations);
  bool add(std::uint32_t place);
  bool addByCurve(std::uint32_t place);
  void addByProspect(std::uint32_t place);
  bool addHyperbola(std::uint32_t place);
  bool addExponential(std::uint32_t place);
  double iterationsOfUnit(const Candidate& candidate) const;
  void countEachAt(double logPrice, std::vector<std::int32_t> Columns::*column, std::int64_t& sum);
  void countOthers(double higher, double lower, Counts& sums);
  std::int32_t countOf(std::uint32_t place, double price) const;

  std::span<const Candidate> candidates_;
  Seconds epoch_{1};
  const Prospects* prospects_ = nullptr;  // none where it goes by curves
  Columns hyperbolas_;                    // by curves
  Columns exponentials_;
  IterationBuyers iterations_;  // by prospects
  Columns others_;              // asked unit by unit
  std::vector<std::int32_t> minimums_;
  Cores minimumCores_;
};

}  // namespace slaq
