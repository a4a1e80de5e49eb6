#include "cli/web/cluster_moment.h"

#include <algorithm>
#include <cmath>

#include "cli/cluster/worker_cores.h"

namespace slaq::cli::web {
namespace {

// The time of an iteration with the job's present workers; empty if it is not known.
std::optional<Seconds> iterationOf(const JobStatus& status) {
  const auto found = std::ranges::find(status.speeds, status.desired, &SizeSpeed::workers);
  return found == status.speeds.end() ? std::nullopt : std::optional(found->iteration);
}

// The curve goes from the newest loss through the milestones of the status: 90, 95 and 99% of the reduction.
std::optional<page::Outlook> outlookOf(const JobStatus& status, Time now, Time began) {
  const auto& progress = status.progress;
  const auto iteration = iterationOf(status);
  if (finished(status.state) || !iteration || !progress || !progress->level || !progress->forecastFinal)
    return std::nullopt;
  const double final = progress->forecastFinal->value(), loss = progress->loss.value();
  if (!(*progress->level > 0) || !std::isfinite(final) || !std::isfinite(loss)) return std::nullopt;
  page::Outlook outlook{.made = now - began, .curve = {{now - began, loss}}, .error = {}};
  for (const Milestone& each : progress->milestones) {
    const double level = 1 - 0.01 * each.reductionPercent;
    outlook.curve.push_back(
        {now - began + each.left.value() * *iteration, final + (loss - final) * level / *progress->level});
  }
  return outlook.curve.size() < 2 ? std::nullopt : std::optional(outlook);
}

// The driver is counted as long as there are workers.
Cores heldCoresOf(const kube::objects::StoredJob& stored) {
  const Cores workers = cluster::workerCoresOf(stored.job.spec, stored.status) * stored.status.replicas;
  const Cores driver = cluster::driverCoresOf(stored.job.spec, stored.status);
  return stored.status.replicas > Workers(0) ? workers + driver : workers;
}

page::Sighting sightingOf(const kube::objects::StoredJob& stored, Time now) {
  page::Sighting sighting{
      .key = stored.key,
      .created = stored.job.created,
      .mode = stored.job.spec.loss.mode,
      .most = stored.job.spec.workers.max,
      .ready = stored.status.ready,
      .cores = heldCoresOf(stored),
      .coresEach = stored.job.spec.workers.scaling == Scaling::CPU
                       ? std::optional(cluster::workerCoresOf(stored.job.spec, stored.status))
                       : std::nullopt,
      .status = stored.status};
  sighting.outlook = [&status = stored.status, now](Time began) { return outlookOf(status, now, began); };
  return sighting;
}

}  // namespace

page::Moment momentOf(const std::vector<kube::objects::StoredJob>& jobs, Time now) {
  page::Moment moment{.time = now, .capacity = {}, .price = {}, .jobs = {}};
  for (const auto& each : jobs) {
    moment.jobs.push_back(sightingOf(each, now));
    const auto& decision = each.status.decision;
    if (decision && decision->price && !finished(each.status.state))
      moment.price = std::max(moment.price.value_or(0), *decision->price);
  }
  return moment;
}

}  // namespace slaq::cli::web
