// Sends events on a thread of its own, so that the loop never waits for them. An event that cannot be sent is
// lost.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "kube/client/api.h"
#include "kube/events/event_correlator.h"

namespace slaq::kube::events {

class EventRecorder {
 public:
  // REQUIRES: `api` outlives this.
  explicit EventRecorder(client::Api& api);
  // Stops after the event that is being sent; those that wait are lost.
  ~EventRecorder() = default;

  void record(Occurrence occurrence);

 private:
  void run(std::stop_token stop);
  void send(const Occurrence& occurrence, const EventRecord& record);

  client::Api& api_;
  EventCorrelator correlator_;  // of the thread
  std::mutex mutex_;
  std::condition_variable_any arrived_;
  std::deque<Occurrence> waiting_;
  std::jthread thread_;  // the last member: it uses all others
};

// The body of a core/v1 Event.
std::string eventBody(const Occurrence& occurrence, const EventRecord& record);

}  // namespace slaq::kube::events
