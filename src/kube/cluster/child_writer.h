// Writes the objects that a TrainingJob owns: its Service and its child Jobs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "kube/client/api.h"
#include "kube/cluster/store.h"
#include "kube/objects/children.h"

namespace slaq::kube::cluster {

// How often an object is read again after conflicts; then the next epoch decides again.
inline constexpr int kMostRereads = 2;

// The existing object of that name, if it belongs to this TrainingJob. Conflict: it is gone. Invalid: it has
// another owner.
Result<rapidjson::Document> readOwn(client::Api& api, const objects::StoredJob& stored,
                                    const client::Target& target);

class ChildWriter {
 public:
  // `whyInconsistent` is that of KubeClusterOptions. REQUIRES: both objects outlive this.
  ChildWriter(client::Api& api, Store& store, std::function<std::optional<std::string>()> whyInconsistent)
      : api_(api), store_(store), whyInconsistent_(std::move(whyInconsistent)) {}

  // Invalid, here and below: an object of that name exists and has another owner.
  Result<void> createService(const objects::StoredJob& stored);
  // Creates the child if it is missing; else brings it to the goal.
  Result<void> ensure(const objects::StoredJob& stored, objects::Role role, const std::string& body,
                      const objects::ChildGoal& goal);
  // Brings the nodes for the pods of a suspended child, its node selector and tolerations, to those of
  // `body`. Does nothing without such a child.
  Result<void> place(const objects::StoredJob& stored, objects::Role role, const std::string& body);
  // Patches an existing child towards the goal, and reads it again after a conflict.
  Result<void> bring(objects::ChildJob child, const objects::ChildGoal& goal);

 private:
  // The object's current state, or a Conflict if it was replaced.
  Result<objects::ChildJob> readAgain(const objects::ChildJob& child);

  client::Api& api_;
  Store& store_;
  const std::function<std::optional<std::string>()> whyInconsistent_;
};

}  // namespace slaq::kube::cluster
