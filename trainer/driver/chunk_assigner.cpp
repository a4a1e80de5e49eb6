#include "trainer/driver/chunk_assigner.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "trainer/problem/problem.h"

namespace slaq::trainer::driver {
namespace {

constexpr std::size_t kTasksPerWorker = 2;
// Repeating costs a computation twice, so it is for workers that hang, not for slow ones.
constexpr Seconds kLeastOverdue{1};
constexpr double kOverdueFactor = 4;

}  // namespace

void ChunkAssigner::beginRound() {
  std::fill(done_.begin(), done_.end(), false);
  ++round_;
  for (auto& [id, worker] : workers_) {
    worker.tasks.clear();
    std::erase_if(worker.held, [&](const auto& held) { return held.second + problem::kKeptRounds < round_; });
  }
}

std::optional<Assignment> ChunkAssigner::assign(WorkerId id, Seconds now) {
  Worker& worker = workers_.at(id);
  if (worker.hangs || worker.tasks.size() >= kTasksPerWorker) return std::nullopt;
  std::optional<Assignment> next;
  if (const auto chunk = bestFree(worker)) {
    next = Assignment{*chunk, std::nullopt};
  } else if (worker.tasks.empty()) {
    next = takeWaiting();
    if (!next) next = repeatOverdue(now);
  }
  if (next) worker.tasks.push_back({next->chunk, now});
  return next;
}

std::vector<int> ChunkAssigner::countHolders() const {
  std::vector<int> holders(done_.size(), 0);
  for (const auto& [id, worker] : workers_) {
    for (const auto& [chunk, used] : worker.held) ++holders[static_cast<std::size_t>(chunk)];
  }
  return holders;
}

std::vector<bool> ChunkAssigner::findTaken() const {
  std::vector<bool> taken = done_;
  for (const auto& [id, worker] : workers_) {
    for (const Task& task : worker.tasks) taken[static_cast<std::size_t>(task.chunk)] = true;
  }
  return taken;
}

// Ranks what is free. Of what the worker holds, that which fewest others hold. Of the rest, what nobody
// holds, then what most hold: the chunks that pass from hand to hand are to stay few, since making rows
// costs more than computing with them. Owners begin at the low end, so others begin at the high one.
std::optional<std::int64_t> ChunkAssigner::bestFree(const Worker& worker) const {
  const std::vector<bool> taken = findTaken();
  const std::vector<int> holders = countHolders();
  std::optional<std::tuple<bool, bool, int, std::int64_t>> best;
  for (std::size_t i = 0; i < done_.size(); ++i) {
    if (taken[i]) continue;
    const auto chunk = static_cast<std::int64_t>(i);
    const bool strange = !worker.held.contains(chunk);
    const bool elsewhere = strange && holders[i] > 0;
    const std::tuple rank(strange, elsewhere, strange ? -holders[i] : holders[i], strange ? -chunk : chunk);
    if (!best || rank < *best) best = rank;
  }
  if (!best) return std::nullopt;
  return std::abs(std::get<std::int64_t>(*best));
}

std::optional<Assignment> ChunkAssigner::takeWaiting() {
  for (auto& [id, other] : workers_) {
    if (other.tasks.size() < 2) continue;
    const std::int64_t chunk = other.tasks.back().chunk;
    other.tasks.pop_back();
    return Assignment{chunk, id};
  }
  return std::nullopt;
}

std::optional<Assignment> ChunkAssigner::repeatOverdue(Seconds now) {
  Worker* slowest = nullptr;
  for (auto& [id, other] : workers_) {
    if (other.tasks.empty()) continue;
    if (!slowest || other.tasks.front().since < slowest->tasks.front().since) slowest = &other;
  }
  if (!slowest) return std::nullopt;
  const Task& oldest = slowest->tasks.front();
  if (now - oldest.since < kLeastOverdue + kOverdueFactor * slowest_) return std::nullopt;
  slowest->hangs = true;
  return Assignment{oldest.chunk, std::nullopt};
}

bool ChunkAssigner::complete(WorkerId id, std::int64_t chunk, Seconds now) {
  workers_.at(id).held[chunk] = round_;
  for (auto& [other, worker] : workers_) {
    const bool completes = other == id;
    std::erase_if(worker.tasks, [&](const Task& task) {
      if (task.chunk != chunk) return false;
      if (completes) slowest_ = std::max(slowest_, now - task.since);
      return true;
    });
  }
  const auto at = static_cast<std::size_t>(chunk);
  if (done_[at]) return false;
  done_[at] = true;
  return true;
}

}  // namespace slaq::trainer::driver
