#include "trainer/ledger.h"

#include <algorithm>
#include <tuple>

namespace slaq::trainer {
namespace {

constexpr std::size_t kErrands = 2;
// Repeating costs a computation twice, so it is for workers that hang, not for slow ones.
constexpr Seconds kPatience{1};
constexpr double kSlowness = 4;

}  // namespace

void ChunkLedger::beginRound() {
  std::fill(done_.begin(), done_.end(), false);
  for (auto& [id, worker] : workers_) worker.errands.clear();
}

std::optional<Assignment> ChunkLedger::assign(WorkerId id, Seconds now) {
  Worker& worker = workers_.at(id);
  if (worker.errands.size() >= kErrands) return std::nullopt;
  std::optional<Assignment> next;
  if (const auto chunk = bestFree(worker)) {
    next = Assignment{*chunk, std::nullopt};
  } else if (worker.errands.empty()) {
    next = takeWaiting();
    if (!next) next = repeatOverdue(now);
  }
  if (next) worker.errands.push_back({next->chunk, now});
  return next;
}

// What the worker holds is best; of these, and of the rest, what fewest others hold. Owners begin at the
// low end, so those who take from them begin at the high end.
std::optional<std::int64_t> ChunkLedger::bestFree(const Worker& worker) const {
  std::vector<bool> taken = done_;
  std::vector<int> holders(done_.size(), 0);
  for (const auto& [id, other] : workers_) {
    for (const Errand& errand : other.errands) taken[static_cast<std::size_t>(errand.chunk)] = true;
    for (const std::int64_t chunk : other.held) ++holders[static_cast<std::size_t>(chunk)];
  }
  std::optional<std::tuple<bool, int, std::int64_t>> best;
  for (std::size_t i = 0; i < done_.size(); ++i) {
    if (taken[i]) continue;
    const auto chunk = static_cast<std::int64_t>(i);
    const bool strange = !worker.held.contains(chunk);
    const std::tuple rank(strange, holders[i], strange ? -chunk : chunk);
    if (!best || rank < *best) best = rank;
  }
  if (!best) return std::nullopt;
  const auto [strange, count, position] = *best;
  return strange ? -position : position;
}

std::optional<Assignment> ChunkLedger::takeWaiting() {
  for (auto& [id, other] : workers_) {
    if (other.errands.size() < 2) continue;
    const std::int64_t chunk = other.errands.back().chunk;
    other.errands.pop_back();
    return Assignment{chunk, id};
  }
  return std::nullopt;
}

std::optional<Assignment> ChunkLedger::repeatOverdue(Seconds now) const {
  const Errand* oldest = nullptr;
  for (const auto& [id, other] : workers_) {
    for (const Errand& errand : other.errands) {
      if (!oldest || errand.since < oldest->since) oldest = &errand;
    }
  }
  if (!oldest || now - oldest->since < kPatience + kSlowness * slowest_) return std::nullopt;
  return Assignment{oldest->chunk, std::nullopt};
}

bool ChunkLedger::complete(WorkerId id, std::int64_t chunk, Seconds now) {
  workers_.at(id).held.insert(chunk);
  for (auto& [other, worker] : workers_) {
    std::erase_if(worker.errands, [&](const Errand& errand) {
      if (errand.chunk != chunk) return false;
      if (other == id) slowest_ = std::max(slowest_, now - errand.since);
      return true;
    });
  }
  const auto at = static_cast<std::size_t>(chunk);
  if (done_[at]) return false;
  done_[at] = true;
  return true;
}

}  // namespace slaq::trainer
