#include "loop/write/status_writer.h"

#include <algorithm>

#include "loop/status/events.h"
#include "loop/write/concurrent_writes.h"

namespace slaq::loop {
namespace {

// Numbers that only drift are written no more often than this.
constexpr Seconds kDriftInterval{30};
constexpr double kMostEndsAhead = 100;

bool hasEnded(const JobStatus& written, const JobStatus& next) {
  return finished(next.state) && !finished(written.state);
}

}  // namespace

bool isSilence(const Result<void>& result) { return !result && result.error().kind == ErrorKind::Transient; }

void StatusWriter::begin(const scheduler::Snapshot& snapshot, const std::vector<JobStatus>& statuses,
                         const scheduler::Settings& settings) {
  snapshot_ = &snapshot;
  statuses_ = &statuses;
  epoch_ = settings.epoch;
  recordsEvents_ = settings.mode != scheduler::Mode::Observe;
  silences_ = 0;
  for (auto* list : {&ends_, &news_, &drifts_}) list->clear();
  failures_.clear();
  retain(snapshot);
  rate_.begin(snapshot.now, epoch_);
  const Seconds now = clock_.monotonic();
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const JobView& view = viewOf(i);
    if (view.job.deleting) continue;
    const Urgency urgency = urgencyOf(view.status, statuses[i]);
    const auto last = written_.find(view.job.key);
    const bool isDue = last == written_.end() || now - last->second >= kDriftInterval;
    if (urgency == Urgency::News) {
      pending_.try_emplace(view.job.key, now);
      (hasEnded(view.status, statuses[i]) ? ends_ : news_).push_back(i);
    } else {
      pending_.erase(view.job.key);
      retries_.forget(view.job.key);
      if (urgency == Urgency::Drift && isDue) drifts_.push_back(i);
    }
  }
}

void StatusWriter::retain(const scheduler::Snapshot& snapshot) {
  retries_.retain(snapshot);
  std::map<JobKey, Seconds> pending;
  std::map<JobKey, Seconds> written;
  for (const auto& job : snapshot.jobs) {
    const JobKey& key = job.view->job.key;
    if (auto known = pending_.extract(key)) pending.insert(pending.end(), std::move(known));
    if (auto known = written_.extract(key)) written.insert(written.end(), std::move(known));
  }
  pending_ = std::move(pending);
  written_ = std::move(written);
}

// Each job ends once, and its pods wait for it: more ends than are allowed are paid for later.
void StatusWriter::writeEnds(const std::function<bool()>& mayGoOn) {
  write(ends_, [&] { return rate_.allows(-kMostEndsAhead) && mayGoOn(); });
}

bool StatusWriter::isEndWritten(const JobKey& job) const {
  return std::ranges::none_of(ends_, [&](std::size_t each) { return viewOf(each).job.key == job; });
}

void StatusWriter::writeOthers(const std::function<bool()>& mayGoOn) {
  write(news_, [&] { return rate_.allows(1) && mayGoOn(); });
  write(drifts_, [&] { return rate_.allowsWhatCanWait() && mayGoOn(); });
}

// What was written is taken from the list.
void StatusWriter::write(std::vector<std::size_t>& jobs, const std::function<bool()>& mayGoOn) {
  const auto since = [&](std::size_t job) {
    const auto known = pending_.find(viewOf(job).job.key);
    return known == pending_.end() ? Seconds(0) : known->second;
  };
  std::ranges::stable_sort(jobs, {}, since);
  struct Write {
    Seconds begun{0};
    Result<void> result;
    bool isDone = false;
  };
  std::vector<Write> writes(jobs.size());
  const auto begin = [&](std::size_t i) {
    const bool isDue = !retries_.mustWait(viewOf(jobs[i]).job.key, clock_.monotonic());
    if (!isDue || silences_ >= kMostSilences || !mayGoOn()) return false;
    rate_.take();
    writes[i].begun = clock_.monotonic();
    return true;
  };
  const auto send = [&](std::size_t i) {
    writes[i].result = cluster_.writeStatus(viewOf(jobs[i]).job.key, (*statuses_)[jobs[i]]);
  };
  const auto atOnce = std::min(cluster_.maxConcurrentWrites(), std::max<std::size_t>(jobs.size(), 1));
  const auto end = [&](std::size_t i) {
    rate_.add((clock_.monotonic() - writes[i].begun) / static_cast<double>(atOnce),
              !isSilence(writes[i].result));
    writes[i].isDone = noteWritten(jobs[i], writes[i].result);
  };
  sendConcurrently({jobs.size(), begin, send, end}, atOnce);
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!writes[i].isDone) left.push_back(jobs[i]);
  }
  jobs = std::move(left);
}

bool StatusWriter::noteWritten(std::size_t job, const Result<void>& result) {
  const JobView& view = viewOf(job);
  const JobStatus& status = (*statuses_)[job];
  const Seconds now = clock_.monotonic();
  if (!result) {
    failures_.push_back({view.job.key, result.error()});
    const ErrorKind kind = result.error().kind;
    if (kind == ErrorKind::Transient) ++silences_;
    if (kind == ErrorKind::Conflict) return false;
    pending_[view.job.key] = now;  // it has had its turn
    if (kind != ErrorKind::Transient) retries_.addFailure(view, now, epoch_);
    return false;
  }
  written_[view.job.key] = now;
  pending_.erase(view.job.key);
  retries_.forget(view.job.key);
  if (!recordsEvents_) return true;
  for (const auto& event : eventsBetween(view.status, status)) cluster_.record(view.job.key, event);
  return true;
}

}  // namespace slaq::loop
