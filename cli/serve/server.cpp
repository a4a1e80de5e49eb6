#include "cli/serve/server.h"

#include <unistd.h>

#include <cstdio>
#include <random>
#include <set>

#include "cli/api/served_documents.h"
#include "cli/machine/machine_watch.h"
#include "cli/serve/publisher.h"
#include "cli/store/job_state.h"
#include "cli/store/kept_losses.h"
#include "cli/store/owners.h"
#include "loop/epoch_runner.h"
#include "prometheus/scrape/scrape_source.h"

namespace slaq::cli::serve {
namespace {

namespace files = std::filesystem;

std::string newUid() {
  std::random_device random;
  char text[40];
  std::snprintf(text, sizeof text, "%08x-%04x-4%03x-%04x-%08x%04x", random(), random() & 0xffff,
                random() & 0xfff, 0x8000 | (random() & 0x3fff), random(), random() & 0xffff);
  return text;
}

store::Capacity capacityOf(const ServeSettings& settings) {
  return {settings.scheduling.capacity.value_or(Cores()), settings.scheduling.resource};
}

class Server : private loop::EpochHost {
 public:
  Server(const ServeSettings& settings, local::cluster::LocalCluster& cluster, Board& board,
         const ServeSurroundings& surroundings)
      : settings_(settings),
        cluster_(cluster),
        board_(board),
        surroundings_(surroundings),
        directory_(settings.directory.path, capacityOf(settings)),
        loop_(cluster, losses_, surroundings.clock, settings.scheduling,
              [this](const loop::EpochReport& report) { learn(report); }) {
    snapshot_.policy = std::string(name(settings.scheduling.policy));
    snapshot_.capacity = settings.scheduling.capacity.value_or(Cores());
    cluster_.rememberBy(
        [this](const JobKey& key, const local::cluster::LeftJob& left) { remember(key, left); });
  }

  Result<void> untilStopped() {
    takeUp();
    publish();
    if (auto opened = surroundings_.open(); !opened) return opened;
    const auto stopped = loop::EpochRunner(settings_.scheduling, *this, machine::kLeastBetweenEpochs).run();
    save();
    return stopped ? Result<void>() : failure(stopped.error());
  }

 private:
  Seconds now() const override { return surroundings_.clock.monotonic() - began_; }
  bool isOver() const override { return false; }
  std::optional<Seconds> pendingEvent() override { return event_; }
  bool waitUntil(Seconds then) override {
    return surroundings_.wait(std::clamp(then - now(), Seconds(0), machine::kTick));
  }

  Result<void> runEpoch() override {
    auto done = loop_.run();
    event_.reset();
    publish();
    return done;
  }

  void lookForEvents() override {
    const bool changed = directory_.look() && follow();
    const bool happened = watch_.look();
    if ((changed || happened) && !event_) event_ = now();
    tellMistakes();
    publish();
    snapshot_.age = now();
    surroundings_.show(snapshot_);
  }

  // Goes on with the jobs that an earlier server has left. Their manifests need not be readable at this
  // moment.
  void takeUp() {
    std::string mistakes;
    known_ = states_.load(mistakes);
    if (!mistakes.empty()) surroundings_.tell(mistakes.substr(0, mistakes.size() - 1));
    for (const auto& [key, state] : known_) {
      if (auto job = store::listedFrom(key, state, settings_.scheduling.resource))
        directory_.remember(std::move(*job));
    }
    directory_.look();
    std::set<JobKey> left;
    for (const auto& [key, listed] : directory_.jobs()) {
      const auto found = known_.find(key);
      if (found == known_.end() || found->second.user != listed.user) continue;
      left.insert(key);
      add(listed, found->second, found->second.left);
      losses_.load(key, found->second.uid);
      failures_[key] = cluster_.chiefFailures(key).first;
    }
    std::erase_if(known_, [&](const auto& each) { return !left.contains(each.first); });
    cluster_.endStrays();
    settings_.directory.sweep(left);
    follow();
  }

