#include "kube/consistency/foreign_resizes.h"

namespace slaq::kube::consistency {

void ForeignResizes::expect(const objects::ChildJob& child, const objects::ChildGoal& goal) {
  expected_[child.uid] = objects::applied(child, goal);
}

bool ForeignResizes::noteChange(const objects::ChildJob* before, const objects::ChildJob* after) {
  if (before && (!after || after->uid != before->uid)) {
    expected_.erase(before->uid);
    return false;
  }
  if (!before || objects::sameSize(*before, *after)) return false;
  const auto own = expected_.find(after->uid);
  return own == expected_.end() || !objects::sameSize(own->second, *after);
}

}  // namespace slaq::kube::consistency
