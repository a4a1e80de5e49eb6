// Brings the pods of a job's workers to their size in place, through each pod's resize subresource.
#pragma once

#include "kube/client/api.h"
#include "kube/cluster/store.h"

namespace slaq::kube::cluster {

class Resizer {
 public:
  // REQUIRES: both outlive this.
  Resizer(client::Api& api, Store& store) : api_(api), store_(store) {}

  // One request for each pod that does not ask for `cores` yet. What one pod is refused does not keep the
  // others from theirs; the first refusal is the result. Invalid or Forbidden: pods cannot be resized so,
  // with the server's sentence. A pod that is gone is no error.
  Result<void> bring(const objects::StoredJob& job, const objects::ChildJob& workers, Cores cores);

 private:
  Result<void> resize(const pods::OwnPod& pod, const std::vector<pods::ContainerCpu>& goals);
  // A 404: the pod is gone, or the API server knows no resize.
  Result<void> explain(const pods::OwnPod& pod);

  client::Api& api_;
  Store& store_;
};

}  // namespace slaq::kube::cluster
