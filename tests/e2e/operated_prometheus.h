// The Prometheus that the Prometheus operator runs in the cluster, which knows what the monitors say and
// nothing else.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "operator.h"

namespace slaq::e2e {

using Labels = std::map<std::string, std::string>;

class OperatedPrometheus {
 public:
  // REQUIRES: `rig prometheus-operator up` was run, and `cluster` lives as long.
  explicit OperatedPrometheus(const Operator& cluster);

  const std::string& url() const { return url_; }
  // The labels of what an instant query brings.
  std::vector<Labels> ask(const std::string& query) const;
  // Each alert that it has loaded, with the health of its last evaluation: "ok", or "unknown" before the
  // first.
  std::map<std::string, std::string> alerts() const;
  // Has the kubelet bring a changed configuration into the pod now; by itself it does so once a minute or so.
  void refresh() const;

 private:
  std::string get(const std::string& path) const;

  const Operator& cluster_;
  std::string url_;
};

}  // namespace slaq::e2e
