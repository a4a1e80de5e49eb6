#include "cli/advise/outlook.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/cluster/worker_cores.h"
#include "forecast/predictors/registry.h"
#include "forecast/speed/speed_estimate.h"
#include "scheduler/constants.h"
#include "scheduler/state/history.h"
#include "scheduler/state/settings.h"
#include "scheduler/state/sizes.h"

namespace slaq::cli::advise {
namespace {

constexpr std::array kMilestones = {90, 95, 99};  // percent

// A time from a file is the mean of many iterations.
constexpr double kWeightOfAFile = 100;

std::vector<SizeSpeed> speedsOf(const WorkersSpec& workers, const simulate::Scaling& scaling) {
  std::vector<forecast::TimedSize> measured;
  for (const auto& each : scaling.speeds) measured.push_back({each.size, 1 / each.speed, kWeightOfAFile});
  const double most = scheduler::kReach * measured.back().size;
  const auto points = estimateSpeed(measured, forecast::SpeedCurve(), most);
  const auto speed = forecast::SpeedCurve::through(points);
  std::vector<SizeSpeed> speeds;
  for (const Workers size : scheduler::sizesToCompare(workers, most)) {
    const bool isMeasured = std::ranges::any_of(
        measured, [&](const auto& each) { return std::lround(each.size) == size.value(); });
    speeds.push_back({size, Seconds(1 / speed.at(size.value())), isMeasured});
  }
  return speeds;
}

// The iteration, counted from the start, at which the trace reaches the level, or else the forecast beyond
// the trace.
std::optional<double> iterationsTo(double level, const simulate::Trace& trace,
                                   const forecast::ConvergenceModel& model) {
  const auto last = static_cast<double>(trace.losses.size() - 1);
  const double first = trace.losses.front();
  const double final = std::min(std::ranges::min(trace.losses), model.forecastFinal(last));
  const auto reached = std::ranges::find_if(
      trace.losses, [&](double loss) { return forecast::levelOf(loss, first, final) <= level; });
  if (reached != trace.losses.end()) return static_cast<double>(reached - trace.losses.begin());
  const auto ahead = iterationsToLevel(model, first, last, level);
  return ahead ? std::optional(last + *ahead) : std::nullopt;
}

}  // namespace

Result<Outlook> outlookOf(const JobSpec& spec, const JobStatus& status) {
  if (spec.workers.scaling == Scaling::CPU)
    return failure(ErrorKind::Invalid, "it scales by CPU; advice is about numbers of workers");
  Outlook outlook{.speeds = status.speeds,
                  .milestones = {},
                  .perWorker = cluster::workerCoresOf(spec, status),
                  .driver = cluster::driverCoresOf(spec, status),
                  .most = spec.workers.max};
  std::erase_if(outlook.speeds, [](const SizeSpeed& each) {
    return !(each.iteration > Seconds(0) && std::isfinite(each.iteration.count()));
  });
  if (outlook.speeds.empty())
    return failure(ErrorKind::Invalid,
                   "nothing is known of its speed yet: a few of its iterations have to be seen first");
  if (status.state == JobState::Running) outlook.now = status.replicas;
  const auto* fitted = find(status.conditions, ConditionType::ModelFitted);
  if (fitted && fitted->reason == kNotFallen) outlook.whyNotForecast = fitted->message;
  if (!status.progress) return outlook;
  outlook.milestones = status.progress->milestones;
  if (status.progress->level) outlook.doneShare = 1 - *status.progress->level;
  return outlook;
}

Result<Outlook> outlookOf(const JobSpec& spec, const simulate::Trace& recorded,
                          const simulate::Scaling& scaling) {
  if (spec.workers.scaling == Scaling::CPU)
    return failure(ErrorKind::Invalid, "it scales by CPU; advice is about numbers of workers");
  Outlook outlook{.speeds = speedsOf(spec.workers, scaling),
                  .milestones = {},
                  .perWorker = coresOf(spec.workers.pod),
                  .driver = scheduler::driverCoresOf(spec),
                  .most = spec.workers.max};
  if (outlook.speeds.empty())
    return failure(ErrorKind::Invalid,
                   "all numbers of workers that it may have are beyond twice the largest that "
                   "was measured");
  const simulate::Trace trace = oriented(spec.loss.mode, recorded);
  forecast::LossSeries series;
  for (std::size_t k = 0; k < trace.losses.size(); ++k)
    series.add(Iterations(static_cast<double>(k)), Loss(trace.losses[k]));
  if (const auto change = series.change(); change != forecast::LossSeries::Change::Fallen) {
    outlook.whyNotForecast = notImprovedText(spec.loss.mode, Loss(recorded.losses.front()),
                                             change == forecast::LossSeries::Change::Risen);
    return outlook;
  }
  const auto predictor = makePredictor(scheduler::Settings().predictor, forecast::defaultConstants());
  forecast::ForecastMemory memory;
  const auto model = predictor->forecast("", series, scheduler::wishesOf(spec).loss, memory);
  if (!model) return outlook;
  outlook.backTestError = model->backTestError;
  for (const int percent : kMilestones) {
    if (const auto left = iterationsTo(1 - 0.01 * percent, trace, *model))
      outlook.milestones.push_back({percent, Iterations(std::ceil(*left))});
  }
  return outlook;
}

}  // namespace slaq::cli::advise
