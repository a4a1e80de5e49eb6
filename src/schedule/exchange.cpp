#include "schedule/exchange.h"

#include <algorithm>
#include <array>
#include <limits>

namespace slaq {
namespace {

// A smaller improvement is rounding.
constexpr double kLeast = 1e-12;

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

// What each job would gain by so many units more or fewer.
class Offers {
 public:
  Offers(std::span<const Candidate> candidates, const GainOf& gainOf, Allocation& allocation)
      : candidates_(candidates), gainOf_(gainOf), allocation_(allocation), changes_(candidates.size()) {
    for (std::size_t i = 0; i < candidates.size(); ++i) look(i);
  }

  double change(std::size_t i, std::int32_t units) const {
    return changes_[i][static_cast<std::size_t>(units + kLargestMove)];
  }

  void give(std::size_t i, std::int32_t units) {
    allocation_[i] += units;
    look(i);
  }

 private:
  void look(std::size_t i) {
    const Candidate& candidate = candidates_[i];
    const double now = gainOf_(i, allocation_[i]);
    for (std::int32_t units = -kLargestMove; units <= kLargestMove; ++units) {
      const std::int32_t then = allocation_[i] + units;
      const bool isPossible = then >= candidate.min && then <= candidate.max;
      changes_[i][static_cast<std::size_t>(units + kLargestMove)] =
          isPossible ? gainOf_(i, then) - now : kImpossible;
    }
  }

  std::span<const Candidate> candidates_;
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

Best bestOf(const Offers& offers, std::size_t jobs, std::int32_t units) {
  Best best;
  for (std::size_t i = 0; i < jobs; ++i) best.consider(i, offers.change(i, units));
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

Move bestMove(const Offers& offers, std::size_t jobs, std::int32_t idle) {
  Move best;
  for (std::int32_t units = 1; units <= kLargestMove; ++units) {
    const Best takers = bestOf(offers, jobs, units);
    if (units <= idle) {
      if (takers.gain[0] > best.gain) best = {takers.gain[0], takers.job[0], 0, units, 0};
      continue;
    }
    const std::int32_t given = units - idle;
    considerPair(takers, bestOf(offers, jobs, -given), {0, 0, 0, units, given}, best);
  }
  return best;
}

bool isEven(std::span<const Candidate> candidates) {
  return std::ranges::all_of(candidates, [&](const Candidate& each) {
    return each.perUnit == candidates.front().perUnit && each.group == kNoGroup;
  });
}

}  // namespace

void exchange(std::span<const Candidate> candidates, Cores left, const GainOf& gainOf,
              Allocation& allocation) {
  if (candidates.empty() || !isEven(candidates)) return;
  auto idle = static_cast<std::int32_t>(left.value() / candidates.front().perUnit.value());
  Offers offers(candidates, gainOf, allocation);
  for (std::size_t round = 0; round < 4 * candidates.size(); ++round) {
    const Move move = bestMove(offers, candidates.size(), idle);
    if (move.taken == 0) return;
    offers.give(move.taker, move.taken);
    if (move.given > 0) offers.give(move.giver, -move.given);
    idle -= move.taken - move.given;
  }
}

}  // namespace slaq
