#include "loop/write/status_writer.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace slaq::loop {
namespace {

// A status in which only numbers drifted is written no more often than this.
constexpr Seconds kDriftInterval{30};
// All jobs together write at most this many of them in a second, so that their cost to the server does not
// grow with the number of jobs.
constexpr double kDriftsPerSecond = 5;

bool hasEnded(const JobStatus& written, const JobStatus& next) {
  return finished(next.state) && !finished(written.state);
}

}  // namespace

void StatusWriter::beginObserving() { std::ranges::move(sender_.takeSent(), std::back_inserter(early_)); }

void StatusWriter::begin(const scheduler::Snapshot& snapshot, const std::vector<JobStatus>& statuses,
                         const scheduler::Settings& settings) {
  snapshot_ = &snapshot;
  statuses_ = &statuses;
  epoch_ = settings.epoch;
  recordsEvents_ = settings.mode != Mode::Observe;
  failures_.clear();
  retain(snapshot);
  note(std::exchange(early_, {}));
  sender_.beginEpoch();
  stale_ = sender_.jobsUnderWay();
  const auto late = sender_.takeSent();
  for (const auto& each : late) stale_.insert(each.job);
  note(late);
  tried_.clear();
  done_.clear();
  sortByUrgency();
}

void StatusWriter::retain(const scheduler::Snapshot& snapshot) {
  retries_.retain(snapshot);
  places_.clear();
  std::map<JobKey, Seconds> pending;
  std::map<JobKey, Seconds> answered;
  for (std::size_t i = 0; i < snapshot.jobs.size(); ++i) {
    places_.emplace_hint(places_.end(), keyOf(i), i);
    if (auto known = pending_.extract(keyOf(i))) pending.insert(pending.end(), std::move(known));
    if (auto known = answered_.extract(keyOf(i))) answered.insert(answered.end(), std::move(known));
  }
  pending_ = std::move(pending);
  answered_ = std::move(answered);
}

void StatusWriter::sortByUrgency() {
  for (auto* list : {&ends_, &news_, &drifts_}) list->clear();
  const Seconds now = clock_.monotonic();
  for (std::size_t i = 0; i < statuses_->size(); ++i) {
    const JobView& view = viewOf(i);
    const JobStatus& next = (*statuses_)[i];
    if (view.job.deleting) continue;
    const Urgency urgency = urgencyOf(view.status, next);
    if (urgency == Urgency::News) {
      pending_.try_emplace(keyOf(i), now);
      (hasEnded(view.status, next) ? ends_ : news_).push_back(i);
      continue;
    }
    pending_.erase(keyOf(i));
    if (urgency == Urgency::None) retries_.forget(keyOf(i));
    if (urgency == Urgency::Drift && isDue(keyOf(i), now)) drifts_.push_back(i);
  }
  sortByAge(ends_);
  sortByAge(news_);
  thinDrifts();
}

// A job whose write failed waits, so that it takes no other job's turn.
bool StatusWriter::isDue(const JobKey& job, Seconds now) const {
  const auto last = answered_.find(job);
  const bool isOld = last == answered_.end() || now - last->second >= kDriftInterval;
  return isOld && !retries_.mustWait(job, now);
}

void StatusWriter::sortByAge(Places& jobs) const {
  std::ranges::stable_sort(jobs, {}, [this](std::size_t job) { return pending_.at(keyOf(job)); });
}

void StatusWriter::thinDrifts() {
  std::ranges::stable_sort(drifts_, {}, [this](std::size_t job) {
    const auto last = answered_.find(keyOf(job));
    return last == answered_.end() ? Seconds(0) : last->second;
  });
  if (!driftsAllowed_)
    driftsAllowed_.emplace(std::max(1.0, kDriftsPerSecond * epoch_.count()), Seconds(1 / kDriftsPerSecond));
  const Seconds now = clock_.monotonic();
  const auto first =
      std::ranges::find_if_not(drifts_, [&](std::size_t) { return driftsAllowed_->take(now); });
  drifts_.erase(first, drifts_.end());
}

std::vector<StatusToSend> StatusWriter::toSend(const Places& jobs) const {
  const Seconds now = clock_.monotonic();
  std::vector<StatusToSend> statuses;
  for (const std::size_t job : jobs) {
    const JobKey& key = keyOf(job);
    if (stale_.contains(key) || tried_.contains(key) || retries_.mustWait(key, now)) continue;
    const JobView& view = viewOf(job);
    statuses.push_back({key, view.job.uid, view.status, (*statuses_)[job],
                        recordsEvents_ && view.job.spec.mode == Mode::Schedule});
  }
  return statuses;
}

void StatusWriter::writeEnds(const std::function<bool()>& mayGoOn) {
  sender_.replace(toSend(ends_));
  sender_.finish(mayGoOn);
  note(sender_.takeSent());
}

bool StatusWriter::isEndWritten(const JobKey& job) const {
  if (done_.contains(job)) return true;
  return std::ranges::none_of(ends_, [&](std::size_t each) { return keyOf(each) == job; });
}

// Drops the waiting list before it makes the next one: nothing begins meanwhile, and memory holds only one
// list.
void StatusWriter::sendOthers(Seconds pause) {
  sender_.stop();
  stale_.merge(sender_.jobsUnderWay());
  note(sender_.takeSent());
  Places jobs = ends_;
  for (const auto* list : {&news_, &drifts_}) jobs.insert(jobs.end(), list->begin(), list->end());
  sender_.replace(toSend(jobs), pause);
}

void StatusWriter::writeOthersAfter(Seconds pause) {
  if (sender_.sendsByItself()) sendOthers(pause);
}

void StatusWriter::writeOthers(const std::function<bool()>& mayGoOn) {
  sendOthers(Seconds(0));
  if (sender_.sendsByItself()) return;
  sender_.finish(mayGoOn);
  note(sender_.takeSent());
}

void StatusWriter::note(const std::vector<SentStatus>& sent) {
  const bool isOutage = std::ranges::all_of(sent, isSilence, &SentStatus::result);
  for (const auto& each : sent) {
    const JobKey& job = each.job;
    const auto place = places_.find(job);
    if (place == places_.end() || viewOf(place->second).job.uid != each.uid) continue;
    answered_[job] = clock_.monotonic();
    if (each.isOfEpoch) tried_.insert(job);
    if (!each.result) {
      noteFailure(viewOf(place->second), each, isOutage);
      continue;
    }
    if (each.isOfEpoch) done_.insert(job);
    pending_.erase(job);
    retries_.forget(job);
  }
}

void StatusWriter::noteFailure(const JobView& view, const SentStatus& sent, bool isOutage) {
  const Error& error = sent.result.error();
  failures_.push_back({sent.job, error});
  if (error.kind == ErrorKind::Conflict) return;
  const Seconds now = clock_.monotonic();
  pending_[sent.job] = now;  // the job has had its turn
  if (!isSilence(sent.result) || !isOutage) retries_.addFailure(view, now, epoch_, sent.took);
}

}  // namespace slaq::loop
