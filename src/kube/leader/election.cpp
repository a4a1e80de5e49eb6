#include "kube/leader/election.h"

#include <unistd.h>

#include <cstdio>
#include <random>

#include "kube/client/match.h"
#include "kube/client/pause.h"
#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "manifest/object_writer.h"

namespace slaq::kube::leader {
namespace {

using json::intAt;
using json::resourceVersionOf;
using json::stringAt;
using json::uidOf;

// metav1.MicroTime requires six digits after the seconds.
std::string microTime(Time time) {
  const auto micros =
      std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count() % 1000000;
  char fraction[16];
  std::snprintf(fraction, sizeof fraction, ".%06dZ", static_cast<int>(micros));
  std::string text = toRfc3339(time);
  text.pop_back();
  return text + fraction;
}

LeaseRecord readRecord(const rapidjson::Value& lease) {
  LeaseRecord out;
  out.holder = stringAt(lease, {"spec", "holderIdentity"});
  const int duration = intAt(lease, {"spec", "leaseDurationSeconds"});
  if (duration > 0) out.duration = Seconds(duration);
  out.transitions = intAt(lease, {"spec", "leaseTransitions"});
  out.uid = uidOf(lease);
  out.resourceVersion = resourceVersionOf(lease);
  return out;
}

}  // namespace

std::string makeIdentity() {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  char suffix[48];
  std::snprintf(suffix, sizeof suffix, "_%d_%08x", static_cast<int>(getpid()), std::random_device{}());
  return host + std::string(suffix);
}

Election::Election(client::Api& api, client::Target lease, std::string identity, const Clock& clock,
                   LeaseTimes times, std::function<void(bool, const std::string&)> changed,
                   std::function<void(const std::string&)> failed)
    : api_(api),
      target_(std::move(lease)),
      clock_(clock),
      changed_(std::move(changed)),
      failed_(std::move(failed)) {
  state_.self = std::move(identity);
  state_.times = times;
  thread_ = std::jthread([this](std::stop_token stop) { run(stop); });
}

void Election::run(std::stop_token stop) {
  take(LeaseTick{});
  while (!stop.stop_requested()) take(carryOut(next_, stop));
}

void Election::take(const LeaseEvent& event) {
  const bool before = state_.held;
  auto [state, effect] = step(std::move(state_), event, clock_.monotonic());
  state_ = std::move(state);
  next_ = std::move(effect);
  if (state_.term != term_.load()) termBegan_.store(clock_.monotonic().count());
  term_.store(state_.term);
  leadsUntil_.store(leadsUntil(state_).count());
  if (before == state_.held || !changed_) return;
  changed_(state_.held, state_.self + (state_.held ? " leads now" : " does not lead any more"));
}

LeaseEvent Election::carryOut(const LeaseEffect& effect, std::stop_token stop) {
  return std::visit(client::Match{[&](const ReadLease&) { return read(); },
                                  [&](const CreateLease& each) { return create(each.record); },
                                  [&](const UpdateLease& each) { return update(each.record, each.acquired); },
                                  [&](const AwaitTick& await) {
                                    client::pauseFor(await.pause, stop);
                                    return LeaseEvent{LeaseTick{}};
                                  }},
                    effect);
}

LeaseEvent Election::read() {
  const auto found = api_.get(target_);
  if (found) return LeaseRead{readRecord(*found)};
  if (found.error().kind == ErrorKind::NotFound) return LeaseRead{};
  return failedBy("read", found.error());
}

LeaseFailed Election::failedBy(const std::string& what, const Error& error) {
  const std::string sentence = toString(target_) + " cannot be " + what + ": " + error.message;
  // A conflict means that another process was faster.
  const bool isFailure = failed_ && error.kind != ErrorKind::Conflict;
  if (isFailure && throttle_.isNews(sentence, clock_.monotonic())) failed_(sentence);
  return LeaseFailed{error.kind};
}

LeaseEvent Election::create(const LeaseRecord& record) {
  const Seconds begun = clock_.monotonic();
  const auto created = api_.create(target_, body(record, true, true));
  if (!created) {
    // NotFound here means that the namespace is missing. As NotFound it would be retried without a pause.
    const bool isMissing = created.error().kind == ErrorKind::NotFound;
    const LeaseFailed failed = failedBy("created", created.error());
    return isMissing ? LeaseFailed{ErrorKind::Invalid} : failed;
  }
  if (!*created) return LeaseFailed{ErrorKind::Conflict};
  return LeaseWritten{readRecord(**created), begun};
}

LeaseEvent Election::update(const LeaseRecord& record, bool acquired) {
  const Seconds begun = clock_.monotonic();
  const auto updated = api_.patch(target_, body(record, acquired, false));
  if (!updated) return failedBy("renewed", updated.error());
  return LeaseWritten{readRecord(*updated), begun};
}

std::string Election::body(const LeaseRecord& record, bool acquired, bool isNew) const {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  manifest::ObjectWriter metadata(allocator);
  metadata.add("name", target_.name).add("namespace", target_.ns);
  if (!isNew) metadata.add("uid", record.uid).add("resourceVersion", record.resourceVersion);
  const std::string now = microTime(clock_.now());
  manifest::ObjectWriter spec(allocator);
  spec.add("holderIdentity", record.holder)
      .add("leaseDurationSeconds", static_cast<int>(record.duration.count()))
      .add("leaseTransitions", record.transitions)
      .add("renewTime", now);
  if (acquired) spec.add("acquireTime", now);
  return manifest::toText(manifest::ObjectWriter(allocator)
                              .add("apiVersion", "coordination.k8s.io/v1")
                              .add("kind", "Lease")
                              .add("metadata", metadata.take())
                              .add("spec", spec.take())
                              .take());
}

void Election::release() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  leadsUntil_.store(-1e18);
  if (!state_.held || !state_.seen || state_.seen->holder != state_.self) return;
  LeaseRecord released = *state_.seen;
  released.holder.clear();
  released.duration = Seconds(1);
  state_.held = false;
  static_cast<void>(api_.patch(target_, body(released, false, false)));
}

}  // namespace slaq::kube::leader
