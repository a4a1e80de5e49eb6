// Writes the Workloads of one job.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "job/action.h"
#include "job/status.h"
#include "kube/client/api.h"
#include "kube/queues/bodies.h"
#include "kube/queues/slices.h"

namespace slaq::kube::queues {

class WorkloadWriter {
 public:
  // `written` gets each Workload as the server answered it. REQUIRES: all outlive this.
  WorkloadWriter(client::Api& api, const Clock& clock, std::function<void(const rapidjson::Value&)> written)
      : api_(api), clock_(clock), written_(std::move(written)) {}

  // Brings the Workloads to the requested size. If the job is over, in `state`, Kueue is told that
  // they are finished. `reportImage` is the image that slaq-report comes from. Conflict: a Workload was
  // changed meanwhile. REQUIRES: the job has its templates' documents.
  Result<void> request(const TrainingJob& job, const Slices& slices, const RequestQuota& request,
                       JobState state, const std::string& reportImage);

 private:
  Result<void> giveBack(const Slices& slices, const RequestQuota& request, JobState state);
  Result<void> askFor(const TrainingJob& job, const Slices& slices, Workers workers,
                      const std::string& reportImage);
  // The Workload comes after `last`, and replaces `replaced`, if they are given.
  Result<void> create(const TrainingJob& job, const Workload* last, const Workload* replaced, Workers workers,
                      const std::string& reportImage);
  Result<void> resize(const Workload& workload, Workers workers);
  Result<void> remove(const Workload& workload);
  // Does nothing if the request says nothing about it.
  Result<void> boost(const Workload& workload, const RequestQuota& request);
  // Sets conditions of the Workload and leaves the others as they are. With `releases` it gives back its
  // quota.
  Result<void> tell(const Workload& workload, const std::vector<Condition>& conditions,
                    bool releases = false);

  client::Api& api_;
  const Clock& clock_;
  const std::function<void(const rapidjson::Value&)> written_;
};

}  // namespace slaq::kube::queues
