// The ResourceQuotas of the namespaces, as the watch last showed them.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "job/view.h"
#include "kube/pods/quota.h"
#include "kube/watch/sink.h"

namespace slaq::kube::cluster {

// Any thread may call it.
class ResourceQuotas {
 public:
  // `resource` is the unit of capacity.
  explicit ResourceQuotas(const std::string& resource)
      : sink_(mutex_, quotas_, [resource](const auto& each) { return pods::readQuota(each, resource); }) {}

  watch::ObjectSink& sink() { return sink_; }

  bool synced() const;
  // For each namespace with a quota the one that leaves least, sorted by namespace.
  std::vector<QuotaView> view() const;

 private:
  mutable std::mutex mutex_;
  watch::Collection<pods::Quota> quotas_;
  watch::CollectionSink<pods::Quota> sink_;
};

}  // namespace slaq::kube::cluster
