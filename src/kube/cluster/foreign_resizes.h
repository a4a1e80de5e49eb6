// Which sizes of child Jobs this process did not write. Only who leads resizes them. So a size of another
// hand says that another process led, and that this one's view may be older than what that one did: the
// watches of TrainingJobs, Jobs and pods come apart, and the watch of Jobs may show a shrink before that of
// TrainingJobs shows the job for which it was made.
#pragma once

#include <string>
#include <unordered_map>

#include "kube/objects/children.h"

namespace slaq::kube::cluster {

class ForeignResizes {
 public:
  // To be called before each write of a child: a watch may show it before the answer has come.
  void expect(const objects::ChildJob& child, const objects::ChildGoal& goal);
  // To be called when a watch, a list or an answer shows another state of a Job; nullptr before it came and
  // after it went. True if somebody else has resized it.
  bool noteChange(const objects::ChildJob* before, const objects::ChildJob* after);

 private:
  std::unordered_map<std::string, objects::ChildJob> expected_;  // by uid, as the last write is to leave it
};

}  // namespace slaq::kube::cluster
