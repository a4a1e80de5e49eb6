#include "schedule/prospect.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slaq {
namespace {

// Where iterations are many, the hull is drawn through every so manyth.
constexpr double kEachOf = 64;
constexpr double kStride = 1.1;

// An iteration that is done but for so much of it is done.
constexpr double kRounding = 1e-6;

// A curve that gathers pace is followed as far as a forecast of the final loss goes.
double reachOf(const Candidate& candidate, double cpuSeconds) {
  const double epoch = cpuSeconds / candidate.coreSecondsPerIteration;
  switch (candidate.curve.family) {
    case CurveFamily::Tabulated:
      return candidate.curve.origin + static_cast<double>(candidate.curve.table.size()) - candidate.iteration;
    case CurveFamily::Sublinear:
      return candidate.curve.a > 0 ? std::max({epoch, 100.0, 9 * candidate.iteration}) : epoch;
    default:
      return epoch;
  }
}

double nextOf(double ahead) { return ahead < kEachOf ? ahead + 1 : std::ceil(ahead * kStride); }

}  // namespace

Prospect::Prospect(const Candidate& candidate, double cpuSeconds) : Prospect(candidate) {
  drawHull(reachOf(candidate, cpuSeconds));
}

Prospect::Prospect(const Candidate& candidate)
    : curve_(candidate.curve),
      scale_(candidate.weight / candidate.normalizer),
      done_(std::floor(candidate.iteration + kRounding)),
      begun_(std::max(0.0, candidate.iteration - done_)),
      cost_(candidate.coreSecondsPerIteration),
      now_(curve_.at(done_)) {}

// Of the so manyth iteration from those that are done.
Prospect::Point Prospect::endOf(double iteration) const {
  return {(iteration - begun_) * cost_, scale_ * std::max(0.0, now_ - curve_.at(done_ + iteration))};
}

void Prospect::drawHull(double reach) {
  hull_.reserve(2 + static_cast<std::size_t>(std::max(0.0, std::min(kEachOf, reach))));
  hull_.push_back({0, 0});
  double ahead = 0;
  do {
    ahead = nextOf(ahead);
    push(endOf(ahead));
  } while (ahead - begun_ < reach);
}

// A point that does not rise is none; those before it that it overshadows go.
void Prospect::push(Point next) {
  if (!(next.reduction > hull_.back().reduction)) return;
  while (hull_.size() > 1) {
    const Point& last = hull_.back();
    const Point& before = hull_[hull_.size() - 2];
    const double slope = (last.reduction - before.reduction) / (last.cpuSeconds - before.cpuSeconds);
    if ((next.reduction - last.reduction) < slope * (next.cpuSeconds - last.cpuSeconds)) break;
    hull_.pop_back();
  }
  hull_.push_back(next);
}

// Where the hull leaves no iteration out, the point of the next one; a search would be mispredicted.
std::size_t Prospect::pointAfter(double cpuSeconds) const {
  const double next = std::floor(begun_ + cpuSeconds / cost_) + 1;
  if (next >= 1 && next < static_cast<double>(hull_.size())) {
    const auto i = static_cast<std::size_t>(next);
    if (hull_[i - 1].cpuSeconds <= cpuSeconds && cpuSeconds < hull_[i].cpuSeconds) return i;
  }
  return static_cast<std::size_t>(std::ranges::upper_bound(hull_, cpuSeconds, {}, &Point::cpuSeconds) -
                                  hull_.begin());
}

// The same whatever was asked before, however its ends are rounded.
const Prospect::Piece& Prospect::pieceAt(double cpuSeconds) const {
  if (last_.holds(cpuSeconds)) return last_;
  const double iteration = std::floor(begun_ + cpuSeconds / cost_);
  const Piece piece = pieceOf(iteration);
  if (cpuSeconds < piece.from.cpuSeconds) return last_ = pieceOf(iteration - 1);
  return last_ = cpuSeconds < piece.to.cpuSeconds ? piece : pieceOf(iteration + 1);
}

Prospect::Piece Prospect::pieceOf(double iteration) const {
  if (!(iteration > 0)) return {0, {0, 0}, endOf(1)};
  const bool isNext = last_.to.cpuSeconds > 0 && iteration == last_.iteration + 1;
  return {iteration, isNext ? last_.to : endOf(iteration), endOf(iteration + 1)};
}

double Prospect::between(const Point& from, const Point& to, double cpuSeconds) {
  return from.reduction +
         (cpuSeconds - from.cpuSeconds) * (to.reduction - from.reduction) / (to.cpuSeconds - from.cpuSeconds);
}

double Prospect::worth(double cpuSeconds) const {
  if (hull_.empty()) {
    const Piece& piece = pieceAt(cpuSeconds);
    return between(piece.from, piece.to, cpuSeconds);
  }
  const std::size_t after = pointAfter(cpuSeconds);
  if (after == hull_.size()) return hull_.back().reduction;
  return between(hull_[after - 1], hull_[after], cpuSeconds);
}

double Prospect::finished(double cpuSeconds) const {
  const double iteration = std::floor(begun_ + cpuSeconds / cost_ + kRounding);
  if (hull_.empty() && last_.to.cpuSeconds > 0) {
    if (iteration == last_.iteration) return last_.from.reduction;
    if (iteration == last_.iteration + 1) return last_.to.reduction;
  }
  return endOf(iteration).reduction;
}

double Prospect::rounding() const {
  constexpr double kLastBits = 16 * std::numeric_limits<double>::epsilon();
  const double ahead = hull_.empty() ? 0 : hull_.back().reduction;
  return kLastBits * (scale_ * (std::abs(now_) + std::abs(curve_.floor)) + ahead);
}

double promiseOf(const Prospect& prospect, const Candidate& candidate, std::int32_t units, Seconds epoch) {
  const double cpuSeconds = inCores(candidate.cores(units)) * epoch.count();
  const double worth = prospect.worth(cpuSeconds);  // first: what is finished lies at an end of that piece
  return 0.5 * (worth + prospect.finished(cpuSeconds));
}

}  // namespace slaq
