// Jobs whose pods export far more series than a training has. They are not read, so that no other job's
// losses have to wait for theirs.
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
  // Takes the place of what was known. Returns whether there is a job that was not known before.
  bool update(const Matrix& counts, const SeriesLabels& labels);

  bool empty() const { return counts_.empty(); }
  // Namespaces that have such a job. All other jobs there are asked for by their names.
  const std::set<std::string>& namespaces() const { return namespaces_; }
  bool contains(const JobKey& job) const { return counts_.contains(job); }
  // What to tell the owner. REQUIRES: contains(job).
  std::string problemOf(const JobKey& job) const;

 private:
  std::map<JobKey, double> counts_;
  std::set<std::string> namespaces_;
};

}  // namespace slaq::prom
