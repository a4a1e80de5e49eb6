// The operator as a whole: a connection to the cluster, a loss source, a lease, telemetry, and the epochs.
#pragma once

#include <prometheus/registry.h>
#include <spdlog/logger.h>

#include <atomic>
#include <functional>
#include <limits>
#include <memory>

#include "base/clock.h"
#include "config/configuration.h"
#include "kube/auth/credentials.h"
#include "kube/cluster/connection.h"
#include "kube/leader/election.h"
#include "loop/epoch_loop.h"
#include "loop/timetable.h"
#include "telemetry/job_metrics.h"
#include "telemetry/ops_server.h"
#include "telemetry/self_metrics.h"

namespace slaq {

class Controller {
 public:
  Controller(Configuration configuration, kube::auth::Access access, std::unique_ptr<LossSource> losses,
             std::shared_ptr<spdlog::logger> log);

  // Serves probes and metrics. Invalid when the address can't be had.
  Result<void> serve();

  ~Controller() { election_.store(nullptr); }  // before the connection, whose threads ask it

  // Runs epochs until `wait(pause)`, which sleeps for so long, returns true: stop. Releases the lease then.
  void run(const std::function<bool(Seconds)>& wait);

 private:
  kube::cluster::ConnectionOptions connectionOptions();
  Health healthy() const;
  Health ready() const;
  bool leading() const;
  // True if it is told to stop meanwhile.
  bool waitForNext(const Timetable& timetable, const std::function<bool(Seconds)>& wait);
  void lookForCores();  // for which a job waits
  void noteNews(double since);
  std::optional<Seconds> news() const;
  bool epoch();  // false if nothing could be decided
  void report(const EpochReport& report);

  static constexpr double kNever = std::numeric_limits<double>::infinity();

  const Configuration configuration_;
  const std::shared_ptr<spdlog::logger> log_;
  const SystemClock clock_;
  const std::shared_ptr<prometheus::Registry> registry_ = std::make_shared<prometheus::Registry>();
  const std::shared_ptr<JobMetrics> jobMetrics_ =
      std::make_shared<JobMetrics>(configuration_.scheduling.limits);
  SelfMetrics selfMetrics_{*registry_};
  const std::unique_ptr<LossSource> losses_;
  std::atomic<double> lastBeat_;  // when the loop came by last, monotonic
  // When the first came that no epoch has seen (loop/timetable.h), monotonic; infinite without any.
  std::atomic<double> news_ = kNever;
  std::unique_ptr<kube::cluster::Connection> connection_;
  // Set once, right after the connection exists; every write asks it from whatever thread.
  std::atomic<std::shared_ptr<kube::leader::Election>> election_;
  std::unique_ptr<EpochLoop> loop_;  // exists while this process leads
  std::unique_ptr<OpsServer> server_;
};

}  // namespace slaq
