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

  // Serves probes and metrics. An error when a port is taken or an address is not this machine's.
  Result<void> serve();

  ~Controller() override { election_.store(nullptr); }  // before the connection, whose threads read it

  // Runs epochs until `wait` returns true, then releases the lease. `wait(pause)` sleeps for `pause` or until
  // a stop is requested, and returns whether one was.
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
  // Waits briefly for this process to become the leader.
  void awaitElection();
  // The reason why the known state of the cluster cannot be used for a decision, if there is one. Waits for
  // the lists of a new term.
  std::optional<std::string> whyStale(const kube::cluster::Silences& silences);
  // Waits for `pause` at most. True once the program is to stop. On the loop's thread this is also the loop's
  // heartbeat; threads that write call it too.
  bool isStopped(Seconds pause);

  // Implements loop::EpochHost.
  Seconds now() const override { return clock_.monotonic(); }
  bool isOver() const override { return stopped_; }
  Result<void> runEpoch() override;
  std::optional<Seconds> pendingEvent() override;
  bool waitUntil(Seconds then) override;
  void lookForEvents() override;  // notices freed cores for which a job waits

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
  std::atomic<double> lastBeat_;  // the loop's last heartbeat, monotonic
  // When the first event happened that no epoch has seen (loop/epoch_timer.h), monotonic. Infinite if there
  // is none.
  std::atomic<double> event_ = kNever;
  std::unique_ptr<kube::cluster::Connection> connection_;
  // Set once, right after the connection exists. Every write reads it, on any thread.
  std::atomic<std::shared_ptr<kube::leader::Election>> election_;
  std::unique_ptr<kube::records::ConfigMapRecords> records_;
  std::unique_ptr<loop::EpochLoop> loop_;  // what this process learned in its last term as the leader
  std::atomic<int> term_ = 0;              // the election's term in which `loop_` was made
  Seconds termBegan_{0};                   // monotonic
  std::unique_ptr<kube::access::AccessReviewer> reviewer_;  // only if metrics require authorization
  std::unique_ptr<ops::Server> probes_;
  std::unique_ptr<ops::Server> metrics_;
  std::uint64_t looked_ = 0;  // Store::changes() at the last check for freed cores
  std::function<bool(Seconds)> wait_;
  std::thread::id loopThread_;
  std::atomic<bool> stopped_ = false;  // `wait_` returns true only once, to one thread
};

}  // namespace slaq::controller
