#include "schedule/contest.h"

#include <algorithm>
#include <mutex>

#include "base/share_work.h"
#include "schedule/candidacy.h"

namespace slaq {
namespace {

// What several jobs come to together, in whatever order they are counted.
struct Tally {
  Budget drivers;   // below nothing by what they take
  Budget minimums;  // and by these
  Cores usable;
  Seconds calm = Seconds::max();

  explicit Tally(const Budget& budget) : drivers(budget.none()), minimums(budget.none()) {}

  void add(const Tally& other) {
    drivers += other.drivers;
    minimums += other.minimums;
    usable += other.usable;
    calm = std::min(calm, other.calm);
  }
};

Cores usableBy(const Candidate& candidate, const Trust& trust) {
  return candidate.cores(trust.nearlyDone ? candidate.min : candidate.max);
}

// A contest while it is made.
class Assembly {
 public:
  Assembly(const Terms& terms, const std::vector<std::size_t>& admitted, const std::vector<JobPlan>& plans,
           Contest over)
      : terms_(terms),
        plans_(plans),
        contest_(std::move(over)),
        trusts_(admitted.size()),
        tally_(terms.budget) {
    contest_.jobs = admitted;
    contest_.budget = terms.budget;
    const auto resize = [&](auto&... columns) { (columns.resize(admitted.size()), ...); };
    resize(contest_.candidates, contest_.sizes, contest_.held, contest_.standings, contest_.grewLately,
           contest_.shrankLately, contest_.doubted);
  }

  // Lets these take their seats. By several threads, but each job once.
  void take(std::size_t begin, std::size_t end) {
    Tally tally(terms_.budget);
    for (std::size_t n = begin; n < end; ++n) {
      take(n);
      count(n, tally);
    }
    const std::lock_guard lock(mutex_);
    tally_.add(tally);
  }

  Contest finish() {
    contest_.calm = tally_.calm;
    contest_.budget += tally_.drivers;
    makeMinimumsFit();
    if (contest_.jobs.size() > 1) boundByDoubt();
    return std::move(contest_);
  }

 private:
  const JobSnapshot& job(std::size_t n) const { return terms_.snapshot.jobs[contest_.jobs[n]]; }

  void take(std::size_t n) {
    const JobView& view = *job(n).view;
    const JobHistory& history = *job(n).history;
    const JobPlan& plan = plans_[contest_.jobs[n]];
    contest_.sizes[n] = sizesOf(view.job.spec);
    contest_.held[n] = heldUnitsOf(view, contest_.sizes[n]);
    contest_.standings[n] = plan.standing;
    const Entrant entrant{contest_.jobs[n], plan, contest_.sizes[n], contest_.held[n]};
    contest_.candidates[n] = candidateOf(entrant, terms_);
    trusts_[n] = trustIn(contest_.candidates[n], entrant, terms_);
    contest_.doubted[n] = false;
    contest_.grewLately[n] = wasLately(history.grew);
    contest_.shrankLately[n] = wasLately(history.shrank);
  }

  bool wasLately(const std::optional<Time>& change) const {
    return change && terms_.snapshot.now - *change < terms_.settings.price.horizon;
  }

  void count(std::size_t n, Tally& tally) const {
    const Candidate& candidate = contest_.candidates[n];
    tally.drivers.take(driverCoresOf(job(n).view->job.spec), candidate.group);
    tally.minimums.take(candidate.cores(candidate.min), candidate.group);
    tally.usable += usableBy(candidate, trusts_[n]);
    for (const auto& change : {job(n).history->grew, job(n).history->shrank}) {
      if (change) tally.calm = std::min(tally.calm, terms_.snapshot.now - *change);
    }
  }

  // Pins and resizes under way give way only where the minimums would not fit otherwise.
  void makeMinimumsFit() {
    Budget left = contest_.budget;
    left += tally_.minimums;
    if (left.covers()) return;
    tally_.usable = Cores();
    for (std::size_t n = 0; n < contest_.jobs.size(); ++n) {
      const Sizes least = leastSizesOf(job(n).view->job.spec);
      Candidate& candidate = contest_.candidates[n];
      if (least.team != contest_.sizes[n].team) {
        setSizes(candidate, least);
        contest_.sizes[n] = least;
      }
      candidate.min = std::min(candidate.max, least.min);
      tally_.usable += usableBy(candidate, trusts_[n]);
    }
  }

  // A forecast takes no more than it is trusted with, or others cannot use.
  void boundByDoubt() {
    const double all = inCores(contest_.budget.all);
    for (std::size_t n = 0; n < contest_.jobs.size(); ++n) {
      if (trusts_[n].share == 1) continue;
      Candidate& candidate = contest_.candidates[n];
      const double unusedByOthers = all - inCores(tally_.usable - candidate.cores(candidate.max));
      const double units = std::max(trusts_[n].share * all, unusedByOthers) / inCores(candidate.perUnit);
      const auto most = static_cast<std::int32_t>(std::min<double>(units, candidate.max));
      const std::int32_t kept = isFree(terms_.settings.price) ? 0 : std::min(contest_.held[n], candidate.max);
      const std::int32_t bound = std::max({candidate.min, most, kept});
      contest_.doubted[n] = bound < candidate.max;
      candidate.max = bound;
    }
  }

  const Terms& terms_;
  const std::vector<JobPlan>& plans_;
  Contest contest_;
  std::vector<Trust> trusts_;
  std::mutex mutex_;
  Tally tally_;
};

// A thread is woken, and its end waited for, in less than the time of so many jobs.
constexpr std::size_t kJobsForAThread = 1024;

}  // namespace

Contest contestOf(const Terms& terms, const std::vector<std::size_t>& admitted,
                  const std::vector<JobPlan>& plans, Contest over) {
  Assembly assembly(terms, admitted, plans, std::move(over));
  shareWork(admitted.size(), threadsFor(admitted.size(), kJobsForAThread),
            [&](std::size_t begin, std::size_t end) { assembly.take(begin, end); });
  return assembly.finish();
}

}  // namespace slaq
