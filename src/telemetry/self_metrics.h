// Metrics of the scheduler itself: epochs, decisions, requests, leadership.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loop/epoch_loop.h"

namespace slaq::telemetry {

// Any thread may call it.
class SelfMetrics {
 public:
  explicit SelfMetrics(prometheus::Registry& registry);

  // The settings to export: mode, policy, unit of capacity and how often the scheduler decides.
  void settings(const scheduler::Settings& settings);
  void build(const std::string& version, const std::string& revision);
  void epoch(const loop::EpochReport& report);
  void failedEpoch();
  // A watch, which lasts for minutes, has no duration.
  void apiRequest(const std::string& verb, const std::string& resource, const std::string& outcome,
                  std::optional<Seconds> duration);
  void lossRequest(const std::string& outcome);
  void watchRestart();
  void leader(bool leading);
  // The time since the API server last said anything about a collection.
  void watchSilence(const std::string& resource, Seconds silence);

 private:
  prometheus::Family<prometheus::Histogram>& stages_;
  prometheus::Family<prometheus::Counter>& epochs_;
  prometheus::Family<prometheus::Counter>& actions_;
  prometheus::Family<prometheus::Counter>& apiRequests_;
  prometheus::Family<prometheus::Histogram>& apiDurations_;
  prometheus::Family<prometheus::Counter>& lossRequests_;
  prometheus::Counter& watchRestarts_;
  prometheus::Gauge& leader_;
  prometheus::Family<prometheus::Gauge>& watchSilence_;
  prometheus::Family<prometheus::Gauge>& settings_;
  prometheus::Gauge& interval_;
  prometheus::Family<prometheus::Gauge>& build_;

  void beginCounters();
};

// The text that /metrics answers with.
std::string expose(const std::vector<std::shared_ptr<const prometheus::Collectable>>& sources);

}  // namespace slaq::telemetry
