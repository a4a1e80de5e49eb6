#include "schedule/admission.h"

#include <algorithm>
#include <tuple>

#include "schedule/lifecycle.h"

namespace slaq {
namespace {

Workers minimumWorkers(const WorkersSpec& workers) {
  return workers.pinned > Workers(0) ? workers.pinned : workers.min;
}

void wait(JobPlan& plan, std::string reason) {
  plan.state = JobState::Waiting;
  plan.standing = Standing::Waiting;
  plan.target = Workers(0);
  plan.reason = std::move(reason);
}

// A job that runs is kept with its minimum of workers, whatever it was pinned to since.
Cores leastOf(const JobSpec& spec) {
  return driverCoresOf(spec) + coresOf(spec.workers.pod) * spec.workers.min;
}

// Runners in the order in which they were admitted, then newcomers by weight, age and key.
bool comesBefore(const JobView& a, const JobView& b) {
  const auto rank = [](const JobView& view) {
    const bool running = runs(view.workers);
    const Time since = running ? view.status.started.value_or(view.job.created) : view.job.created;
    const int lightness = running ? 0 : -view.job.spec.weight;
    return std::tuple(!running, lightness, since, view.job.key);
  };
  return rank(a) < rank(b);
}

}  // namespace

Cores driverCoresOf(const JobSpec& spec) { return spec.driver ? coresOf(*spec.driver) : Cores(); }

Cores minimumOf(const JobSpec& spec) {
  return driverCoresOf(spec) + coresOf(spec.workers.pod) * minimumWorkers(spec.workers);
}

std::vector<std::size_t> admit(const Snapshot& snapshot, std::vector<JobPlan>& plans) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (takesPart(plans[i].standing)) order.push_back(i);
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return comesBefore(*snapshot.jobs[a].view, *snapshot.jobs[b].view);
  });

  std::vector<std::size_t> admitted;
  Cores left = snapshot.capacity;
  const JobPlan* head = nullptr;  // the first that waits, whom nobody overtakes
  for (const std::size_t i : order) {
    const JobView& view = *snapshot.jobs[i].view;
    const bool running = runs(view.workers);
    const Cores need = running ? leastOf(view.job.spec) : minimumOf(view.job.spec);
    if (need > snapshot.capacity) {
      wait(plans[i], "needs " + toString(need) + " cores for its minimum, more than the capacity of " +
                         toString(snapshot.capacity));
    } else if (head && !running) {
      wait(plans[i], "waits behind " + toString(head->job));
    } else if (need > left) {
      wait(plans[i],
           "waits for " + toString(need) + " cores for its minimum; " + toString(left) + " are left");
      if (!running) head = &plans[i];
    } else {
      left -= need;
      admitted.push_back(i);
    }
  }
  return admitted;
}

}  // namespace slaq
