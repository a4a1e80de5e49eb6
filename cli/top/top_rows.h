// The jobs of a cluster in the form that `slaq top` shows: their statuses, sorted and added up. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/jobs/job_rows.h"
#include "kube/objects/training_job.h"

namespace slaq::cli::top {

struct TopRow {
  jobs::JobRow job;  // its `cores` are those of the existing workers
  Workers ready;
  std::optional<Cores> workerCpu;  // of each worker, where the job scales by CPU
  std::optional<double> gainPerCore;
  std::optional<double> price;
  std::optional<Seconds> remaining;
  Time created;
  JobStatus status;

  bool operator==(const TopRow&) const = default;
};

TopRow topRowOf(const kube::objects::StoredJob& job);

enum class SortKey { Cores, Gain, Loss, Age, Name };

std::string_view name(SortKey key);
std::optional<SortKey> sortKeyFrom(std::string_view text);

// Sorts by the most cores, gain or loss first, the oldest first, or by namespace and name. Unknown values are
// last, ties are sorted by namespace and name.
void sortRows(std::vector<TopRow>& rows, SortKey key);

struct Totals {
  std::map<JobState, int> jobs;
  int stopped = 0;              // those of the failed ones that a user stopped
  Cores held;                   // by workers
  std::optional<double> price;  // the highest price of any decision
};

Totals totalsOf(const std::vector<TopRow>& rows);

}  // namespace slaq::cli::top
