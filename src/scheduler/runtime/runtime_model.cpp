#include "scheduler/runtime/runtime_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "forecast/constants.h"
#include "forecast/speed/speed_estimate.h"
#include "scheduler/constants.h"

namespace slaq::scheduler {
namespace {

// A smaller difference between sizes is rounding.
constexpr double kSameSize = 1e-6;

// The number of iterations that count as separate measurements, if all of them took `time` together.
double countOf(double iterations, Seconds time) { return std::min(iterations, time / kDisturbance); }

// The number of separately measured iterations (forecast::kIterationNoise) whose mean time would be as
// certain. Both ends together may be off by `error` iterations, each time alike.
double weightOf(double iterations, Seconds time, double error) {
  const double deviation = error / iterations / std::sqrt(3.0);
  return std::min(countOf(iterations, time), std::pow(forecast::kIterationNoise / deviation, 2));
}

}  // namespace

void RuntimeModel::running(Time since, Cores cores, Seconds pause, std::optional<Seconds> lost) {
  if (stretches_.empty()) stretches_.add({since, since, 0});
  if (inCores(cores) == newest().cores) return;
  const bool isStart = !(newest().cores > 0);
  if (sampled_ && !isStart) {
    // Only the lost work from before the newest sample is subtracted here. workBetween() leaves out the rest,
    // when it counts the work since that sample.
    const Seconds before = std::max(Seconds(0), lost.value_or(Seconds(0)) - (since - *sampled_));
    position_ = std::max(iteration_, position_ - before.count() * byCores().at(newest().cores));
  }
  Stretch next{.since = since, .works = isStart ? since : since + pause, .cores = inCores(cores)};
  if (!isStart) {
    next.lost = lost.value_or(Seconds(0));
    next.isCostKnown = lost.has_value();
  }
  stretches_.add(next);
  estimate();
}

void RuntimeModel::sample(Time time, Iterations iteration) {
  if (sampled_ && time <= *sampled_) return;
  if (!sampled_ || iteration.value() < iteration_) {
    restart(time, iteration.value());
  } else {
    if (iteration.value() > iteration_) advance(time, iteration.value());
    const double likely = position_ + stretches_.workBetween(*sampled_, time, byCores());
    position_ = std::clamp(likely, iteration.value(), iteration.value() + kAboutToEnd);
  }
  sampled_ = time;
  iteration_ = iteration.value();
}

// Before its first iteration a job has completed nothing. After a step back to there it may go on from a
// checkpoint within that iteration, so the part of the iteration that is left is not known.
void RuntimeModel::restart(Time time, double iteration) {
  ended_ = 0;
  steady_ = 0;
  stayedSince_.reset();
  position_ = iteration;
  if (iteration == 0 && !sampled_) ends_[ended_++] = {iteration, time};
}

// The last of the new iterations ended within its part of the time since the sample before. The beginning of
// a program's first iteration is less certain, because a program has other things to do first.
void RuntimeModel::advance(Time time, double iteration) {
  const Seconds each = (time - *sampled_) / (iteration - iteration_);
  End next{iteration, time - 0.5 * each};
  if (ended_ == 2 && end(0).iteration == 0) {
    ends_[0] = ends_[1];
    steady_ = 0;
    ended_ = 1;
  }
  if (ended_ > 0 && !stretches_.empty()) {
    End& last = ends_[(ended_ - 1) % kWindow];
    if (last.time < newest().since) steady_ = ended_;
    next.error = 0.5 * std::min(1.0, (time - *sampled_) / (next.time - last.time));
    if (last.iteration == 0) last.error = 2 * next.error;
    measureSizes(last, next, time - *sampled_);
  }
  ends_[ended_++ % kWindow] = next;
  measureFactor();
}

// A stay at one size shows the speed of that size, from an iteration on that ended clearly after the change.
// A long iteration is seldom done at one size alone. It shows that all sizes that did a part of it are faster
// or slower than expected, by one factor.
void RuntimeModel::measureSizes(const End& before, const End& after, Seconds sampled) {
  for (const auto& [size, share] : sharesOf(before, after)) {
    if (share > kLeastShareOfIteration) tried_ = std::max(tried_, size);
  }
  if (after.time < newest().since + settling(newest().cores)) {
    stayedSince_.reset();
    return;
  }
  const Time settled = std::max(newest().works, newest().since + sampled);
  const bool isBeginning =
      before.iteration == 0 && before.error < kCertainBeginning && before.time >= newest().since;
  if (before.time >= settled || isBeginning) {
    measureStay(before, after);
  } else {
    stayedSince_.reset();
    measureMixture(before, after);
  }
  estimate();
}

void RuntimeModel::measureStay(const End& before, const End& after) {
  const Seconds time = after.time - before.time;
  if (!(newest().cores > 0) || !(time > Seconds(0)) || isLateStandstill(before, after)) return;
  if (!stayedSince_) {
    stayedSince_ = before;
    stayWeight_ = 0;
  }
  const double weight = weightOf(after.iteration - stayedSince_->iteration, after.time - stayedSince_->time,
                                 stayedSince_->error + after.error);
  const double iterations = after.iteration - before.iteration;
  const double counted = countOf(iterations, time);
  measured_.add(std::max(1.0, sizeOf(newest().cores)), time.count() * counted / iterations, counted,
                std::max(0.0, weight - stayWeight_));
  stayWeight_ = std::max(stayWeight_, weight);
  iterationsSeen_ += iterations;
}

// Some programs go on with their old workers, and stand still only once the new ones are loaded.
bool RuntimeModel::isLateStandstill(const End& before, const End& after) const {
  const double expected = (after.iteration - before.iteration) / bySize().at(sizeOf(newest().cores));
  const bool isSoon = stretches_.hasChanged() && before.time - newest().since < kLatestStandstill;
  return isSoon && (after.time - before.time).count() > kStandstill * expected;
}

// The part of the work between two ends that each size did.
std::map<double, double> RuntimeModel::sharesOf(const End& before, const End& after) const {
  std::map<double, double> shares;
  for (const auto& [cores, share] : stretches_.sharesBetween(before.time, after.time, byCores()))
    shares[std::max(1.0, sizeOf(cores))] += share;
  return shares;
}

void RuntimeModel::measureMixture(const End& before, const End& after) {
  // The number of cores at its beginning is not known.
  if (before.time < stretches_.oldest().since) return;
  const forecast::SpeedCurve curve = bySize();
  const double work = stretches_.workBetween(before.time, after.time, byCores());
  const double iterations = after.iteration - before.iteration;
  const double weight = weightOf(iterations, after.time - before.time, before.error + after.error);
  if (!(work > 0) || weight < kLeastMixtureWeight ||
      stretches_.pausedBetween(before.time, after.time) > kMostPaused)
    return;
  const double factor = work / iterations;
  for (const auto& [size, share] : sharesOf(before, after)) {
    if (share > kLeastShareOfIteration)
      measured_.add(size, share * factor / curve.at(size), share, share * weight);
  }
}

void RuntimeModel::measureFactor() {
  const End& last = end(ended_ - 1);
  const std::size_t oldest = ended_ - std::min(ended_, kWindow);
  const std::size_t steady = std::max(oldest, steady_);
  const bool isSteady = last.iteration - end(steady).iteration >= kSteadySpan;
  std::size_t first = isSteady ? steady : oldest;
  while (first + 2 < ended_ && end(first).time < stretches_.oldest().since) ++first;
  const End& since = end(first);
  // The number of cores before this process started is not known.
  if (since.time < stretches_.oldest().since) return;
  if (!(last.iteration > since.iteration)) return;
  const double work = stretches_.workBetween(since.time, last.time, expected_.curve().inUnitsOf(unit_));
  if (!(work > 0)) return;
  iterationsOfFactor_ = last.iteration - since.iteration;
  factor_ = work / iterationsOfFactor_;
}

// While the job runs at the only size that was measured, `factor_` follows new measurements faster.
void RuntimeModel::estimate() {
  points_.clear();
  const auto sizes = measured_.sizes();
  const bool runsAtOnlySize =
      sizes.size() == 1 && !stretches_.empty() &&
      std::abs(sizes.front().size - std::max(1.0, sizeOf(newest().cores))) < kSameSize;
  if (sizes.empty() || runsAtOnlySize) return;
  const double most = kReach * std::max({tried_, expected_.largest, 1.0});
  points_ = estimateSpeed(sizes, expected_.curve(), most);
}

// The sizes measured so far are in the old unit.
void RuntimeModel::forgetSizes() {
  measured_ = {};
  tried_ = 0;
  stayedSince_.reset();
}

void RuntimeModel::expect(const forecast::ExpectedSpeed& expected, Cores unit) {
  const bool isSame = expected.points == expected_.points && expected.largest == expected_.largest;
  // The factor is relative to the expectation that the job was compared with. A new typical cost alone
  // changes nothing.
  if (isSame && factor_ && inCores(unit) == unit_) return;
  if (inCores(unit) != unit_) forgetSizes();
  if (factor_ && !stretches_.empty() && newest().cores > 0) {
    const double size = newest().cores / inCores(unit);
    *factor_ *= expected.curve().at(size) / expected_.curve().at(size);
  }
  expected_ = expected;
  unit_ = inCores(unit);
  if (ended_ > 0) measureFactor();
  estimate();
}

void RuntimeModel::restore(std::span<const forecast::TimedSize> sizes) {
  for (const auto& each : sizes) {
    measured_.add(each.size, each.seconds * each.weight, each.weight, each.weight);
    tried_ = std::max(tried_, each.size);
    factor_ = each.seconds * expected_.curve().at(each.size);
  }
  estimate();
}

forecast::SpeedCurve RuntimeModel::bySize() const {
  if (!points_.empty()) return forecast::SpeedCurve::through(points_);
  return expected_.curve().slowedBy(factor_.value_or(1));
}

std::optional<forecast::SpeedCurve> RuntimeModel::speed() const {
  if (!factor_ && !expected_.isTimed) return std::nullopt;
  return bySize().levelFrom(reach()).inUnitsOf(unit_);
}

Seconds RuntimeModel::settling(double cores) const {
  const bool isEnoughLater = kSettling.count() * bySize().at(sizeOf(cores)) > kEnoughLater;
  return isEnoughLater ? kSettling : Seconds(0);
}

double RuntimeModel::reach() const {
  const double tried = std::max(tried_, expected_.largest);
  return tried > 0 ? kReach * tried : std::numeric_limits<double>::infinity();
}

double RuntimeModel::fewestMeasured() const {
  if (measured_.empty()) return expected_.smallest;
  return std::min(measured_.smallest(), expected_.smallest);
}

std::vector<forecast::TimedSize> RuntimeModel::measured() const {
  const auto sizes = measured_.sizes();
  if (!sizes.empty()) return {sizes.begin(), sizes.end()};
  const bool isSure = factor_ && iterationsOfFactor_ >= kSteadySpan;
  if (!isSure || stretches_.empty() || !(newest().cores > 0)) return {};
  const double size = std::max(1.0, sizeOf(newest().cores));
  return {{size, 1 / bySize().at(size), 1}};
}

std::optional<Iterations> RuntimeModel::iterationAt(Time now, Seconds most) const {
  if (!factor_ || !sampled_) return std::nullopt;
  const Time then = std::clamp(now, *sampled_, *sampled_ + most);
  return Iterations(position_ + stretches_.workBetween(*sampled_, then, byCores()));
}

}  // namespace slaq::scheduler
