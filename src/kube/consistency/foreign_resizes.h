// A foreign resize is a change of a child Job's size that this process did not write. Only the leader resizes
// children. A foreign resize can therefore be the work of an earlier leader that the watches have not shown
// in full. The watches are independent of each other: the watch of Jobs may show that a job was shrunk before
// the watch of TrainingJobs shows the job that got its cores.
#pragma once

#include <string>
#include <unordered_map>

#include "kube/objects/children.h"

namespace slaq::kube::consistency {

class ForeignResizes {
 public:
  // The caller calls this before each write of a child, since a watch may show the write before its answer
  // has come.
  void expect(const objects::ChildJob& child, const objects::ChildGoal& goal);
  // The caller calls this when a watch, a list or an answer shows another state of a Job. `before` is nullptr
  // when the Job appears, `after` when it goes. Returns true for a foreign resize.
  bool noteChange(const objects::ChildJob* before, const objects::ChildJob* after);

 private:
  // The key is a Job's uid. The value is the Job as it will be once this process's last write to it is done.
  std::unordered_map<std::string, objects::ChildJob> expected_;
};

}  // namespace slaq::kube::consistency
