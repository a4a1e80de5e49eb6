#include "schedule/admission.h"

#include <algorithm>
#include <tuple>

#include "schedule/lifecycle.h"

namespace slaq {
namespace {

void wait(JobPlan& plan, std::string reason) {
  plan.state = JobState::Waiting;
  plan.standing = Standing::Waiting;
  plan.target = Workers(0);
  plan.targetCpu.reset();
  plan.reason = std::move(reason);
}

Cores coresAtLeast(const JobSpec& spec, const Sizes& sizes) {
  return driverCoresOf(spec) + sizes.coresAt(sizes.min);
}

// What the job must have to be admitted. One that runs is kept with its least, whatever it was pinned to
// since.
Cores needOf(const JobView& view) {
  const JobSpec& spec = view.job.spec;
  return runs(view.workers) ? coresAtLeast(spec, leastSizesOf(spec)) : minimumOf(spec);
}

// An edit raised its least above what it holds.
bool wantsMore(const JobView& view) {
  const JobSpec& spec = view.job.spec;
  return needOf(view) > driverCoresOf(spec) + coresOf(spec, heldSizeOf(view));
}

// Runners in the order in which they were admitted, those that were edited to need more than they hold behind
// the others, then newcomers by weight, age and key.
auto rankOf(const JobView& view, int weight) {
  const bool running = runs(view.workers);
  const Time since = running ? view.status.started.value_or(view.job.created) : view.job.created;
  return std::tuple(!running, running && wantsMore(view), running ? 0 : -weight, since, view.job.key);
}

// The line of those who wait. Its heads are the first ones that nobody overtakes: of all jobs, and in each
// namespace whose limit is what they wait for.
class Line {
 public:
  explicit Line(const Terms& terms) : terms_(terms), left_(terms.budget), heads_(left_.groups.size()) {}

  // Why the job must wait; nothing if it was let in.
  std::optional<std::string> queue(std::size_t i) {
    const JobView& view = *terms_.snapshot.jobs[i].view;
    const Group group = terms_.groups[i];
    const bool running = runs(view.workers);
    const Cores need = needOf(view);
    if (auto never = whyNever(view, group, need)) return never;
    if (!running) {
      if (const JobKey* head = headBefore(group)) return "waits behind " + toString(*head);
    }
    if (left_.fits(need, group)) return left_.take(need, group), std::nullopt;
    const bool byLimit = need <= left_.all;
    if (!running) (byLimit ? heads_[static_cast<std::size_t>(group)] : head_) = &view.job.key;
    const std::string left = toString(std::max(Cores(), left_.leftFor(group))) + " are left";
    return "waits for " + toString(need) + " cores for its minimum; " + left +
           (byLimit ? " under the limit of its namespace, " + limitText(group) : "");
  }

 private:
  std::optional<std::string> whyNever(const JobView& view, Group group, Cores need) const {
    const std::string needs = "needs " + toString(need) + " cores for its minimum, more than ";
    if (need > terms_.budget.all) return needs + "the capacity of " + toString(terms_.budget.all);
    if (need <= terms_.budget.leftFor(group)) return std::nullopt;
    return needs + "the limit of the namespace " + view.job.key.ns + ", " + limitText(group);
  }

  const JobKey* headBefore(Group group) const {
    if (head_ || group == kNoGroup) return head_;
    return heads_[static_cast<std::size_t>(group)];
  }

  std::string limitText(Group group) const {
    return toString(terms_.budget.groups[static_cast<std::size_t>(group)]);
  }

  const Terms& terms_;
  Budget left_;
  const JobKey* head_ = nullptr;
  std::vector<const JobKey*> heads_;
};

}  // namespace

Cores minimumOf(const JobSpec& spec) { return coresAtLeast(spec, sizesOf(spec)); }

std::vector<std::size_t> admit(const Terms& terms, std::vector<JobPlan>& plans) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (takesPart(plans[i].standing)) order.push_back(i);
  }
  std::ranges::sort(order, {},
                    [&](std::size_t i) { return rankOf(*terms.snapshot.jobs[i].view, terms.weights[i]); });
  std::vector<std::size_t> admitted;
  Line line(terms);
  for (const std::size_t i : order) {
    if (auto why = line.queue(i)) {
      wait(plans[i], std::move(*why));
    } else {
      admitted.push_back(i);
    }
  }
  return admitted;
}

}  // namespace slaq
