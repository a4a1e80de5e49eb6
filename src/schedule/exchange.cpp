#include "schedule/exchange.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace slaq {
namespace {

// A smaller improvement is rounding.
constexpr double kLeast = 1e-12;

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

// What those that take part would gain by so many units more or fewer.
class Offers {
 public:
  Offers(std::span<const Candidate> candidates, std::vector<std::size_t> places, const GainOf& gainOf,
         Allocation& allocation)
      : candidates_(candidates),
        places_(std::move(places)),
        gainOf_(gainOf),
        allocation_(allocation),
        changes_(places_.size()) {
    for (std::size_t p = 0; p < places_.size(); ++p) look(p);
  }

  std::size_t size() const { return places_.size(); }

  double change(std::size_t p, std::int32_t units) const {
    return changes_[p][static_cast<std::size_t>(units + kLargestMove)];
  }

  void give(std::size_t p, std::int32_t units) {
    allocation_[places_[p]] += units;
    look(p);
  }

 private:
  void look(std::size_t p) {
    const std::size_t i = places_[p];
    const Candidate& candidate = candidates_[i];
    const double now = gainOf_(i, allocation_[i]);
    for (std::int32_t units = -kLargestMove; units <= kLargestMove; ++units) {
      const std::int32_t then = allocation_[i] + units;
      const bool isPossible = then >= candidate.min && then <= candidate.max;
      changes_[p][static_cast<std::size_t>(units + kLargestMove)] =
          isPossible ? gainOf_(i, then) - now : kImpossible;
    }
  }

  std::span<const Candidate> candidates_;
  std::vector<std::size_t> places_;
  const GainOf& gainOf_;
  Allocation& allocation_;
  std::vector<std::array<double, 2 * kLargestMove + 1>> changes_;
};

// The two that gain most by a change, so that one is left where taker and giver would be the same.
struct Best {
  std::array<std::size_t, 2> job{};
  std::array<double, 2> gain{kImpossible, kImpossible};

  void consider(std::size_t i, double change) {
    if (change > gain[0]) {
      job[1] = job[0];
      gain[1] = gain[0];
      job[0] = i;
      gain[0] = change;
    } else if (change > gain[1]) {
      job[1] = i;
      gain[1] = change;
    }
  }
};

Best bestOf(const Offers& offers, std::int32_t units) {
  Best best;
  for (std::size_t p = 0; p < offers.size(); ++p) best.consider(p, offers.change(p, units));
  return best;
}

struct Move {
  double gain = kLeast;
  std::size_t taker = 0, giver = 0;
  std::int32_t taken = 0, given = 0;
};

void considerPair(const Best& takers, const Best& givers, Move candidate, Move& best) {
  for (const std::size_t t : {0, 1}) {
    for (const std::size_t g : {0, 1}) {
      const double gain = takers.gain[t] + givers.gain[g];
      if (takers.job[t] == givers.job[g] || !(gain > best.gain)) continue;
      candidate.gain = gain;
      candidate.taker = takers.job[t];
      candidate.giver = givers.job[g];
      best = candidate;
    }
  }
}

Move bestMove(const Offers& offers, std::int32_t idle) {
  Move best;
  for (std::int32_t units = 1; units <= kLargestMove; ++units) {
    const Best takers = bestOf(offers, units);
    if (units <= idle) {
      if (takers.gain[0] > best.gain) best = {takers.gain[0], takers.job[0], 0, units, 0};
      continue;
    }
    const std::int32_t given = units - idle;
    considerPair(takers, bestOf(offers, -given), {0, 0, 0, units, given}, best);
  }
  return best;
}

bool isEven(std::span<const Candidate> candidates) {
  return std::ranges::all_of(candidates, [&](const Candidate& each) {
    return each.perUnit == candidates.front().perUnit && each.group == kNoGroup;
  });
}

// The first so many in the order of `key`, and `places` without them.
template <class Key>
void moveFirst(std::vector<std::pair<double, std::size_t>>& ranked, Key key,
               std::vector<std::size_t>& places) {
  for (auto& each : ranked) each.first = key(each.second);
  std::ranges::nth_element(ranked, ranked.begin() + kNearest);
  for (std::size_t n = 0; n < kNearest; ++n) places.push_back(ranked[n].second);
  ranked.erase(ranked.begin(), ranked.begin() + kNearest);
}

// Those nearest to the price of a unit, from below and from above, in their order.
std::vector<std::size_t> nearest(std::span<const Candidate> candidates, const GainOf& gainOf,
                                 const Allocation& allocation) {
  std::vector<std::size_t> places;
  if (candidates.size() <= 2 * kNearest) {
    places.resize(candidates.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    return places;
  }
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t i = 0; i < candidates.size(); ++i) ranked.emplace_back(0, i);
  const auto worthOf = [&](std::size_t i, std::int32_t from) {
    return gainOf(i, from + 1) - gainOf(i, from);
  };
  moveFirst(
      ranked,
      [&](std::size_t i) {
        return allocation[i] < candidates[i].max ? -worthOf(i, allocation[i]) : -kImpossible;
      },
      places);
  moveFirst(
      ranked,
      [&](std::size_t i) {
        return allocation[i] > candidates[i].min ? worthOf(i, allocation[i] - 1) : -kImpossible;
      },
      places);
  std::ranges::sort(places);
  return places;
}

}  // namespace

void exchange(std::span<const Candidate> candidates, Cores left, const GainOf& gainOf,
              Allocation& allocation) {
  if (candidates.empty() || !isEven(candidates)) return;
  auto idle = static_cast<std::int32_t>(left.value() / candidates.front().perUnit.value());
  Offers offers(candidates, nearest(candidates, gainOf, allocation), gainOf, allocation);
  for (int round = 0; round < kMostMoves; ++round) {
    const Move move = bestMove(offers, idle);
    if (move.taken == 0) return;
    offers.give(move.taker, move.taken);
    if (move.given > 0) offers.give(move.giver, -move.given);
    idle -= move.taken - move.given;
  }
}

}  // namespace slaq
