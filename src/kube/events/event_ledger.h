// Which events are worth a request: the same reason on the same object is one event whose count grows, and
// one object gets a burst of 25, then one in 5 minutes. Pure; the recorder does the I/O.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "job/job.h"
#include "loop/ports.h"

namespace slaq::kube::events {

// Something that happened to a job.
struct Occurrence {
  JobKey job;
  std::string uid;
  Event event;
  Time time;
};

// The state of one event as it is to stand in the cluster.
struct EventRecord {
  std::string name;  // of the Event object
  int count = 0;
  Time first;
  Time last;
  bool sent = false;  // the object was created, as far as is known
};

class EventLedger {
 public:
  // What to write for an occurrence; nothing when the object had too many. What was held back is counted
  // in the next that is sent.
  std::optional<EventRecord> note(const Occurrence& occurrence);

 private:
  using Key = std::tuple<std::string, std::string, bool>;  // uid, reason, warning

  struct Bucket {
    double tokens = 25;
    Time filled;
  };

  bool take(const std::string& uid, Time now);
  EventRecord& recordOf(const Key& key, const Occurrence& occurrence);
  void forgetOldest();

  std::map<Key, EventRecord> records_;
  std::map<std::string, Bucket> buckets_;
  std::deque<Key> order_;  // of arrival
};

}  // namespace slaq::kube::events
