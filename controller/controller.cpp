#include "controller.h"

#include <algorithm>
#include <utility>

#include "release/version.h"
#include "telemetry/log.h"

namespace slaq::controller {
namespace {

// The loop counts as stuck after this long without a heartbeat.
constexpr Seconds kStuckAfter{120};

// The controller keeps what it learns about kinds of jobs in a ConfigMap. Its name is the lease's with this
// suffix.
constexpr const char* kRecordsSuffix = "-kinds";

// An epoch waits this long for the cluster's lists. After that it is skipped, and the next one waits again.
constexpr Seconds kListsTake{10};

// The controller checks this often whether an epoch is due.
constexpr Seconds kTick{0.1};

// The first lists wait this long for the lease, because lists from before it must be repeated. A process
// without the lease by then stands by, and lists all the same.
constexpr Seconds kElectionTakes{1};

std::string hostOf(const std::string& address) {
  std::string host = address.substr(0, address.rfind(':'));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return host;
}

int portOf(const std::string& address) { return std::stoi(address.substr(address.rfind(':') + 1)); }

}  // namespace

Controller::Controller(config::Configuration configuration, const kube::auth::Access& access,
                       std::unique_ptr<LossSource> losses, std::shared_ptr<spdlog::logger> log)
    : configuration_(std::move(configuration)),
      log_(std::move(log)),
      losses_(std::move(losses)),
      lastBeat_(clock_.monotonic().count()) {
  selfMetrics_.settings(configuration_.scheduling);
  selfMetrics_.build(release::thisBuild().version, release::thisBuild().revision);
  const auto& election = configuration_.leaderElection;
  const std::string ns = election.ns.empty() ? access.ns : election.ns;
  connection_ = std::make_unique<kube::cluster::Connection>(access, connectionOptions(), clock_);
  records_ = std::make_unique<kube::records::ConfigMapRecords>(connection_->api(), ns,
                                                               election.name + kRecordsSuffix);
  if (!election.enabled) return;
  election_ = std::make_shared<kube::leader::Election>(
      connection_->leaseApi(), kube::client::Target{kube::client::kLeases, ns, election.name},
      kube::leader::makeIdentity(), clock_, kube::leader::LeaseTimes::of(election.lease),
      [this](bool leading, const std::string& sentence) {
        log_->info("event=election leading={} message={}", leading, telemetry::quoted(sentence));
      },
      [this](const std::string& sentence) {
        log_->warn("event=election_failed message={}", telemetry::quoted(sentence));
      });
}

kube::cluster::ConnectionOptions Controller::connectionOptions() {
  const auto& scheduling = configuration_.scheduling;
  return {.ns = configuration_.ns,
          .resource = scheduling.resource,
          .docsUrl = configuration_.docsUrl,
          .reportImage = configuration_.reportImage,
          .targets = configuration_.targets,
          .queues = configuration_.queues,
          .priorityBoost = configuration_.priorityBoost,
          .podGroups = scheduling.mode == Mode::Schedule,
          .followNodes = !scheduling.capacity,
          .mayWrite = [this] { return mayWrite(); },
          .pause = [this](Seconds pause) { return isStopped(pause); },
          .observe =
              [this](const kube::client::ApiCall& call) {
                selfMetrics_.apiRequest(std::string(call.verb), std::string(call.resource), call.outcome,
                                        call.duration);
              },
          .triggerEpoch = [this] { enqueueEpoch(clock_.monotonic().count()); },
          .watchInterrupted =
              [this](const std::string& sentence, bool isNews) {
                selfMetrics_.watchRestart();
                if (!isNews) return;
                log_->warn("event=watch message={}", telemetry::quoted(sentence));
              },
          .logLostEvent =
              [this](const std::string& sentence) {
                log_->warn("event=event_lost message={}", telemetry::quoted(sentence));
              }};
}

bool Controller::leading() const {
  if (!configuration_.leaderElection.enabled) return true;
  const auto election = election_.load();
  return election && election->leading();
}

// A write that was decided in an earlier term must not be sent: another process may have led since.
bool Controller::mayWrite() const {
  const auto election = election_.load();
  return leading() && (!election || election->term() == term_);
}

ops::Health Controller::healthy() const {
  const double silence = clock_.monotonic().count() - lastBeat_.load();
  if (silence < kStuckAfter.count()) return {true, "the loop goes round"};
  return {false, "the loop has stood still for " + toDecimal(silence, 2) + " s"};
}

ops::Health Controller::ready() const {
  if (!connection_->synced()) return {false, "the cluster's state was not listed yet"};
  if (const auto why = kube::cluster::whyStale(connection_->silences())) return {false, *why};
  return {true, "the cluster's state is known"};
}

Result<void> Controller::serve() {
  const auto& [address, probeAddress, certificateFile, keyFile, authorize] = configuration_.telemetry;
  auto probes =
      ops::Server::listen({.address = hostOf(probeAddress), .port = portOf(probeAddress)},
                          {.healthy = [this] { return healthy(); }, .ready = [this] { return ready(); }});
  if (!probes) return failure(probes.error());
  ops::Options options{.address = hostOf(address),
                       .port = portOf(address),
                       .certificateFile = certificateFile,
                       .keyFile = keyFile};
  if (authorize) {
    reviewer_ = std::make_unique<kube::access::AccessReviewer>(connection_->reviewApi(), clock_);
    options.authorize = [this](const std::string& token) { return reviewer_->mayGet(token, "/metrics"); };
  }
  auto metrics = ops::Server::listen(options, {.metrics = [this] {
                                       return telemetry::expose({registry_, jobMetrics_, processMetrics_});
                                     }});
  if (!metrics) return failure(metrics.error());
  probes_ = std::move(*probes);
  metrics_ = std::move(*metrics);
  log_->info("event=serving port={} probe_port={}", metrics_->port(), probes_->port());
  return {};
}

void Controller::run(std::function<bool(Seconds)> wait) {
  wait_ = std::move(wait);
  loopThread_ = std::this_thread::get_id();
  awaitElection();
  connection_->start();
  loop::EpochRunner runner(configuration_.scheduling, *this);
  (void)runner.run();  // ends only when a stop is requested
  loop_.reset();
  if (const auto election = election_.load()) election->release();
}

void Controller::awaitElection() {
  const Seconds until = clock_.monotonic() + kElectionTakes;
  while (!leading() && clock_.monotonic() < until && !isStopped(kTick)) continue;
}

Result<void> Controller::runEpoch() {
  if (isStopped(Seconds(0))) return {};
  const double event = event_.exchange(kNever);
  if (!epoch()) enqueueEpoch(event);
  return {};
}

bool Controller::waitUntil(Seconds then) {
  return isStopped(std::clamp(then - clock_.monotonic(), Seconds(0), kTick));
}

bool Controller::isStopped(Seconds pause) {
  if (std::this_thread::get_id() == loopThread_) lastBeat_ = clock_.monotonic().count();
  if (!stopped_ && wait_(pause)) stopped_ = true;
  return stopped_;
}

void Controller::lookForEvents() {
  if (!configuration_.scheduling.policy->decidesOnEvents() || pendingEvent()) return;
  if (!loop_ || !loop_->waitsForCores()) return;
  const auto changes = connection_->store().changes();
  if (std::exchange(looked_, changes) == changes) return;  // observe() copies all that is known
  const auto view = connection_->cluster().observe();
  if (view && loop_->hasFreed(*view)) enqueueEpoch(clock_.monotonic().count());
}

// Keeps the oldest event.
void Controller::enqueueEpoch(double since) {
  double never = kNever;
  event_.compare_exchange_strong(never, since);
}

std::optional<Seconds> Controller::pendingEvent() {
  const double at = event_;
  return at < kNever ? std::optional(Seconds(at)) : std::nullopt;
}

bool Controller::epoch() {
  selfMetrics_.leader(leading());
  const auto silences = connection_->silences();
  for (const auto& [resource, silence] : silences) selfMetrics_.watchSilence(resource, silence);
  if (!leading()) {
    jobMetrics_->clear();
    if (loop_) loop_->stopWriting();
    connection_->noteOwners();
    return false;
  }
  const auto election = election_.load();
  if (election && election->term() != term_) beginTerm(*election);
  if (!loop_) {
    loop_ =
        std::make_unique<loop::EpochLoop>(connection_->cluster(), *losses_, clock_, configuration_.scheduling,
                                          [this](const loop::EpochReport& each) { report(each); });
    loop_->keepRecordsIn(*records_);
    loop_->beforeEachWrite([this] { return !isStopped(Seconds(0)); });
  }
  const auto stale = whyStale(silences);
  const Result<void> done = stale ? Result<void>(failure(ErrorKind::Transient, *stale)) : loop_->run();
  if (!done) {
    selfMetrics_.failedEpoch();
    log_->info("event=epoch_skipped message={}", telemetry::quoted(done.error().message));
  }
  return done.has_value();
}

// Another process may have led in between. Then what this process learned about the jobs is out of date, and
// the other's last changes may not be visible here yet. A lapse of the lease within one term loses nothing.
void Controller::beginTerm(const kube::leader::Election& election) {
  loop_.reset();
  term_ = election.term();
  termBegan_ = election.termBegan();
  connection_->listSince(termBegan_);
}

std::optional<std::string> Controller::whyStale(const kube::cluster::Silences& silences) {
  if (const auto why = kube::cluster::whyStale(silences)) return why;
  const Seconds until = clock_.monotonic() + kListsTake;
  while (connection_->listed() < termBegan_ && clock_.monotonic() < until && leading()) {
    if (isStopped(kTick)) break;
  }
  if (connection_->listed() >= termBegan_) return std::nullopt;
  return "the lists of TrainingJobs, Jobs, pods and targets have not come yet since this process leads";
}

void Controller::report(const loop::EpochReport& report) {
  jobMetrics_->update(report);
  selfMetrics_.epoch(report);
  selfMetrics_.lossRequest(report.lossOutage ? std::string(name(report.lossOutage->kind)) : "ok");
  telemetry::logEpoch(*log_, report);
}

}  // namespace slaq::controller
