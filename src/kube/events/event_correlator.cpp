#include "kube/events/event_correlator.h"

#include <cstdio>

namespace slaq::kube::events {
namespace {

constexpr std::size_t kMostRecords = 4096;
constexpr double kBurst = 25;
constexpr Seconds kSecondsPerToken{300};

// The name is unique for an object: two of its reasons would have to begin in the same microsecond.
std::string nameOf(const Occurrence& occurrence, std::size_t number) {
  const auto micros =
      std::chrono::duration_cast<std::chrono::microseconds>(occurrence.time.time_since_epoch());
  char suffix[40];
  std::snprintf(suffix, sizeof suffix, ".%llx%03zx", static_cast<unsigned long long>(micros.count()),
                number % 4096);
  return occurrence.job.name + suffix;
}

}  // namespace

bool EventCorrelator::takeToken(const std::string& uid, Time now) {
  return buckets_.try_emplace(uid, kBurst, kSecondsPerToken).first->second.take(now.time_since_epoch());
}

void EventCorrelator::forgetOldest() {
  const Key oldest = order_.front();
  order_.pop_front();
  records_.erase(oldest);
  const std::string& uid = std::get<0>(oldest);
  const auto next = records_.lower_bound(Key{uid, "", false});
  if (next == records_.end() || std::get<0>(next->first) != uid) buckets_.erase(uid);
}

EventRecord& EventCorrelator::recordOf(const Key& key, const Occurrence& occurrence) {
  const auto known = records_.find(key);
  if (known != records_.end()) return known->second;
  if (order_.size() >= kMostRecords) forgetOldest();
  order_.push_back(key);
  return records_[key] =
             EventRecord{nameOf(occurrence, order_.size()), 0, occurrence.time, occurrence.time, false};
}

std::optional<EventRecord> EventCorrelator::correlate(const Occurrence& occurrence) {
  EventRecord& record =
      recordOf({occurrence.uid, occurrence.event.reason, occurrence.event.warning}, occurrence);
  ++record.count;
  record.last = occurrence.time;
  if (!takeToken(occurrence.uid, occurrence.time)) return std::nullopt;
  const EventRecord out = record;
  record.sent = true;
  return out;
}

}  // namespace slaq::kube::events
