#include "kube/cluster/connection.h"

#include <algorithm>
#include <iterator>

namespace slaq::kube::cluster {
namespace {

constexpr Seconds kLeaseDeadline{4};  // of one request; two requests and a pause fit into the renew deadline

client::ApiOptions workOptions(const auth::Access& access, const ConnectionOptions& options) {
  client::ApiOptions out;
  out.observe = options.observe;
  out.mayWrite = options.mayWrite;
  out.refreshCredentials = access.refresh;
  return out;
}

// The loop's own requests. Between two of them the loop shows that it is alive and checks whether it is to
// stop.
client::ApiOptions loopOptions(const auth::Access& access, const ConnectionOptions& options) {
  client::ApiOptions out = workOptions(access, options);
  if (!options.pause) return out;
  out.pause = options.pause;
  out.mayWrite = [pause = options.pause, mayWrite = options.mayWrite] {
    return !pause(Seconds(0)) && mayWrite();
  };
  return out;
}

// The watches and the election retry by themselves.
client::ApiOptions onceOptions(const auth::Access& access, const ConnectionOptions& options) {
  client::ApiOptions out = workOptions(access, options);
  out.tries = 1;
  return out;
}

client::ApiOptions leaseOptions(const auth::Access& access, const ConnectionOptions& options) {
  client::ApiOptions out = onceOptions(access, options);
  out.mayWrite = [] { return true; };  // the lease itself is written without holding it
  out.deadline = kLeaseDeadline;
  return out;
}

// Pods that are not slaq's and have not ended. A pod that ends leaves the selection and thereby the watch.
client::Selector otherPods() {
  return {.labels = std::string("!") + objects::kUidLabel,
          .fields = "status.phase!=Succeeded,status.phase!=Failed"};
}

Seconds oldestList(const std::vector<watch::Reflector*>& reflectors) {
  return (*std::ranges::min_element(reflectors, {}, &watch::Reflector::listed))->listed();
}

// A collection without news, even without bookmarks, is listed again long before this.
constexpr Seconds kLongestSilence{180};

// A new leader waits for this time for new lists of optional kinds.
constexpr Seconds kOptionalLists{10};

}  // namespace

std::optional<std::string> whyStale(const Silences& silences) {
  const auto longest = std::ranges::max_element(silences, {}, &Silences::value_type::second);
  if (longest == silences.end() || longest->second < kLongestSilence) return std::nullopt;
  return "the API server has said nothing of " + longest->first + " for " +
         toDecimal(longest->second.count(), 3) + " s: nothing is decided by what was known then";
}

std::vector<watch::Reflector*> Connection::ownReflectors() { return {&trainingJobs_, &childJobs_, &pods_}; }

std::vector<watch::Reflector*> Connection::reflectors() {
  auto out = ownReflectors();
  if (nodes_) out.insert(out.end(), {&*nodes_, &*otherPods_});
  // A cluster without Kueue never lists its Workloads.
  if (queues_ && queueReflectors_.front().isListed()) out.push_back(&queueReflectors_.front());
  return out;
}

std::vector<watch::Reflector*> Connection::optionalReflectors() {
  std::vector<watch::Reflector*> out;
  for (auto* optional : {&targetReflectors_, &queueReflectors_}) {
    for (auto& each : *optional) out.push_back(&each);
  }
  return out;
}

Silences Connection::silences() {
  Silences out;
  for (const auto* each : reflectors()) {
    const bool isOthers = otherPods_ && each == &*otherPods_;
    out.emplace_back(isOthers ? "other pods" : each->plural(), each->silence());
  }
  return out;
}

void Connection::start() {
  for (auto* each : reflectors()) each->start();
  failedCreates_.start();
  resourceQuotas_.start();
  for (auto* each : optionalReflectors()) each->start();
}

void Connection::listSince(Seconds then) {
  resizedByOther_ = kNotSeen;
  cluster_.forget();
  for (auto* each : reflectors()) each->listSince(then);
  for (auto* each : optionalReflectors()) each->listSince(then);
  optionalUntil_ = clock_.monotonic() + kOptionalLists;
}

// The other jobs do not wait for long for a kind whose lists fail.
Seconds Connection::listed() {
  auto awaited = reflectors();
  if (clock_.monotonic() < optionalUntil_)
    std::ranges::copy_if(optionalReflectors(), std::back_inserter(awaited), &watch::Reflector::isListed);
  return oldestList(awaited);
}

// The lists of nodes and of other pods are not awaited, because no leader writes them.
std::optional<std::string> Connection::whyInconsistent() {
  if (const double missed = podsMissed_.exchange(kNotSeen); missed != kNotSeen) {
    watchInterrupted_(
        "pods: a Job counts them otherwise than the watch has shown them; they are listed again", true);
    pods_.listSince(Seconds(missed));
  }
  const Seconds since(resizedByOther_.load());
  const auto own = ownReflectors();
  if (oldestList(own) >= since) return std::nullopt;
  for (auto* each : own) each->listSince(since);
  return "a child Job was resized by somebody else: TrainingJobs, Jobs and pods are listed again first";
}

Connection::Connection(const auth::Access& access, const ConnectionOptions& options, const Clock& clock)
    : clock_(clock),
      watchInterrupted_(options.watchInterrupted),
      http_(http::makeHttpClient(access.endpoint)),
      api_(*http_, loopOptions(access, options)),
      eventApi_(*http_, workOptions(access, options)),
      watchApi_(*http_, onceOptions(access, options)),
      leaseApi_(*http_, leaseOptions(access, options)),
      reviewApi_(*http_, leaseOptions(access, options)),
      store_({.triggerEpoch = options.triggerEpoch,
              .now = [&clock] { return clock.now(); },
              .monotonic = [&clock] { return clock.monotonic(); },
              .resizedByOther =
                  [this] {
                    double notSeen = kNotSeen;
                    resizedByOther_.compare_exchange_strong(notSeen, clock_.monotonic().count());
                  },
              .podsMissed = [this](Seconds since) { podsMissed_ = since.count(); }},
             options.resource),
      quotas_(options.resource),
      targets_(options.targets, options.resource, options.followNodes),
      queues_(options.queues ? std::make_unique<queues::Queues>(options.resource, options.priorityBoost,
                                                                clock, options.triggerEpoch)
                             : nullptr),
      nodeCapacity_(options.followNodes ? std::make_unique<NodeCapacity>(options.resource) : nullptr),
      events_(eventApi_, clock, options.logLostEvent),
      cluster_(api_, store_, events_, clock,
               {&quotas_, &targets_, queues_.get(), nodeCapacity_.get(), options.docsUrl, options.reportImage,
                options.podGroups, [this] { return whyInconsistent(); }}),
      trainingJobs_(watchApi_, {client::kTrainingJobs, options.ns}, {}, store_.trainingJobs(), clock,
                    options.watchInterrupted),
      childJobs_(watchApi_, {client::kJobs, options.ns}, {kJobLabel}, store_.childJobs(), clock,
                 options.watchInterrupted),
      pods_(watchApi_, {client::kPods, options.ns}, {objects::kUidLabel}, store_.pods(), clock,
            options.watchInterrupted),
      failedCreates_(watchApi_, {client::kEvents, options.ns},
                     {.labels = "", .fields = pods::kFailedCreateFields}, store_.failedCreates(), clock,
                     options.watchInterrupted),
      resourceQuotas_(watchApi_, {client::kResourceQuotas, options.ns}, {}, quotas_.sink(), clock,
                      options.watchInterrupted) {
  for (const auto& [resource, selector, sink] : targets_.watched())
    targetReflectors_.emplace_back(watchApi_, client::Target{resource, options.ns}, selector, *sink, clock,
                                   options.watchInterrupted);
  for (const auto& [resource, sink] : queues_ ? queues_->watched() : std::vector<queues::Queues::Watched>())
    queueReflectors_.emplace_back(watchApi_, client::Target{resource, ""}, client::Selector{}, *sink, clock,
                                  options.watchInterrupted);
  if (!nodeCapacity_) return;
  nodes_.emplace(watchApi_, client::Target{client::kNodes, ""}, client::Selector{}, nodeCapacity_->nodes(),
                 clock, options.watchInterrupted);
  otherPods_.emplace(watchApi_, client::Target{client::kPods, ""}, otherPods(), nodeCapacity_->otherPods(),
                     clock, options.watchInterrupted);
}

}  // namespace slaq::kube::cluster
