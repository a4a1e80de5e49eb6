#include "controller.h"

#include <algorithm>

#include "telemetry/log.h"

namespace slaq {
namespace {

// The loop is taken for stuck after so much silence.
constexpr Seconds kStuckAfter{120};

// How often it is looked whether there is news.
constexpr Seconds kTick{0.1};

std::string hostOf(const std::string& address) {
  std::string host = address.substr(0, address.rfind(':'));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return host;
}

int portOf(const std::string& address) { return std::stoi(address.substr(address.rfind(':') + 1)); }

}  // namespace

Controller::Controller(Configuration configuration, kube::auth::Access access,
                       std::unique_ptr<LossSource> losses, std::shared_ptr<spdlog::logger> log)
    : configuration_(std::move(configuration)),
      log_(std::move(log)),
      losses_(std::move(losses)),
      lastBeat_(clock_.monotonic().count()) {
  selfMetrics_.settings(configuration_.scheduling);
  const auto& election = configuration_.leaderElection;
  const std::string ns = election.ns.empty() ? access.ns : election.ns;
  connection_ = std::make_unique<kube::cluster::Connection>(std::move(access), connectionOptions(), clock_);
  if (!election.enabled) return;
  election_ = std::make_shared<kube::leader::Election>(
      connection_->leaseApi(), kube::client::Target{kube::client::kLeases, ns, election.name},
      kube::leader::makeIdentity(), clock_, kube::leader::LeaseTimes{},
      [this](bool leading, const std::string& sentence) {
        log_->info("event=election leading={} message={}", leading, quoted(sentence));
      });
}

kube::cluster::ConnectionOptions Controller::connectionOptions() {
  const auto& scheduling = configuration_.scheduling;
  return {.ns = configuration_.ns,
          .resource = scheduling.resource,
          .followNodes = !scheduling.capacity,
          .mayWrite = [this] { return leading(); },
          .observe =
              [this](const kube::client::ApiCall& call) {
                selfMetrics_.apiRequest(std::string(call.verb), std::string(call.resource), call.outcome);
              },
          .triggerEpoch = [this] { noteNews(clock_.monotonic().count()); },
          .log =
              [this](const std::string& sentence) {
                selfMetrics_.watchRestart();
                log_->warn("event=watch message={}", quoted(sentence));
              }};
}

bool Controller::leading() const {
  if (!configuration_.leaderElection.enabled) return true;
  const auto election = election_.load();
  return election && election->leading();
}

Health Controller::healthy() const {
  const double silence = clock_.monotonic().count() - lastBeat_.load();
  if (silence < kStuckAfter.count()) return {true, "the loop goes round"};
  return {false, "the loop has stood still for " + toDecimal(silence, 2) + " s"};
}

Health Controller::ready() const {
  if (connection_->synced()) return {true, "the cluster's state is known"};
  return {false, "the cluster's state was not listed yet"};
}

Result<void> Controller::serve() {
  OpsPages pages{.healthy = [this] { return healthy(); },
                 .ready = [this] { return ready(); },
                 .metrics =
                     [this] {
                       return expose({registry_, jobMetrics_});
                     }};
  const auto& address = configuration_.telemetryAddress;
  auto server = OpsServer::listen(hostOf(address), portOf(address), std::move(pages));
  if (!server) return failure(server.error());
  server_ = std::move(*server);
  log_->info("event=serving port={}", server_->port());
  return {};
}

void Controller::run(const std::function<bool(Seconds)>& wait) {
  Timetable timetable(configuration_.scheduling, clock_.monotonic());
  do {
    const Seconds begun = clock_.monotonic();
    const double news = news_.exchange(kNever);
    if (!epoch()) noteNews(news);
    timetable.pass(begun, clock_.monotonic());
  } while (!waitForNext(timetable, wait));
  loop_.reset();
  if (const auto election = election_.load()) election->release();
}

bool Controller::waitForNext(const Timetable& timetable, const std::function<bool(Seconds)>& wait) {
  while (true) {
    const Seconds now = clock_.monotonic();
    lastBeat_ = now.count();
    const Seconds left = timetable.next(news()) - now;
    if (wait(std::clamp(left, Seconds(0), kTick))) return true;
    if (left <= kTick) return false;
    if (timetable.heedsNews() && !news()) lookForCores();
  }
}

void Controller::lookForCores() {
  if (!loop_ || !loop_->waitsForCores()) return;
  const auto view = connection_->cluster().observe();
  if (view && loop_->hasFreed(*view)) noteNews(clock_.monotonic().count());
}

// The oldest counts.
void Controller::noteNews(double since) {
  double never = kNever;
  news_.compare_exchange_strong(never, since);
}

std::optional<Seconds> Controller::news() const {
  const double at = news_;
  return at < kNever ? std::optional(Seconds(at)) : std::nullopt;
}

bool Controller::epoch() {
  selfMetrics_.leader(leading());
  if (!leading()) {
    loop_.reset();
    jobMetrics_->clear();
    return false;
  }
  if (!loop_) {
    loop_ = std::make_unique<EpochLoop>(connection_->cluster(), *losses_, clock_, configuration_.scheduling,
                                        [this](const EpochReport& each) { report(each); });
  }
  const auto done = loop_->run();
  if (!done) {
    selfMetrics_.failedEpoch();
    log_->info("event=epoch_skipped message={}", quoted(done.error().message));
  }
  return done.has_value();
}

void Controller::report(const EpochReport& report) {
  jobMetrics_->update(report);
  selfMetrics_.epoch(report);
  selfMetrics_.lossRequest(report.lossOutage ? std::string(name(report.lossOutage->kind)) : "ok");
  logEpoch(*log_, report);
}

}  // namespace slaq
