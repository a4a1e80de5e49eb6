#include "telemetry/self_metrics.h"

#include <prometheus/text_serializer.h>

#include <map>

#include "telemetry/job_cores.h"

namespace slaq::telemetry {
namespace {

using prometheus::BuildCounter;
using prometheus::BuildGauge;
using prometheus::BuildHistogram;

prometheus::Histogram::BucketBoundaries stageBuckets() {
  return {0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10};
}

std::string verbOf(const Action& action) {
  const std::string text = toString(action);
  return text.substr(0, text.find(' '));
}

std::string outcomeOf(const Result<void>& result) {
  return result ? "ok" : std::string(name(result.error().kind));
}

}  // namespace

SelfMetrics::SelfMetrics(prometheus::Registry& registry)
    : stages_(BuildHistogram()
                  .Name("slaq_epoch_duration_seconds")
                  .Help("Duration of an epoch by stage.")
                  .Register(registry)),
      epochs_(BuildCounter().Name("slaq_epochs_total").Help("Epochs by outcome.").Register(registry)),
      actions_(
          BuildCounter().Name("slaq_actions_total").Help("Actions on jobs by outcome.").Register(registry)),
      apiRequests_(BuildCounter()
                       .Name("slaq_api_requests_total")
                       .Help("Requests to the API server.")
                       .Register(registry)),
      lossRequests_(BuildCounter()
                        .Name("slaq_loss_requests_total")
                        .Help("Readings of the loss source.")
                        .Register(registry)),
      watchRestarts_(BuildCounter()
                         .Name("slaq_watch_restarts_total")
                         .Help("Interruptions of watches.")
                         .Register(registry)
                         .Add({})),
      jobs_(BuildGauge().Name("slaq_jobs").Help("TrainingJobs by state.").Register(registry)),
      capacity_(BuildGauge()
                    .Name("slaq_capacity_cores")
                    .Help("Cores that training jobs may share.")
                    .Register(registry)
                    .Add({})),
      allocated_(BuildGauge()
                     .Name("slaq_allocated_cores")
                     .Help("Cores of the workers decided on, with their drivers.")
                     .Register(registry)
                     .Add({})),
      leader_(
          BuildGauge().Name("slaq_leader").Help("1 while this process leads.").Register(registry).Add({})),
      watchSilence_(BuildGauge()
                        .Name("slaq_watch_silence_seconds")
                        .Help("For how long the API server has said nothing of a collection.")
                        .Register(registry)),
      settings_(BuildGauge()
                    .Name("slaq_settings_info")
                    .Help("1, with the mode, the policy, the predictor and the unit of capacity.")
                    .Register(registry)) {}

void SelfMetrics::settings(const scheduler::Settings& settings) {
  settings_
      .Add({{"mode", std::string(name(settings.mode))},
            {"policy", std::string(name(settings.policy))},
            {"predictor", settings.predictor},
            {"resource", settings.resource}})
      .Set(1);
}

void SelfMetrics::epoch(const loop::EpochReport& report) {
  epochs_.Add({{"outcome", report.lossOutage ? "loss_outage" : "ok"}}).Increment();
  const auto stage = [&](const char* name, Seconds duration) {
    stages_.Add({{"stage", name}}, stageBuckets()).Observe(duration.count());
  };
  stage("observe", report.observing);
  stage("decide", report.deciding);
  stage("apply", report.applying);
  for (const auto& [action, result] : report.actions) {
    actions_.Add({{"action", verbOf(action)}, {"outcome", outcomeOf(result)}}).Increment();
  }

  std::map<JobState, int> states;
  for (const auto state : {JobState::Pending, JobState::Waiting, JobState::Running, JobState::Suspended,
                           JobState::Complete, JobState::Failed}) {
    states[state] = 0;
  }
  Cores allocated;
  for (std::size_t i = 0; i < report.plan.jobs.size(); ++i) {
    ++states[report.plan.jobs[i].state];
    allocated += decidedCores(report.view.jobs[i], report.plan.jobs[i]);
  }
  for (const auto& [state, count] : states) jobs_.Add({{"state", std::string(name(state))}}).Set(count);
  capacity_.Set(inCores(report.capacity));
  allocated_.Set(inCores(allocated));
}

void SelfMetrics::failedEpoch() { epochs_.Add({{"outcome", "not_observed"}}).Increment(); }

void SelfMetrics::apiRequest(const std::string& verb, const std::string& resource,
                             const std::string& outcome) {
  apiRequests_.Add({{"verb", verb}, {"resource", resource}, {"outcome", outcome}}).Increment();
}

void SelfMetrics::lossRequest(const std::string& outcome) {
  lossRequests_.Add({{"outcome", outcome}}).Increment();
}

void SelfMetrics::watchRestart() { watchRestarts_.Increment(); }

void SelfMetrics::watchSilence(const std::string& resource, Seconds silence) {
  watchSilence_.Add({{"resource", resource}}).Set(silence.count());
}

void SelfMetrics::leader(bool leading) { leader_.Set(leading ? 1 : 0); }

std::string expose(const std::vector<std::shared_ptr<const prometheus::Collectable>>& sources) {
  std::vector<prometheus::MetricFamily> families;
  for (const auto& source : sources) {
    auto collected = source->Collect();
    families.insert(families.end(), std::make_move_iterator(collected.begin()),
                    std::make_move_iterator(collected.end()));
  }
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace slaq::telemetry
