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

  // Another change of one of them. False if it can't be told which two are first then.
  bool take(std::size_t i, double change) {
    const auto isAmong = [&](std::size_t n) {
      return gain[n] > kImpossible && (job[n] == i || gain[n] == change);
    };
    if (isAmong(0) || isAmong(1)) return false;
    consider(i, change);
    return true;
  }
};

// Of equal ones the first.
Best bestOf(const std::vector<double>& changes) {
  Best best;
  for (std::size_t i = 0; i < changes.size(); ++i) best.consider(i, changes[i]);
  return best;
}

// What those that take part would gain by so many units more or fewer.
class Offers {
 public:
  Offers(std::span<const Candidate> candidates, std::vector<std::size_t> places, const GainOf& gainOf,
         Allocation& allocation)
      : candidates_(candidates), places_(std::move(places)), gainOf_(gainOf), allocation_(allocation) {
    for (auto& ofUnits : changes_) ofUnits.resize(places_.size());
    for (std::size_t p = 0; p < places_.size(); ++p) look(p);
    for (std::size_t u = 0; u < changes_.size(); ++u) best_[u] = bestOf(changes_[u]);
  }

  const Best& best(std::int32_t units) const { return best_[columnOf(units)]; }

  void give(std::size_t p, std::int32_t units) {
    allocation_[places_[p]] += units;
    look(p);
    for (std::size_t u = 0; u < changes_.size(); ++u) {
      if (!best_[u].take(p, changes_[u][p])) best_[u] = bestOf(changes_[u]);
    }
  }

 private:
  static std::size_t columnOf(std::int32_t units) { return static_cast<std::size_t>(units + kLargestMove); }

  void look(std::size_t p) {
    const std::size_t i = places_[p];
    const Candidate& candidate = candidates_[i];
    const double now = gainOf_(i, allocation_[i]);
    for (std::int32_t units = -kLargestMove; units <= kLargestMove; ++units) {
      const std::int32_t then = allocation_[i] + units;
      const bool isPossible = then >= candidate.min && then <= candidate.max;
      changes_[columnOf(units)][p] = isPossible ? gainOf_(i, then) - now : kImpossible;
    }
  }

  std::span<const Candidate> candidates_;
  std::vector<std::size_t> places_;
  const GainOf& gainOf_;
  Allocation& allocation_;
  std::array<std::vector<double>, 2 * kLargestMove + 1> changes_;
  std::array<Best, 2 * kLargestMove + 1> best_;
};

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
    const Best& takers = offers.best(units);
    if (units <= idle) {
      if (takers.gain[0] > best.gain) best = {takers.gain[0], takers.job[0], 0, units, 0};
      continue;
    }
    const std::int32_t given = units - idle;
    considerPair(takers, offers.best(-given), {0, 0, 0, units, given}, best);
  }
  return best;
}

bool isEven(std::span<const Candidate> candidates) {
  return std::ranges::all_of(candidates, [&](const Candidate& each) {
    return each.perUnit == candidates.front().perUnit && each.group == kNoGroup;
  });
}

// By what jobs take part first: less what one unit more is worth, and what the last one is. Endless where
// there is none.
struct Nearness {
  std::size_t place;
  double taking, giving;
};

// The first so many in the order of `key`, and `places` without them.
void moveFirst(std::vector<Nearness>& ranked, double Nearness::*key, std::vector<std::size_t>& places) {
  const auto comesFirst = [key](const Nearness& a, const Nearness& b) {
    return a.*key < b.*key || (a.*key == b.*key && a.place < b.place);
  };
  std::ranges::nth_element(ranked, ranked.begin() + kNearest, comesFirst);
  for (std::size_t n = 0; n < kNearest; ++n) places.push_back(ranked[n].place);
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
  std::vector<Nearness> ranked(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::int32_t units = allocation[i];
    const bool canGive = units > candidates[i].min;
    const bool canTake = units < candidates[i].max;
    const double before = canGive ? gainOf(i, units - 1) : 0;
    const double now = gainOf(i, units);
    const double after = canTake ? gainOf(i, units + 1) : 0;
    ranked[i] = {i, canTake ? now - after : -kImpossible, canGive ? now - before : -kImpossible};
  }
  moveFirst(ranked, &Nearness::taking, places);
  moveFirst(ranked, &Nearness::giving, places);
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
