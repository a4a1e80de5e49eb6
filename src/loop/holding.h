// What each job's pods held at one look at the cluster, so that a later one tells whether cores have come
// free.
#pragma once

#include <map>

#include "job/view.h"

namespace slaq::loop {

class Holding {
 public:
  explicit Holding(const ClusterView& view);

  // Whether in a later view any job holds less than here, or the pods of jobs that are gone do. What others
  // have taken meanwhile does not count against it.
  bool isLessIn(const ClusterView& later) const;

 private:
  std::map<JobKey, Cores> held_;
  Cores leaving_;
};

}  // namespace slaq::loop
