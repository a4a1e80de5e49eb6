#include "cli/top/top_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/cluster/worker_cores.h"

namespace slaq::cli::top {
namespace {

std::optional<double> finite(std::optional<double> value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

void readProgress(const Progress& progress, JobState state, TopRow& row) {
  row.job.iteration = progress.iteration;
  if (std::isfinite(progress.loss.value())) row.job.loss = progress.loss;
  if (progress.level) row.job.reduced = std::clamp(1 - *progress.level, 0.0, 1.0);
  if (row.job.reduced && state == JobState::Complete) row.job.reduced = 1;
  if (!finished(state)) row.remaining = progress.remaining;
}

// The sorting value, the largest first.
double rankOf(const TopRow& row, SortKey key) {
  constexpr double kUnknown = -std::numeric_limits<double>::infinity();
  switch (key) {
    case SortKey::Cores:
      return inCores(row.job.cores);
    case SortKey::Gain:
      return row.gainPerCore.value_or(kUnknown);
    case SortKey::Loss:
      return row.job.loss ? row.job.loss->value() : kUnknown;
    case SortKey::Age:
      return -row.created.time_since_epoch().count();
    case SortKey::Name:
      break;
  }
  return 0;
}

}  // namespace

TopRow topRowOf(const kube::objects::StoredJob& job) {
  const auto& status = job.status;
  const auto& workers = job.job.spec.workers;
  TopRow row;
  row.job.key = job.key;
  row.job.state = status.state;
  row.job.isStopped = jobs::stateText(status) == jobs::kStopped;
  row.job.workers = status.replicas;
  row.job.desired = status.desired;
  row.job.most = workers.max;
  row.job.cores = cluster::workerCoresOf(job.job.spec, status) * status.replicas;
  row.ready = status.ready;
  row.created = job.job.created;
  row.status = status;
  if (workers.scaling == Scaling::CPU) row.workerCpu = cluster::workerCoresOf(job.job.spec, status);
  if (status.progress) readProgress(*status.progress, status.state, row);
  if (finished(status.state)) {
    const bool hasFailed = status.state == JobState::Failed;
    const auto* end = find(status.conditions, hasFailed ? ConditionType::Failed : ConditionType::Complete);
    if (end) row.job.reason = end->message;
  }
  if (!status.decision) return row;
  row.job.reason = status.decision->reason;
  row.gainPerCore = finite(status.decision->gainPerCore);
  row.price = finite(status.decision->price);
  return row;
}

std::string_view name(SortKey key) {
  switch (key) {
    case SortKey::Cores:
      return "cores";
    case SortKey::Gain:
      return "gain";
    case SortKey::Loss:
      return "loss";
    case SortKey::Age:
      return "age";
    case SortKey::Name:
      break;
  }
  return "name";
}

std::optional<SortKey> sortKeyFrom(std::string_view text) {
  for (const auto each : {SortKey::Cores, SortKey::Gain, SortKey::Loss, SortKey::Age, SortKey::Name}) {
    if (text == name(each)) return each;
  }
  return std::nullopt;
}

void sortRows(std::vector<TopRow>& rows, SortKey key) {
  std::ranges::sort(rows, [key](const TopRow& a, const TopRow& b) {
    const double first = rankOf(a, key);
    const double second = rankOf(b, key);
    return first != second ? first > second : a.job.key < b.job.key;
  });
}

Totals totalsOf(const std::vector<TopRow>& rows) {
  Totals totals;
  for (const auto& row : rows) {
    ++totals.jobs[row.job.state];
    totals.stopped += row.job.isStopped ? 1 : 0;
    totals.held += row.job.cores;
    if (row.price) totals.price = std::max(totals.price.value_or(*row.price), *row.price);
  }
  return totals;
}

}  // namespace slaq::cli::top
