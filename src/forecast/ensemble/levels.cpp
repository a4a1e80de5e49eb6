#include "forecast/ensemble/levels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "forecast/series/loss_series.h"

namespace slaq::forecast {
namespace {

// Spans are longer by this share, so that rounding decides nothing. A pair on the border between two blocks
// belongs to the newer block, and of two equally near points the older one is taken.
constexpr double kTolerance = 1e-6;

constexpr double kEndless = std::numeric_limits<double>::infinity();

// All losses as levels, oldest first.
class Points {
 public:
  explicit Points(const Observations& seen) : size_(seen.losses.size()) {
    const double range = seen.highest - seen.lowest;
    for (std::size_t i = 0; i < size_; ++i) {
      points_[i] = {seen.iterations.back() - seen.iterations[i],
                    (seen.losses[i] - seen.losses.back()) / range};
    }
  }

  std::size_t size() const { return size_; }
  const Level& operator[](std::size_t i) const { return points_[i]; }
  double oldestAge() const { return points_[0].age; }

  // The index of the first point that is no older than `age`.
  std::size_t firstSince(double age) const {
    const auto end = points_.begin() + static_cast<std::ptrdiff_t>(size_);
    const auto first =
        std::partition_point(points_.begin(), end, [&](const Level& point) { return point.age > age; });
    return static_cast<std::size_t>(first - points_.begin());
  }

  std::size_t nearestTo(double age) const {
    const std::size_t after = firstSince(age);
    const std::size_t before = after > 0 ? after - 1 : 0;
    return points_[before].age - age <= age - points_[after].age ? before : after;
  }

  // The mean level of the points from `begin` to before `end`.
  Level meanOf(std::size_t begin, std::size_t end) const {
    if (begin == end) return {kEndless, std::numeric_limits<double>::quiet_NaN()};
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += points_[i].loss;
    return {0.5 * (points_[begin].age + points_[end - 1].age), sum / static_cast<double>(end - begin)};
  }

 private:
  std::array<Level, LossSeries::kCapacity> points_;
  std::size_t size_;
};

// The newest point and the points nearest to the two ages, never the same point twice.
Levels threePoints(const Points& points, double middleAge, double oldestAge) {
  const std::size_t newest = points.size() - 1;
  const std::size_t oldest = std::min(points.nearestTo(oldestAge * (1 + kTolerance)), newest - 2);
  const std::size_t middle =
      std::clamp(points.nearestTo(middleAge * (1 + kTolerance)), oldest + 1, newest - 1);
  return {points[newest], points[middle], points[oldest]};
}

Levels threeBlocks(const Points& points, double span) {
  Levels levels;
  std::size_t end = points.size();
  for (std::size_t block = 0; block < levels.size(); ++block) {
    const double oldestAge = span * static_cast<double>(block + 1) / 3;
    const std::size_t begin = points.firstSince(oldestAge * (1 + kTolerance));
    levels[block] = points.meanOf(begin, end);
    end = begin;
  }
  return levels;
}

Levels levelsBy(View view, const Points& points) {
  const double all = points.oldestAge();
  const auto atMost = [&](double iterations) { return std::min(iterations, all); };
  switch (view) {
    case View::Points4:
      return threePoints(points, atMost(4) / 2, atMost(4));
    case View::Points8:
      return threePoints(points, atMost(4), atMost(8));  // not half the span, if fewer than 8 were seen
    case View::Points33:
      return threePoints(points, 0.33 * all / 2, 0.33 * all);
    case View::Points66:
      return threePoints(points, 0.66 * all / 2, 0.66 * all);
    case View::Blocks8:
      return threeBlocks(points, atMost(8));
    case View::Blocks32:
      return threeBlocks(points, atMost(32));
    case View::Blocks66:
      return threeBlocks(points, 0.66 * all);
    case View::Blocks95:
      break;
  }
  return threeBlocks(points, 0.95 * all);
}

}  // namespace

LevelsByView levelsOf(const Observations& observations) {
  const Points points(observations);
  LevelsByView levels;
  for (const View view : kViews) levels[static_cast<std::size_t>(view)] = levelsBy(view, points);
  return levels;
}

}  // namespace slaq::forecast
