#include "telemetry/self_metrics.h"

#include <prometheus/text_serializer.h>

namespace slaq::telemetry {
namespace {

using prometheus::BuildCounter;
using prometheus::BuildGauge;
using prometheus::BuildHistogram;

prometheus::Histogram::BucketBoundaries stageBuckets() {
  return {0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10};
}

prometheus::Histogram::BucketBoundaries requestBuckets() { return {0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30}; }

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
      apiDurations_(BuildHistogram()
                        .Name("slaq_api_request_duration_seconds")
                        .Help("Duration of requests to the API server, watches apart.")
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
      leader_(
          BuildGauge().Name("slaq_leader").Help("1 while this process leads.").Register(registry).Add({})),
      watchSilence_(BuildGauge()
                        .Name("slaq_watch_silence_seconds")
                        .Help("For how long the API server has said nothing of a collection.")
                        .Register(registry)),
      settings_(BuildGauge()
                    .Name("slaq_settings_info")
                    .Help("1, with the mode, the policy, the predictor and the unit of capacity.")
                    .Register(registry)),
      interval_(BuildGauge()
                    .Name("slaq_epoch_interval_seconds")
                    .Help("How often it decides, by its configuration.")
                    .Register(registry)
                    .Add({})),
      build_(BuildGauge()
                 .Name("slaq_build_info")
                 .Help("1, with the version and the revision of the sources.")
                 .Register(registry)) {
  beginCounters();
}

// Begins counters at zero, so that Prometheus sees the first event of each as an increase.
void SelfMetrics::beginCounters() {
  for (const auto* outcome : {"ok", "loss_outage", "not_observed"}) epochs_.Add({{"outcome", outcome}});
  for (const auto* action : {"start", "scale", "resize", "suspend", "finish", "delete", "status"}) {
    for (const auto* outcome : {"ok", "Conflict", "Forbidden", "Invalid", "Transient"})
      actions_.Add({{"action", action}, {"outcome", outcome}});
  }
  for (const auto* outcome : {"ok", "Transient"}) lossRequests_.Add({{"outcome", outcome}});
}

void SelfMetrics::settings(const scheduler::Settings& settings) {
  settings_
      .Add({{"mode", std::string(name(settings.mode))},
            {"policy", std::string(name(settings.policy))},
            {"predictor", settings.predictor},
            {"resource", settings.resource}})
      .Set(1);
  interval_.Set(settings.epoch.count());
}

void SelfMetrics::build(const std::string& version, const std::string& revision) {
  build_.Add({{"version", version}, {"revision", revision}}).Set(1);
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
  for (const auto& [job, error] : report.statusFailures)
    actions_.Add({{"action", "status"}, {"outcome", std::string(name(error.kind))}}).Increment();
}

void SelfMetrics::failedEpoch() { epochs_.Add({{"outcome", "not_observed"}}).Increment(); }

void SelfMetrics::apiRequest(const std::string& verb, const std::string& resource, const std::string& outcome,
                             std::optional<Seconds> duration) {
  apiRequests_.Add({{"verb", verb}, {"resource", resource}, {"outcome", outcome}}).Increment();
  if (duration)
    apiDurations_.Add({{"verb", verb}, {"resource", resource}}, requestBuckets()).Observe(duration->count());
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
