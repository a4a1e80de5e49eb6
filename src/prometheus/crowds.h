// Jobs whose pods export far more series than a training has. They are not read, so that other jobs' losses
// do not have to wait for theirs.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "ports/loss_source.h"
#include "prometheus/matrix.h"
#include "prometheus/queries.h"
#include "prometheus/series_choice.h"

namespace slaq::prom {

// One thread owns it.
class Crowds {
 public:
  // Replaces the jobs that were known. Returns whether a job is new among them.
  bool update(const Matrix& counts, const SeriesLabels& labels);

  bool empty() const { return counts_.empty(); }
  // Namespaces with such a job. All other jobs there are asked for by their names.
  const std::set<std::string>& namespaces() const { return namespaces_; }
  bool contains(const JobKey& job) const { return counts_.contains(job); }
  // The message for the owner. REQUIRES: contains(job).
  std::string problemOf(const JobKey& job) const;

 private:
  std::map<JobKey, double> counts_;
  std::set<std::string> namespaces_;
};

}  // namespace slaq::prom
