#include "scheduler/allocation/local_search.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

namespace slaq::scheduler {
namespace {

// A smaller improvement is rounding.
constexpr double kLeastGain = 1e-12;

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

// The two participants that gain most by the same change. The second one is used where giver and taker would
// be the same. Among equal ones the first counts.
struct BestTwo {
  std::array<std::size_t, 2> participant{};
  std::array<double, 2> gain{kImpossible, kImpossible};

  void consider(std::size_t which, double change) {
    if (change > gain[0]) {
      participant[1] = std::exchange(participant[0], which);
      gain[1] = std::exchange(gain[0], change);
    } else if (change > gain[1]) {
      participant[1] = which;
      gain[1] = change;
    }
  }
};

// The taker gets `taken` units. The giver gives `given` units, where that is not 0.
struct Move {
  double gain = kLeastGain;
  std::size_t taker = 0;
  std::size_t giver = 0;
  std::int32_t taken = 0;
  std::int32_t given = 0;
};

class LocalSearch {
 public:
  LocalSearch(std::span<const Demand> demands, const Budget& budget, const UtilityOf& utilityOf,
              std::vector<std::size_t> places, Allocation& allocation)
      : demands_(demands),
        utilityOf_(utilityOf),
        places_(std::move(places)),
        allocation_(allocation),
        left_(leftBy(demands, allocation, budget)),
        kindOf_(places_.size()),
        changes_(places_.size()) {
    std::map<std::pair<Cores, Group>, std::size_t> known;
    for (std::size_t p = 0; p < places_.size(); ++p) {
      const Demand& demand = demands_[places_[p]];
      const auto [kind, isNew] = known.try_emplace({demand.perUnit, demand.group}, kinds_.size());
      if (isNew) kinds_.push_back(kind->first);
      kindOf_[p] = kind->second;
      measure(p);
    }
  }

  void run() {
    for (int moves = 0; moves < kMostMoves; ++moves) {
      const Move move = bestMove();
      if (move.taken == 0) return;
      change(move.taker, move.taken);
      if (move.given > 0) change(move.giver, -move.given);
    }
  }

 private:
  // One value for each change of units, from -kLargestMove to kLargestMove.
  template <class Value>
  using ByChange = std::array<Value, 2 * kLargestMove + 1>;

  static std::size_t column(std::int32_t units) {
    const std::int32_t index = units + kLargestMove;
    return static_cast<std::size_t>(index);
  }

  void measure(std::size_t p) {
    const std::size_t i = places_[p];
    const double now = utilityOf_(i, allocation_[i]);
    for (std::int32_t units = -kLargestMove; units <= kLargestMove; ++units) {
      const std::int32_t then = allocation_[i] + units;
      const bool isAllowed = then >= demands_[i].min && then <= demands_[i].max;
      changes_[p][column(units)] = isAllowed ? utilityOf_(i, then) - now : kImpossible;
    }
  }

  void change(std::size_t p, std::int32_t units) {
    const Demand& demand = demands_[places_[p]];
    allocation_[places_[p]] += units;
    left_.take(demand.perUnit * units, demand.group);
    measure(p);
  }

  // Units of one size and group are alike, so only the best participants of each kind count.
  std::vector<ByChange<BestTwo>> bestOfEachKind() const {
    std::vector<ByChange<BestTwo>> best(kinds_.size());
    for (std::size_t p = 0; p < places_.size(); ++p) {
      for (std::size_t c = 0; c < changes_[p].size(); ++c) best[kindOf_[p]][c].consider(p, changes_[p][c]);
    }
    return best;
  }

  // The units of one kind that must be given so that another kind can have `more` cores; empty if they would
  // not help.
  std::optional<std::int32_t> unitsFor(Cores more, Group taker, std::size_t givers) const {
    const auto& [perUnit, group] = kinds_[givers];
    if (group != taker && taker != kNoGroup) {
      const Cores ofGroup = left_.groups[static_cast<std::size_t>(taker)];
      if (more > ofGroup) return std::nullopt;
    }
    const Cores available = group == taker ? left_.leftFor(taker) : left_.all;
    const std::int64_t missing = std::max<std::int64_t>(0, (more - available).value());
    return static_cast<std::int32_t>((missing + perUnit.value() - 1) / perUnit.value());
  }

  static void considerPair(const BestTwo& takers, const BestTwo& givers, std::int32_t taken,
                           std::int32_t given, Move& best) {
    for (const std::size_t t : {0, 1}) {
      for (const std::size_t g : {0, 1}) {
        const double gain = takers.gain[t] + givers.gain[g];
        if (takers.participant[t] == givers.participant[g] || !(gain > best.gain)) continue;
        best = {gain, takers.participant[t], givers.participant[g], taken, given};
      }
    }
  }

  Move bestMove() const {
    const auto kinds = bestOfEachKind();
    Move best;
    for (std::size_t takers = 0; takers < kinds.size(); ++takers) {
      const auto& [perUnit, group] = kinds_[takers];
      for (std::int32_t taken = 1; taken <= kLargestMove; ++taken) {
        const BestTwo& of = kinds[takers][column(taken)];
        if (left_.fits(perUnit * taken, group)) {
          if (of.gain[0] > best.gain) best = {of.gain[0], of.participant[0], 0, taken, 0};
          continue;
        }
        for (std::size_t givers = 0; givers < kinds.size(); ++givers) {
          const auto given = unitsFor(perUnit * taken, group, givers);
          if (!given || *given == 0 || *given > kLargestMove) continue;
          considerPair(of, kinds[givers][column(-*given)], taken, *given, best);
        }
      }
    }
    return best;
  }

  std::span<const Demand> demands_;
  const UtilityOf& utilityOf_;
  std::vector<std::size_t> places_;  // the participants' places among the demands
  Allocation& allocation_;
  Budget left_;
  std::vector<std::pair<Cores, Group>> kinds_;  // the cores of a unit, and the group
  std::vector<std::size_t> kindOf_;
  std::vector<ByChange<double>> changes_;  // changes of each participant's utility
};

}  // namespace

void searchLocally(std::span<const Demand> demands, const Budget& budget, const UtilityOf& utilityOf,
                   std::vector<std::size_t> places, Allocation& allocation) {
  LocalSearch(demands, budget, utilityOf, std::move(places), allocation).run();
}

}  // namespace slaq::scheduler
