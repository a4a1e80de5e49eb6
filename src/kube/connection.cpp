#include "kube/connection.h"

#include "kube/rotating_client.h"

namespace slaq::kube {
namespace {

constexpr Seconds kLeaseDeadline{5};  // of one request: two fit into a renew deadline

ApiOptions workOptions(const Access& access, const ConnectionOptions& options) {
  ApiOptions out;
  out.observe = options.observe;
  out.mayWrite = options.mayWrite;
  out.refreshCredentials = access.refresh;
  return out;
}

ApiOptions leaseOptions(const Access& access, const ConnectionOptions& options) {
  ApiOptions out = workOptions(access, options);
  out.mayWrite = [] { return true; };  // it is the lease that is written
  out.tries = 1;                       // the election has its own rhythm
  out.deadline = kLeaseDeadline;
  return out;
}

}  // namespace

Connection::Connection(Access access, ConnectionOptions options, const Clock& clock)
    : http_(rotatingClient(access, clock)),
      api_(*http_, workOptions(access, options)),
      leaseApi_(*http_, leaseOptions(access, options)),
      store_(options.changed),
      events_(api_),
      cluster_(api_, store_, events_, clock),
      trainingJobs_(api_, {kTrainingJobs, options.ns}, "", store_.trainingJobs(), clock, options.say),
      childJobs_(api_, {kJobs, options.ns}, kJobLabel, store_.childJobs(), clock, options.say) {}

}  // namespace slaq::kube
