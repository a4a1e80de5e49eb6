#include "page/moment.h"

#include "scheduler/state/sizes.h"

namespace slaq::page {
namespace {

Sighting sightingOf(const loop::EpochReport& report, std::size_t place) {
  const JobView& view = report.view.jobs[place];
  const auto history = report.histories.find(view.job.key);
  const bool isForecast = !finished(report.statuses[place].state) && history != report.histories.end();
  Sighting sighting{.key = view.job.key,
                    .created = view.job.created,
                    .mode = view.job.spec.loss.mode,
                    .most = view.job.spec.workers.max,
                    .ready = view.workers.ready,
                    .cores = scheduler::coresInUse(view),
                    .coresEach = view.workers.cpu && runs(view.workers)
                                     ? std::optional(view.workers.cpu->asked)
                                     : std::nullopt,
                    .status = report.statuses[place],
                    .reason = report.plan.jobs[place].reason};
  if (isForecast) {
    sighting.outlook = [&report, &view, &history = history->second](Time began) {
      return outlookOf(history, view.job.spec.loss.mode, report.view.time, began);
    };
  }
  return sighting;
}

}  // namespace

Moment momentOf(const loop::EpochReport& report) {
  Moment moment{
      .time = report.view.time, .capacity = report.capacity, .price = report.plan.price, .jobs = {}};
  moment.jobs.reserve(report.view.jobs.size());
  for (std::size_t i = 0; i < report.view.jobs.size(); ++i) moment.jobs.push_back(sightingOf(report, i));
  return moment;
}

}  // namespace slaq::page
