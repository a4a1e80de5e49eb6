#include "schedule/runtime_model.h"

namespace slaq {
namespace {

// A measurement counts once it spans a whole iteration.
constexpr double kShortestSpan = 1.0;

}  // namespace

void RuntimeModel::running(Time now, Cores cores) {
  if (cores == cores_) return;
  cores_ = cores;
  restart(now);
}

void RuntimeModel::restart(Time since) {
  since_ = since;
  count_ = 0;
}

void RuntimeModel::sample(Time time, Iterations iteration) {
  if (cores_ <= Cores() || time <= since_) return;
  const Point next{time, iteration.value()};
  if (count_ > 0) {
    const Point& last = points_[(count_ - 1) % kWindow];
    if (next.iteration < last.iteration) restart(time);
    if (next.time <= last.time) return;
  }
  points_[count_ % kWindow] = next;
  ++count_;
  const Point& oldest = points_[count_ > kWindow ? count_ % kWindow : 0];
  const double iterations = next.iteration - oldest.iteration;
  if (count_ < 2 || iterations < kShortestSpan) return;
  cost_ = inCores(cores_) * (next.time - oldest.time).count() / iterations;
}

}  // namespace slaq
