// The operator as a whole: a connection to the cluster, a loss source, a lease, telemetry, and the epochs.
#pragma once

#include <prometheus/registry.h>
#include <spdlog/logger.h>

#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <thread>

#include "base/clock.h"
#include "config/configuration.h"
#include "kube/access/access_reviewer.h"
#include "kube/auth/credentials.h"
#include "kube/cluster/connection.h"
#include "kube/leader/election.h"
#include "kube/records/config_map_records.h"
#include "loop/epoch_loop.h"
#include "loop/epoch_runner.h"
#include "ops/server.h"
#include "telemetry/job_metrics.h"
#include "telemetry/process/process_metrics.h"
#include "telemetry/self_metrics.h"

namespace slaq::controller {

class Controller : private loop::EpochHost {
 public:
  Controller(config::Configuration configuration, const kube::auth::Access& access,
             std::unique_ptr<LossSource> losses, std::shared_ptr<spdlog::logger> log);

  // Serves probes and metrics. Invalid when an address can't be had.
  Result<void> serve();

  ~Controller() override { election_.store(nullptr); }  // before the connection, whose threads ask it

  // Runs epochs until `wait(pause)`, which sleeps for that long, returns true: stop. Releases the lease then.
  void run(std::function<bool(Seconds)> wait);

 private:
  kube::cluster::ConnectionOptions connectionOptions();
  ops::Health healthy() const;
  ops::Health ready() const;
  bool leading() const;
  bool mayWrite() const;
  void enqueueEpoch(double since);
  bool epoch();  // false if nothing could be decided
  void beginTerm(const kube::leader::Election& election);
  // Waits until this process leads, though not for long.
  void awaitElection();
  // Why nothing can be decided by what is known of the cluster, if so. Waits for the lists of a term.
  std::optional<std::string> whyStale(const kube::cluster::Silences& silences);
  // Waits for that long at most, and tells that the loop lives if it is its thread that calls. True once the
  // program is to stop. Threads of writes call it too.
  bool isStopped(Seconds pause);

  // The host of the epochs.
  Seconds now() const override { return clock_.monotonic(); }
  bool isOver() const override { return stopped_; }
  Result<void> runEpoch() override;
  std::optional<Seconds> pendingEvent() override;
  bool waitUntil(Seconds then) override;
  void lookForEvents() override;  // cores have come free for which a job waits

  void report(const loop::EpochReport& report);

  static constexpr double kNever = std::numeric_limits<double>::infinity();

  const config::Configuration configuration_;
  const std::shared_ptr<spdlog::logger> log_;
  const SystemClock clock_;
  const std::shared_ptr<prometheus::Registry> registry_ = std::make_shared<prometheus::Registry>();
  const std::shared_ptr<telemetry::JobMetrics> jobMetrics_ =
      std::make_shared<telemetry::JobMetrics>(configuration_.scheduling.limits);
  const std::shared_ptr<telemetry::process::ProcessMetrics> processMetrics_ =
      std::make_shared<telemetry::process::ProcessMetrics>();
  telemetry::SelfMetrics selfMetrics_{*registry_};
  const std::unique_ptr<LossSource> losses_;
  std::atomic<double> lastBeat_;  // when the loop came by last, monotonic
  // When the first event happened that no epoch has seen (loop/epoch_timer.h), monotonic; infinite without
  // any.
  std::atomic<double> event_ = kNever;
  std::unique_ptr<kube::cluster::Connection> connection_;
  // Set once, right after the connection exists; every write asks it from whatever thread.
  std::atomic<std::shared_ptr<kube::leader::Election>> election_;
  std::unique_ptr<kube::records::ConfigMapRecords> records_;
  std::unique_ptr<loop::EpochLoop> loop_;  // what this process learned in its last term as the leader
  std::atomic<int> term_ = 0;              // of the election, that `loop_` is of
  Seconds termBegan_{0};                   // monotonic
  std::unique_ptr<kube::access::AccessReviewer> reviewer_;  // where metrics ask for it
  std::unique_ptr<ops::Server> probes_;
  std::unique_ptr<ops::Server> metrics_;
  std::uint64_t looked_ = 0;  // Store::changes() when it was last looked whether cores have come free
  std::function<bool(Seconds)> wait_;
  std::thread::id loopThread_;
  std::atomic<bool> stopped_ = false;  // wait_ says so only once, and to one thread
};

}  // namespace slaq::controller
