#include "curve/expert.h"

#include <algorithm>
#include <cmath>

namespace slaq {
namespace {

constexpr double kFarBelow = 3;
constexpr double kNearBelow = 0.5;

// Power laws begin an iteration before the first.
constexpr double kBeforeFirst = 1;

// Three levels of the loss, newest first.
struct Levels {
  double iteration[3];
  double loss[3];
  bool known = false;
};

double spanOf(View view, double seen) {
  switch (view) {
    case View::Newest8:
      return std::min(8.0, seen);
    case View::Newest16:
      return std::min(16.0, seen);
    case View::Newest66:
    case View::Blocks66:
      return 0.66 * seen;
    case View::Blocks95:
      return 0.95 * seen;
  }
  return seen;
}

// The index of the pair nearest to iteration k among the first `count`.
std::size_t nearestTo(double k, std::span<const double> iterations, std::size_t count) {
  const auto begin = iterations.begin();
  const auto after = static_cast<std::size_t>(
      std::lower_bound(begin, begin + static_cast<std::ptrdiff_t>(count), k) - begin);
  if (after == count) return count - 1;
  if (after > 0 && k - iterations[after - 1] <= iterations[after] - k) return after - 1;
  return after;
}

Levels pointsOver(double span, const Evidence& evidence) {
  const auto& k = evidence.iterations;
  const std::size_t last = k.size() - 1;
  const std::size_t oldest = std::min(nearestTo(k[last] - span, k, k.size()), last - 2);
  const std::size_t middle =
      std::clamp(nearestTo(0.5 * (k[last] + k[oldest]), k, k.size()), oldest + 1, last - 1);
  Levels levels{};
  levels.known = true;
  const std::size_t chosen[3] = {last, middle, oldest};
  for (int i = 0; i < 3; ++i) {
    levels.iteration[i] = k[chosen[i]];
    levels.loss[i] = evidence.losses[chosen[i]];
  }
  return levels;
}

Levels blocksOver(double span, const Evidence& evidence) {
  const auto& k = evidence.iterations;
  Levels levels{};
  std::size_t i = k.size();
  for (int block = 0; block < 3; ++block) {
    const double from = k.back() - span * (block + 1) / 3;
    double iterations = 0, losses = 0;
    int count = 0;
    // A hair's breadth makes a pair on the border belong to the newer block.
    for (; i > 0 && k[i - 1] >= from - 1e-9 * span; --i, ++count) {
      iterations += k[i - 1];
      losses += evidence.losses[i - 1];
    }
    if (count == 0) return levels;
    levels.iteration[block] = iterations / count;
    levels.loss[block] = losses / count;
  }
  levels.known = true;
  return levels;
}

Levels levelsOf(View view, const Evidence& evidence) {
  const double span = spanOf(view, evidence.iterations.back() - evidence.iterations.front());
  const bool blocks = view == View::Blocks66 || view == View::Blocks95;
  return blocks ? blocksOver(span, evidence) : pointsOver(span, evidence);
}

double floorOf(Floor floor, const Levels& levels, const Evidence& evidence) {
  switch (floor) {
    case Floor::Known:
      return evidence.floor.value_or(evidence.lowest);  // which no logarithm is taken above
    case Floor::Far:
      return evidence.lowest - kFarBelow * (evidence.highest - evidence.lowest);
    case Floor::Near:
      break;
  }
  const auto& y = levels.loss;
  return std::min(y[0], y[1]) - kNearBelow * std::max(y[2] - y[0], 0.0);
}

// r(h) = most h/(reach + h), or most log(1 + h/reach), from the first of the levels on.
struct Descent {
  double most = 0;
  double reach = 1;
};

constexpr double kStraight = 1e9;

Descent descentOf(Shape shape, const Levels& levels, const double (&z)[3]) {
  const auto& k = levels.iteration;
  const double d1 = k[0] - k[1];
  const double d2 = k[1] - k[2];
  const double recent = (z[1] - z[0]) / d1;
  const double before = (z[2] - z[1]) / d2;
  if (!(recent > 0)) return {};
  if (shape == Shape::Power) {
    const double reach = k[0] + kBeforeFirst;
    return {(z[1] - z[0]) / std::log(reach / (k[1] + kBeforeFirst)), reach};
  }
  const double bend = 1 - recent / before;
  if (!(bend * kStraight > d1 + d2)) return {recent * kStraight, kStraight};
  const double reach = (d1 + d2) / bend;
  return {recent * (reach - d1), reach};
}

double descended(Shape shape, double most, double reach, double ahead) {
  return shape == Shape::Power ? most * std::log1p(ahead / reach) : most * ahead / (reach + ahead);
}

// The same descent, seen from `ahead` on.
Descent later(Shape shape, const Descent& descent, double ahead) {
  const double reach = descent.reach + ahead;
  return {shape == Shape::Power ? descent.most : descent.most * descent.reach / reach, reach};
}

bool isFinite(const Opinion& opinion) {
  return std::isfinite(opinion.lift) && std::isfinite(opinion.height) && std::isfinite(opinion.most) &&
         std::isfinite(opinion.reach);
}

std::optional<Opinion> opinionOf(const Expert& expert, const Levels& levels, const Evidence& evidence) {
  if (expert.shape == Shape::Level) return Opinion{};
  const double floor = floorOf(expert.floor, levels, evidence);
  if (!levels.known || !(std::min({levels.loss[0], levels.loss[1], levels.loss[2]}) > floor))
    return std::nullopt;
  double z[3];
  for (int i = 0; i < 3; ++i) z[i] = std::log(levels.loss[i] - floor);
  const Descent descent = descentOf(expert.shape, levels, z);
  const double since = evidence.iterations.back() - levels.iteration[0];
  const Descent now = later(expert.shape, descent, since);
  const double height =
      (levels.loss[0] - floor) * std::exp(-descended(expert.shape, descent.most, descent.reach, since));
  const double unit = evidence.highest - evidence.lowest;
  return Opinion{.lift = static_cast<float>((floor + height - evidence.losses.back()) / unit),
                 .height = static_cast<float>(height / unit),
                 .most = static_cast<float>(now.most),
                 .reach = static_cast<float>(now.reach)};
}

}  // namespace

Opinions askExperts(const Evidence& evidence) {
  std::array<Levels, kViews> levels;
  for (std::size_t view = 0; view < kViews; ++view)
    levels[view] = levelsOf(static_cast<View>(view), evidence);
  Opinions opinions;
  for (std::size_t i = 0; i < kExperts.size(); ++i) {
    const auto opinion = opinionOf(kExperts[i], levels[static_cast<std::size_t>(kExperts[i].view)], evidence);
    if (!opinion || !isFinite(*opinion)) continue;
    opinions.each[i] = *opinion;
    opinions.able |= 1u << i;
  }
  return opinions;
}

double changeExpected(const Opinions& opinions, std::size_t i, double ahead) {
  const Opinion& opinion = opinions.each[i];
  const double r = descended(kExperts[i].shape, opinion.most, opinion.reach, ahead);
  return opinion.lift - opinion.height * (1 - std::exp(-r));
}

}  // namespace slaq
