#include "kube/cluster/connection.h"

#include "kube/auth/rotating_client.h"

namespace slaq::kube::cluster {
namespace {

constexpr Seconds kLeaseDeadline{4};  // of one request: two and a pause fit into a renew deadline

client::ApiOptions workOptions(const auth::Access& access, const ConnectionOptions& options) {
  client::ApiOptions out;
  out.observe = options.observe;
  out.mayWrite = options.mayWrite;
  out.refreshCredentials = access.refresh;
  return out;
}

// The watches and the election have rhythms of their own.
client::ApiOptions onceOptions(const auth::Access& access, const ConnectionOptions& options) {
  client::ApiOptions out = workOptions(access, options);
  out.tries = 1;
  return out;
}

client::ApiOptions leaseOptions(const auth::Access& access, const ConnectionOptions& options) {
  client::ApiOptions out = onceOptions(access, options);
  out.mayWrite = [] { return true; };  // it is the lease that is written
  out.deadline = kLeaseDeadline;
  return out;
}

// Those that hold something and are not ours. One that ends leaves the selection, and so the watch.
client::Selector otherPods() {
  return {.labels = std::string("!") + objects::kUidLabel,
          .fields = "status.phase!=Succeeded,status.phase!=Failed"};
}

}  // namespace

Connection::Connection(auth::Access access, ConnectionOptions options, const Clock& clock)
    : http_(auth::rotatingClient(access, clock)),
      api_(*http_, workOptions(access, options)),
      watchApi_(*http_, onceOptions(access, options)),
      leaseApi_(*http_, leaseOptions(access, options)),
      store_(options.news, options.resource),
      room_(options.followNodes ? std::make_unique<Room>(options.resource) : nullptr),
      events_(api_),
      cluster_(api_, store_, events_, clock, room_.get()),
      trainingJobs_(watchApi_, {client::kTrainingJobs, options.ns}, {}, store_.trainingJobs(), clock,
                    options.say),
      childJobs_(watchApi_, {client::kJobs, options.ns}, {objects::kJobLabel}, store_.childJobs(), clock,
                 options.say),
      pods_(watchApi_, {client::kPods, options.ns}, {objects::kUidLabel}, store_.pods(), clock, options.say) {
  if (!room_) return;
  nodes_.emplace(watchApi_, client::Target{client::kNodes, ""}, client::Selector{}, room_->nodes(), clock,
                 options.say);
  otherPods_.emplace(watchApi_, client::Target{client::kPods, ""}, otherPods(), room_->otherPods(), clock,
                     options.say);
}

}  // namespace slaq::kube::cluster
