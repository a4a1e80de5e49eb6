// The cores that each job's pods hold at one observation of the cluster. A later observation then shows
// whether cores were freed.
#pragma once

#include <map>

#include "job/view.h"

namespace slaq::loop {

class Holding {
 public:
  explicit Holding(const ClusterView& view);

  // True if in a later view any job holds fewer cores than here, or the pods of deleted jobs do. Cores that
  // other jobs have taken meanwhile do not offset that.
  bool isLessIn(const ClusterView& later) const;

 private:
  std::map<JobKey, Cores> held_;
  Cores leaving_;
};

}  // namespace slaq::loop
