#include "loop/write/status_sender.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "loop/status/events.h"

namespace slaq::loop {
namespace {

// How often finish() asks whether to go on waiting.
constexpr std::chrono::milliseconds kTick{20};

// Fewer threads than for actions, because an epoch waits for its actions while statuses of the epoch before
// it may still be under way.
std::size_t threadsFor(const Cluster& cluster) {
  const std::size_t most = cluster.maxConcurrentWrites();
  return most > 1 ? most / 2 : 0;
}

}  // namespace

bool isSilence(const Result<void>& result) { return !result && result.error().kind == ErrorKind::Transient; }

StatusSender::StatusSender(Cluster& cluster, const Clock& clock) : cluster_(cluster), clock_(clock) {
  for (std::size_t n = threadsFor(cluster); n > 0; --n)
    threads_.emplace_back([this](std::stop_token stop) { run(stop); });
}

// Asks all threads to stop before it waits for the first one.
StatusSender::~StatusSender() {
  for (auto& thread : threads_) thread.request_stop();
}

void StatusSender::beginEpoch() {
  const std::lock_guard lock(mutex_);
  firstOfEpoch_ = list_ + 1;
  silences_ = 0;
}

void StatusSender::replace(std::vector<StatusToSend> statuses, Seconds pause) {
  {
    const std::lock_guard lock(mutex_);
    ++list_;
    begin_ = clock_.monotonic() + pause;
    waiting_.clear();
    if (silences_ < kMostSilences) std::ranges::move(statuses, std::back_inserter(waiting_));
  }
  changed_.notify_all();
}

void StatusSender::finish(const std::function<bool()>& mayGoOn) {
  std::unique_lock lock(mutex_);
  while (!isFinished()) {
    if (!mayGoOn()) {
      waiting_.clear();
      return;
    }
    if (const auto first = next(); first != waiting_.end()) {
      send(first, lock);
    } else {
      changed_.wait_for(lock, kTick);
    }
  }
}

bool StatusSender::isFinished() const {
  const auto isOfList = [this](const auto& each) { return each.second == list_; };
  return waiting_.empty() && std::ranges::none_of(underWay_, isOfList);
}

std::vector<SentStatus> StatusSender::takeSent() {
  const std::lock_guard lock(mutex_);
  return std::exchange(sent_, {});
}

std::set<JobKey> StatusSender::jobsUnderWay() const {
  const std::lock_guard lock(mutex_);
  std::set<JobKey> jobs;
  for (const auto& [job, list] : underWay_) jobs.insert(job);
  return jobs;
}

void StatusSender::run(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return next() != waiting_.end(); })) {
    if (stop.stop_requested()) return;
    const Seconds pause = begin_ - clock_.monotonic();
    if (pause <= Seconds(0)) {
      send(next(), lock);
    } else {
      changed_.wait_for(lock, stop, pause, [list = list_, this] { return list != list_; });
    }
  }
}

std::deque<StatusToSend>::iterator StatusSender::next() {
  return std::ranges::find_if(waiting_, [this](const auto& each) { return !underWay_.contains(each.job); });
}

void StatusSender::send(std::deque<StatusToSend>::iterator chosen, std::unique_lock<std::mutex>& lock) {
  const StatusToSend status = std::move(*chosen);
  waiting_.erase(chosen);
  const std::uint64_t list = list_;
  underWay_.emplace(status.job, list);
  lock.unlock();
  const Seconds begun = clock_.monotonic();
  auto result = cluster_.writeStatus(status.job, status.uid, status.next);
  const Seconds took = clock_.monotonic() - begun;
  if (result && status.recordsEvents) {
    for (const auto& event : eventsBetween(status.before, status.next)) cluster_.record(status.job, event);
  }
  lock.lock();
  underWay_.erase(status.job);
  const bool isOfEpoch = list >= firstOfEpoch_;
  if (isOfEpoch && isSilence(result) && ++silences_ >= kMostSilences) waiting_.clear();
  sent_.push_back({status.job, status.uid, isOfEpoch, std::move(result), took});
  changed_.notify_all();
}

}  // namespace slaq::loop
