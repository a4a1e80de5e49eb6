// Jobs and views for tests: a good one with one line, and what differs named.
#pragma once

#include <string>

#include "job/view.h"

namespace slaq::testing {

inline PodTemplate podOf(Cores request) {
  PodTemplate pod;
  pod.containers.push_back({.name = "main", .request = request});
  return pod;
}

inline JobView viewOf(const std::string& name, int min = 1, int max = 16, Cores perWorker = Cores(1000)) {
  JobView view;
  view.job.key = {"default", name};
  view.job.uid = "uid-" + name;
  view.job.generation = 1;
  view.job.spec.workers.min = Workers(min);
  view.job.spec.workers.max = Workers(max);
  view.job.spec.workers.pod = podOf(perWorker);
  return view;
}

// Lets the job's workers run: `count` of them, all ready.
inline JobView& run(JobView& view, int count) {
  view.workers.exists = true;
  view.workers.suspended = false;
  view.workers.desired = view.workers.active = view.workers.ready = Workers(count);
  return view;
}

}  // namespace slaq::testing
