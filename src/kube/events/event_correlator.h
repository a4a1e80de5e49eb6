// Decides which events are sent, as client-go's EventCorrelator does. Repeated occurrences of one reason on
// one object become one event whose count grows. Each object has a token bucket of 25 events that gains one
// every 5 minutes. Pure; the recorder does the I/O.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "base/token_bucket.h"
#include "job/job.h"
#include "ports/cluster.h"

namespace slaq::kube::events {

// Something that happened to a job.
struct Occurrence {
  JobKey job;
  std::string uid;
  Event event;
  Time time;
};

// The desired state of one Event object.
struct EventRecord {
  std::string name;  // of the Event object
  int count = 0;
  Time first;
  Time last;
  bool sent = false;  // the object was created, as far as is known
};

class EventCorrelator {
 public:
  // The event to write for an occurrence, or nothing if the object's bucket is empty. Occurrences that were
  // not sent count in the next event that is sent.
  std::optional<EventRecord> correlate(const Occurrence& occurrence);

 private:
  using Key = std::tuple<std::string, std::string, bool>;  // uid, reason, warning

  bool takeToken(const std::string& uid, Time now);
  EventRecord& recordOf(const Key& key, const Occurrence& occurrence);
  void forgetOldest();

  std::map<Key, EventRecord> records_;
  std::map<std::string, TokenBucket> buckets_;
  std::deque<Key> order_;  // of arrival
};

}  // namespace slaq::kube::events
