#include "scheduler/state/runtime_model.h"

#include <algorithm>

namespace slaq::scheduler {
namespace {

// What went by at one size is preferred where it spans this number of iterations: then it does not matter
// much when exactly the first and the last of them ended between two samples.
constexpr double kSteadySpan = 4;

// An iteration that is late is about to end.
constexpr double kAboutToEnd = 0.95;

}  // namespace

void RuntimeModel::running(Time since, Cores cores) {
  if (cores == newest_.cores) return;
  const Stretch next{since, spentAt(since), cores};
  older_[size_++ % kOlder] = newest_;
  newest_ = next;
}

double RuntimeModel::spentAt(Time time) const {
  const std::size_t oldest = size_ - std::min(size_, kOlder);
  std::size_t n = size_;
  while (n > oldest && time < stretch(n).since) --n;
  return stretch(n).spent + std::max(0.0, (time - stretch(n).since).count()) * inCores(stretch(n).cores);
}

void RuntimeModel::add(const End& end) {
  if (count_ == 0 || endedWith_ != size_) steady_ = count_;
  endedWith_ = size_;
  ends_[count_ % kWindow] = end;
  ++count_;
}

void RuntimeModel::sample(Time time, Iterations iteration) {
  if (sampled_ && time <= *sampled_) return;
  const double spent = std::max(spentAt(time), sampledAt_);
  if (!sampled_ || iteration.value() < iteration_) {
    restart(iteration.value(), spent);
  } else if (iteration.value() > iteration_) {
    advance(iteration.value(), spent);
  }
  sampled_ = time;
  iteration_ = iteration.value();
  sampledAt_ = spent;
}

// Before its first iteration it has completed nothing, some time before this was seen.
void RuntimeModel::restart(double iteration, double spent) {
  count_ = 0;
  completedAt_ = spent;
  if (iteration == 0) add({iteration, 0.5 * (sampledAt_ + spent)});
}

// The last of the new iterations ended within its part of the time since the sample before. The beginning is
// less certain: a program has other things to do first.
void RuntimeModel::advance(double iteration, double spent) {
  const double ended = iteration - iteration_;
  const double each = (spent - sampledAt_) / ended;
  const double middle = spent - 0.5 * each;
  const double expected = cost_ ? completedAt_ + *cost_ * ended : middle;
  completedAt_ = std::clamp(expected, spent - each, spent);
  if (!(spent > sampledAt_)) return;
  if (count_ == 2 && at(0).iteration == 0) dropFirst();
  add({iteration, middle});
  measure();
}

// REQUIRES: two ends.
void RuntimeModel::dropFirst() {
  ends_[0] = ends_[1];
  steady_ = 0;
  count_ = 1;
}

void RuntimeModel::measure() {
  const End& newest = at(count_ - 1);
  const std::size_t oldest = count_ - std::min(count_, kWindow);
  const std::size_t steady = std::max(oldest, steady_);
  const bool isSteady = newest.iteration - at(steady).iteration >= kSteadySpan;
  const End& since = at(isSteady ? steady : oldest);
  if (newest.iteration > since.iteration) {
    cost_ = (newest.spent - since.spent) / (newest.iteration - since.iteration);
  }
}

std::optional<Iterations> RuntimeModel::iterationAt(Time now, Seconds most) const {
  if (!(cost_.value_or(0) > 0) || !sampled_) return std::nullopt;
  const double begun = std::clamp((sampledAt_ - completedAt_) / *cost_, 0.0, kAboutToEnd);
  const Time then = std::clamp(now, *sampled_, *sampled_ + most);
  return Iterations(iteration_ + begun + (spentAt(then) - sampledAt_) / *cost_);
}

}  // namespace slaq::scheduler
