#include "scheduler/lifecycle/admission.h"

#include <algorithm>
#include <tuple>

#include "base/figures.h"
#include "scheduler/lifecycle/lifecycle.h"

namespace slaq::scheduler {
namespace {

void wait(JobPlan& plan, std::string reason) {
  plan.state = JobState::Waiting;
  plan.phase = Phase::Inactive;
  plan.target = Workers(0);
  plan.targetCpu.reset();
  plan.reason = std::move(reason);
}

Cores coresAtLeast(const JobSpec& spec, const Sizes& sizes) {
  return driverCoresOf(spec) + sizes.coresAt(sizes.min);
}

// The cores that the job needs to be admitted. A running job needs only its smallest size, whatever it was
// pinned to since.
Cores needOf(const JobView& view) {
  const JobSpec& spec = view.job.spec;
  return runs(view.workers) ? coresAtLeast(spec, leastSizesOf(spec)) : minimumOf(spec);
}

// An edit raised the job's smallest size above what it holds.
bool wantsMore(const JobView& view) {
  const JobSpec& spec = view.job.spec;
  return needOf(view) > driverCoresOf(spec) + coresOf(spec, heldSizeOf(view));
}

// A job's place in the line.
struct Rank {
  bool isNewcomer;
  bool wantsMore;  // for running jobs
  int importance;  // for newcomers; a smaller value is more important
  Time since;
  const JobKey* key;
  std::size_t job;

  auto figures() const { return std::tie(isNewcomer, wantsMore, importance, since); }
  bool operator<(const Rank& other) const {
    return figures() < other.figures() || (figures() == other.figures() && *key < *other.key);
  }
};

// Running jobs come first, in the order in which they were admitted. Running jobs whose smallest size was
// edited above what they hold come behind the other running jobs. Newcomers follow by weight, age and key.
Rank rankOf(const DecisionContext& context, std::size_t i) {
  const JobView& view = *context.snapshot.jobs[i].view;
  const bool running = runs(view.workers);
  const Time since = running ? view.status.started.value_or(view.job.created) : view.job.created;
  return {!running, running && wantsMore(view), running ? 0 : -context.weightOf(i), since, &view.job.key, i};
}

// The line of the waiting jobs. No later newcomer overtakes its head. There is one head for all jobs, and one
// for each namespace whose limit its jobs wait for.
class Line {
 public:
  explicit Line(const DecisionContext& context)
      : context_(context),
        left_(context.budget),
        heads_(left_.groups.size()),
        memory_(context.snapshot.memory) {}

  // The reason why the job must wait; empty if it was admitted.
  std::optional<std::string> queue(std::size_t i) {
    const JobView& view = *context_.snapshot.jobs[i].view;
    const Group group = context_.groupOf(i);
    const bool running = runs(view.workers);
    const Cores need = needOf(view);
    if (auto never = whyNever(view, group, need)) return never;
    if (!running) {
      if (const JobKey* head = headBefore(group)) return "waits behind " + toString(*head);
      if (auto why = whyNoMemory(view)) return head_ = &view.job.key, why;
    }
    if (left_.fits(need, group)) {
      left_.take(need, group);
      if (!running) takeMemory(view);
      return std::nullopt;
    }
    const bool byLimit = need <= left_.all;
    if (!running) (byLimit ? heads_[static_cast<std::size_t>(group)] : head_) = &view.job.key;
    const std::string left = toString(std::max(Cores(), left_.leftFor(group))) + " are left";
    return "waits for " + coresText(need) + " for its minimum; " + left +
           (byLimit ? " under " + limitOf(group).name : "");
  }

 private:
  std::optional<std::string> whyNever(const JobView& view, Group group, Cores need) const {
    if (memory_ && view.memoryNeed > memory_->total && !runs(view.workers))
      return "needs " + memoryText(*view.memoryNeed) + " of the GPU's memory, which is " +
             memoryText(memory_->total);
    const std::string needs = "needs " + coresText(need) + " for its minimum, more than ";
    const Cores capacity = context_.budget.all + context_.closing;
    if (need > capacity) return needs + "the capacity of " + toString(capacity);
    if (group != kNoGroup && need > limitOf(group).most) return needs + limitOf(group).name;
    return std::nullopt;
  }

  std::optional<std::string> whyNoMemory(const JobView& view) const {
    if (!memory_) return std::nullopt;
    if (memory_->measuring)
      return "waits until the GPU's memory that another training takes is known; --gpu-memory, or a limit "
             "of " +
             std::string(kGpuMemory) + ", would say it before";
    if (!view.memoryNeed) return std::nullopt;
    if (*view.memoryNeed <= memory_->free) return std::nullopt;
    return "waits for " + memoryText(*view.memoryNeed) + " of the GPU's memory; " +
           memoryText(std::max(Mebibytes(), memory_->free)) + " are left";
  }

  void takeMemory(const JobView& view) {
    if (!memory_) return;
    memory_->measuring |= !view.memoryNeed;
    memory_->free -= view.memoryNeed.value_or(Mebibytes());
  }

  const JobKey* headBefore(Group group) const {
    if (head_ || group == kNoGroup) return head_;
    return heads_[static_cast<std::size_t>(group)];
  }

  const GroupLimit& limitOf(Group group) const { return context_.limits[static_cast<std::size_t>(group)]; }

  const DecisionContext& context_;
  Budget left_;
  const JobKey* head_ = nullptr;
  std::vector<const JobKey*> heads_;
  std::optional<SharedMemory> memory_;  // with what is left of it
};

}  // namespace

Cores minimumOf(const JobSpec& spec) { return coresAtLeast(spec, sizesOf(spec)); }

std::vector<std::size_t> admit(const DecisionContext& context, std::vector<JobPlan>& plans) {
  std::vector<Rank> order;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (takesPart(plans[i].phase)) order.push_back(rankOf(context, i));
  }
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> admitted;
  Line line(context);
  for (const Rank& next : order) {
    if (auto why = line.queue(next.job)) {
      wait(plans[next.job], std::move(*why));
    } else {
      admitted.push_back(next.job);
    }
  }
  return admitted;
}

}  // namespace slaq::scheduler