  // Adds a job. With `left`, from an earlier server, the job goes on.
  void add(const store::ListedJob& listed, const store::JobState& state,
           const std::optional<local::cluster::LeftJob>& left = {}) {
    if (state.expired) return;
    TrainingJob job = listed.job;
    job.uid = state.uid;
    job.created = state.created;
    job.generation = state.generation;
    const bool isOurs = listed.user == ::geteuid();
    cluster_.add(std::move(job), isOurs ? nullptr : store::ownerOf(listed.user), left);
  }

  bool change(const store::ListedJob& listed, store::JobState& state) {
    state.file = listed.file;
    if (state.expired || state.manifest == listed.document) return false;
    const auto changed = cluster_.change(listed.job.key, listed.job.spec);
    if (!changed) {
      if (std::exchange(refused_[listed.job.key], listed.document) != listed.document)
        surroundings_.tell(listed.file.string() + ": " + changed.error().message);
      return false;
    }
    state.manifest = listed.document;
    if (*changed) ++state.generation;
    return *changed;
  }

  // Takes over the directory's jobs. Returns true if a job was added, changed or removed.
  bool follow() {
    bool changed = false;
    const auto gone = [&](const auto& each) {
      const auto listed = directory_.jobs().find(each.first);
      const bool stays = listed != directory_.jobs().end() && listed->second.user == each.second.user;
      if (!stays) cluster_.remove(each.first);
      changed |= !stays;
      return !stays;
    };
    if (std::erase_if(known_, gone) > 0) settings_.directory.sweepLogs(knownJobs());
    for (const auto& [key, listed] : directory_.jobs()) {
      const auto [place, isNew] = known_.try_emplace(key);
      if (!isNew) {
        changed |= change(listed, place->second);
        continue;
      }
      if (!cluster_.isFree(key)) {  // an earlier job of this name is still ending
        known_.erase(place);
        waiting_ = true;
        continue;
      }
      place->second = {.uid = newUid(),
                       .created = surroundings_.clock.now(),
                       .user = listed.user,
                       .file = listed.file,
                       .manifest = listed.document,
                       .left = {}};
      add(listed, place->second);
      changed = true;
    }
    return changed;
  }

  std::set<JobKey> knownJobs() const {
    std::set<JobKey> jobs;
    for (const auto& [key, state] : known_) jobs.insert(key);
    return jobs;
  }

  void learn(const loop::EpochReport& report) {
    if (surroundings_.report) surroundings_.report(report);
    snapshot_.age = now();
    snapshot_.jobs = jobs::rowsOf(report);
    for (const auto& view : report.view.jobs) {
      watch_.noteEnd(view, report.view.time);
      noteFailure(view.job.key, report.view.time);
    }
  }

  void noteFailure(const JobKey& key, Time now) {
    const auto [failures, last] = cluster_.chiefFailures(key);
    const auto found = known_.find(key);
    if (found == known_.end() || std::exchange(failures_[key], failures) >= failures) return;
    events_.add(key, found->second.uid, api::processFailed(jobs::shortName(key), last), now);
  }

  // Publishes the clients' view, and saves the state for the next server.
  void publish() {
    const Time time = surroundings_.clock.now();
    for (const auto& [key, event] : cluster_.takeEvents()) {
      if (const auto found = known_.find(key); found != known_.end())
        events_.add(key, found->second.uid, event, time);
    }
    events_.forgetAllBut([this](const JobKey& key) { return directory_.jobs().contains(key); });
    if (std::exchange(waiting_, false)) follow();
    save();
    tellTrouble("statuses", publisher_.publish(directory_, known_, events_));
  }

