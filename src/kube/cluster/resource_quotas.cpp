#include "kube/cluster/resource_quotas.h"

namespace slaq::kube::cluster {

bool ResourceQuotas::synced() const {
  const std::lock_guard lock(mutex_);
  return quotas_.synced();
}

std::vector<QuotaView> ResourceQuotas::view() const {
  const std::lock_guard lock(mutex_);
  std::vector<QuotaView> out;
  for (const auto& [key, quota] : quotas_.all()) {
    if (!quota.hard) continue;
    const QuotaView next{key.ns, key.name, *quota.hard, quota.used};
    if (out.empty() || out.back().ns != key.ns) {
      out.push_back(next);
    } else if (next.hard - next.used < out.back().hard - out.back().used) {
      out.back() = next;
    }
  }
  return out;
}

}  // namespace slaq::kube::cluster
