// Algorithm 1, or look-ahead, without its steps, where gains are concave: every job buys the units that are
// worth the price of a core, so the price is what has to be found at which they buy as many as there are. The
// same allocation, unit for unit, in a few passes over columns of figures.
#pragma once

#include <optional>
#include <vector>

#include "schedule/buyers.h"

namespace slaq {

// One thread uses it. Who keeps it saves its memory, and the search begins at the last price.
class PriceSearch {
 public:
  // Takes the candidates in. False where they can't be divided by a price (schedule/buyers.h); then Algorithm
  // 1 is to be asked. False, too, where a unit does fewer iterations in an epoch than so many, of whichever
  // candidate. REQUIRES: they outlive the next call of `divide`.
  bool load(std::span<const Candidate> candidates, Seconds epoch, double iterations = 0);
  // The same by prospects instead of curves. REQUIRES: they outlive the next call of `divide`.
  bool load(const Prospects& prospects);

  // Not where giving so many cores unit by unit likely takes less long: where many of those who buy have no
  // closed form (schedule/buyers.h). REQUIRES: `load` was true.
  bool paysFor(Cores capacity) const;

  // Everybody's minimum, and then the units by which jobs gain most, each of them something, as the division
  // unit by unit (schedule/greedy.h) gives them. What it leaves of the capacity. REQUIRES: `load` was true,
  // and the minimums fit into `capacity`.
  Cores divide(Cores capacity, Allocation& allocation);

  // Where the search begins: at a price that is likely near, in normalized loss per core-second, or, anew,
  // without any. It ends at the same division.
  void beginAt(double price);
  void forget() { last_.reset(); }

 private:
  // Two logarithms of prices and what is bought there: less than there is, and as much or more.
  struct Bracket {
    double high, low;
    double few, many;
  };
  // How wide apart `few` and `many` may stay.
  double tolerance() const;
  double roughly(double units) const;
  Bracket around(double start, double units) const;
  void narrow(Bracket& bracket, double units) const;
  // These give units out, and tell how many are left.
  std::int64_t settle(const Bracket& bracket, double units, Allocation& allocation);
  std::int64_t contest(std::int64_t units, Allocation& allocation);

  struct Contested {
    double gain;
    std::uint32_t place;
    std::int32_t most;
  };

  std::span<const Candidate> candidates_;
  Buyers buyers_;
  std::vector<Contested> contested_;
  std::optional<double> last_;  // the logarithm of the last price
};

}  // namespace slaq