  // A job that is over and whose time to live has passed has left the cluster by itself. Its manifest is
  // removed too, as the object is on a cluster.
  void noteExpired(const std::map<JobKey, local::cluster::LeftJob>& left) {
    for (auto& [key, state] : known_) {
      if (left.contains(key) || state.expired) continue;
      state.expired = true;
      const auto listed = directory_.jobs().find(key);
      std::error_code ignored;
      if (listed != directory_.jobs().end() && directory_.countIn(listed->second.file) == 1)
        files::remove(listed->second.file, ignored);
    }
  }

  void save() {
    const auto left = cluster_.leave();
    noteExpired(left);
    watch_.forgetAllBut(left);
    std::erase_if(failures_, [&](const auto& each) { return !left.contains(each.first); });
    std::erase_if(refused_, [&](const auto& each) { return !left.contains(each.first); });
    std::vector<JobKey> keys;
    for (auto& [key, state] : known_) {
      if (const auto found = left.find(key); found != left.end()) state.left = found->second;
      keys.push_back(key);
    }
    tellTrouble("states", states_.save(known_));
    tellTrouble("losses", losses_.save(keys));
  }

  void remember(const JobKey& key, const local::cluster::LeftJob& left) {
    const auto found = known_.find(key);
    if (found == known_.end()) return;
    found->second.left = left;
    tellTrouble("states", states_.save(key, found->second));
  }

  // Prints each sentence once, until the problem is over.
  void tellTrouble(const char* what, const Result<void>& done) {
    std::string& told = troubles_[what];
    const std::string sentence = done ? "" : done.error().message + "; it is tried again";
    if (std::exchange(told, sentence) != sentence && !sentence.empty()) surroundings_.tell(sentence);
  }

  void tellMistakes() {
    const auto& mistakes = directory_.mistakes();
    for (const auto& [file, mistake] : mistakes) {
      auto& told = told_[file];
      if (told != mistake) surroundings_.tell(told = mistake);
    }
    std::erase_if(told_, [&](const auto& each) { return !mistakes.contains(each.first); });
  }

  const ServeSettings& settings_;
  local::cluster::LocalCluster& cluster_;
  Board& board_;
  const ServeSurroundings& surroundings_;
  const Seconds began_ = surroundings_.clock.monotonic();
  store::JobDirectory directory_;
  store::JobStates states_{settings_.directory.states()};
  prom::ScrapeSource scraper_{prom::ScrapeOptions(), surroundings_.clock};
  store::KeptLosses losses_{scraper_, settings_.directory.losses(),
                            [this](const JobKey& job, const std::string& uid, const LossSample& sample) {
                              board_.noteLoss(job, uid, sample);
                            }};
  loop::EpochLoop loop_;
  machine::MachineWatch watch_{cluster_, losses_, loop_};
  jobs::RunSnapshot snapshot_;
  std::optional<Seconds> event_;  // the time since which an early epoch is needed
  std::map<JobKey, store::JobState> known_;
  bool waiting_ = false;  // a job waits until an earlier one of its name has ended
  api::EventLog events_;
  Publisher publisher_{settings_.directory, board_};
  std::map<JobKey, int> failures_;           // of each chief, as far as events were recorded
  std::map<files::path, std::string> told_;  // mistakes in manifests
  std::map<std::string, std::string> troubles_;
  std::map<JobKey, std::string> refused_;  // manifests with changes that can't be made
};

}  // namespace

Result<void> runServer(const ServeSettings& settings, std::unique_ptr<local::cpu::CpuLimiter> limiter,
                       Board& board, const ServeSurroundings& surroundings) {
  local::cluster::LocalSettings local;
  local.logs = settings.directory.logs();
  local.programs = settings.programs;
  settings.shared.set(local);
  local.outlived = true;
  auto cluster = local::cluster::LocalCluster::start({}, local, std::move(limiter), surroundings.clock);
  if (!cluster) return failure(cluster.error());
  auto& lasting = *cluster->release();  // its destructor would end the programs
  return Server(settings, lasting, board, surroundings).untilStopped();
}

}  // namespace slaq::cli::serve
