// Sends events on a thread of its own, so that the loop never waits for them. An event that cannot be sent is
// lost, and the log says so.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "base/clock.h"
#include "kube/client/api.h"
#include "kube/client/log_throttle.h"
#include "kube/events/event_correlator.h"

namespace slaq::kube::events {

class EventRecorder {
 public:
  // `lost` gets a sentence for the log when an event could not be sent, at most once a minute for the same
  // reason. It is called on the recorder's thread. REQUIRES: `api` and `clock` outlive this.
  EventRecorder(client::Api& api, const Clock& clock, std::function<void(const std::string&)> lost = {});
  // Stops after the event that is being sent. Waiting events are lost.
  ~EventRecorder() = default;

  void record(Occurrence occurrence);

 private:
  void run(std::stop_token stop);
  void send(const Occurrence& occurrence, const EventRecord& record);
  void tellLost(const Occurrence& occurrence, const Error& error);
  void tellLost(const std::string& reason, const std::string& sentence);

  client::Api& api_;
  const Clock& clock_;
  std::function<void(const std::string&)> lost_;
  client::LogThrottle throttle_;  // limits lost_; used on the recorder's thread only, like correlator_
  EventCorrelator correlator_;
  std::mutex mutex_;
  std::condition_variable_any arrived_;
  std::deque<Occurrence> waiting_;
  bool overflowed_ = false;  // an event found no place to wait since the last time that this was reported
  std::jthread thread_;      // the last member: it uses all others
};

// The body of a core/v1 Event.
std::string eventBody(const Occurrence& occurrence, const EventRecord& record);

}  // namespace slaq::kube::events
