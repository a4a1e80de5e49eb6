// Resizes the pods of a job's workers in place, through each pod's resize subresource.
#pragma once

#include "kube/client/api.h"
#include "kube/cluster/store.h"

namespace slaq::kube::cluster {

class Resizer {
 public:
  // REQUIRES: both outlive this.
  Resizer(client::Api& api, Store& store) : api_(api), store_(store) {}

  // Sends one request for each pod that does not request `cores` yet. All pods are tried even if one is
  // rejected; the result is the first error. Invalid or Forbidden carry the server's reason why pods cannot
  // be resized. A pod that is gone is no error.
  Result<void> resizePods(const objects::StoredJob& job, const objects::ChildJob& workers, Cores cores);

 private:
  Result<void> resize(const pods::OwnPod& pod, const std::vector<pods::ContainerCpu>& goals);
  // Finds out the cause of a 404: the pod is gone, or the API server does not support resizes.
  Result<void> explainNotFound(const pods::OwnPod& pod);

  client::Api& api_;
  Store& store_;
};

}  // namespace slaq::kube::cluster
