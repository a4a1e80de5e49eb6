#include "kube/events/event_recorder.h"

#include <utility>

#include "manifest/object_writer.h"

namespace slaq::kube::events {
namespace {

constexpr std::size_t kMostWaiting = 1000;
constexpr std::size_t kLongestMessage = 1024;  // the API server's limit
constexpr const char* kComponent = "slaq-controller";

std::string repeatBody(const Occurrence& occurrence, const EventRecord& record) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  return manifest::toText(manifest::ObjectWriter(allocator)
                              .add("count", record.count)
                              .add("lastTimestamp", record.last)
                              .add("message", truncated(occurrence.event.message, kLongestMessage))
                              .take());
}

}  // namespace

std::string eventBody(const Occurrence& occurrence, const EventRecord& record) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  const auto& [job, uid, event, time] = occurrence;
  return manifest::toText(
      manifest::ObjectWriter(allocator)
          .add("apiVersion", "v1")
          .add("kind", "Event")
          .add("metadata",
               manifest::ObjectWriter(allocator).add("name", record.name).add("namespace", job.ns).take())
          .add("involvedObject", manifest::ObjectWriter(allocator)
                                     .add("apiVersion", "slaq.io/v1alpha1")
                                     .add("kind", "TrainingJob")
                                     .add("namespace", job.ns)
                                     .add("name", job.name)
                                     .add("uid", uid)
                                     .take())
          .add("type", event.warning ? "Warning" : "Normal")
          .add("reason", event.reason)
          .add("message", truncated(event.message, kLongestMessage))
          .add("count", record.count)
          .add("firstTimestamp", record.first)
          .add("lastTimestamp", record.last)
          .add("source", manifest::ObjectWriter(allocator).add("component", kComponent).take())
          .add("reportingComponent", kComponent)
          .take());
}

EventRecorder::EventRecorder(client::Api& api, const Clock& clock,
                             std::function<void(const std::string&)> lost)
    : api_(api),
      clock_(clock),
      lost_(std::move(lost)),
      thread_([this](std::stop_token stop) { run(stop); }) {}

void EventRecorder::record(Occurrence occurrence) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= kMostWaiting) {
      overflowed_ = true;
      return;
    }
    waiting_.push_back(std::move(occurrence));
  }
  arrived_.notify_one();
}

void EventRecorder::run(std::stop_token stop) {
  while (true) {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait(lock, stop, [&] { return !waiting_.empty(); }) || stop.stop_requested()) return;
    const Occurrence occurrence = std::move(waiting_.front());
    waiting_.pop_front();
    const bool overflowed = std::exchange(overflowed_, false);
    lock.unlock();
    if (overflowed) tellLost("overflow", "more events came than the API server took; some are lost");
    if (const auto record = correlator_.correlate(occurrence)) send(occurrence, *record);
  }
}

void EventRecorder::send(const Occurrence& occurrence, const EventRecord& record) {
  const client::Target target{client::kEvents, occurrence.job.ns, record.name};
  if (record.sent) {
    const auto repeated = api_.patch(target, repeatBody(occurrence, record));
    if (repeated) return;
    // The server deletes events after an hour. Then the event is created again.
    if (repeated.error().kind != ErrorKind::NotFound) return tellLost(occurrence, repeated.error());
  }
  const auto created = api_.create(target, eventBody(occurrence, record));
  if (!created) tellLost(occurrence, created.error());
}

void EventRecorder::tellLost(const Occurrence& occurrence, const Error& error) {
  // A conflict means that another process has the lease by now.
  if (error.kind == ErrorKind::Conflict) return;
  tellLost(std::string(name(error.kind)),
           toString(occurrence.job) + " was not sent an event: " + error.message);
}

void EventRecorder::tellLost(const std::string& reason, const std::string& sentence) {
  if (lost_ && throttle_.isNews(reason, clock_.monotonic())) lost_(sentence);
}

}  // namespace slaq::kube::events
