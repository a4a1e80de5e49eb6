#include "curve/expert.h"

#include <algorithm>
#include <cmath>

namespace slaq {
namespace {

enum class Shape : std::uint8_t { Line, Hyperbola, Power, Level };

// What is seen of the losses: single ones, or means over three blocks of them, over a span of iterations or a
// share of all seen.
enum class Kind : std::uint8_t { Points, Blocks };

struct View {
  Kind kind;
  double span;  // under 1: the share
};

enum class Floor : std::uint8_t {
  Known,  // the owner's target, or 0 while all losses are positive; else none
  Near,   // below the view's levels by half of their fall
  Bent,   // where a line after the logarithm ends that goes through all three levels
  Close,  // below the lowest loss by a fifth of the range seen
  Far,    // by three times the range seen
};

constexpr std::array kViews = {
    View{Kind::Points, 4},    View{Kind::Points, 0.33}, View{Kind::Points, 0.66}, View{Kind::Blocks, 8},
    View{Kind::Blocks, 0.33}, View{Kind::Blocks, 32},   View{Kind::Blocks, 0.66}, View{Kind::Blocks, 0.95},
};
enum ViewIndex : std::uint8_t {
  Points4,
  Points33,
  Points66,
  Blocks8,
  Blocks33,
  Blocks32,
  Blocks66,
  Blocks95
};

struct Expert {
  Shape shape;
  ViewIndex view;
  Floor floor;
};

// Found by trying: those of some 200 whose ensemble did best on recorded trainings, as they were, shifted,
// sparse and noisy.
constexpr std::array<Expert, kExperts> kTable = {{
    {Shape::Level, Points4, Floor::Far},
    {Shape::Hyperbola, Points4, Floor::Known},
    {Shape::Hyperbola, Points33, Floor::Known},
    {Shape::Hyperbola, Points33, Floor::Far},
    {Shape::Hyperbola, Points66, Floor::Known},
    {Shape::Power, Points66, Floor::Known},
    {Shape::Line, Blocks8, Floor::Near},
    {Shape::Hyperbola, Blocks33, Floor::Near},
    {Shape::Hyperbola, Blocks33, Floor::Close},
    {Shape::Power, Blocks32, Floor::Far},
    {Shape::Line, Blocks66, Floor::Known},
    {Shape::Hyperbola, Blocks66, Floor::Near},
    {Shape::Power, Blocks66, Floor::Bent},
    {Shape::Power, Blocks95, Floor::Known},
}};

constexpr double kFarBelow = 3;
constexpr double kCloseBelow = 0.2;
constexpr double kNearBelow = 0.5;
// The bent floor is below the levels by so much of their fall.
constexpr double kBentLeast = 0.02;
constexpr double kBentMost = 3;

// Power laws begin an iteration before the first.
constexpr double kBeforeFirst = 1;

// Three levels of the loss, newest first.
struct Levels {
  double iteration[3];
  double loss[3];
  bool known = false;
};

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

Levels levelsOf(const View& view, const Evidence& evidence) {
  const double seen = evidence.iterations.back() - evidence.iterations.front();
  const double span = view.span < 1 ? view.span * seen : std::min(view.span, seen);
  return view.kind == Kind::Blocks ? blocksOver(span, evidence) : pointsOver(span, evidence);
}

// Where exponential decay through the three levels would end (Aitken's extrapolation, for any spacing).
double bentFloor(const Levels& levels, double bottom, double fall) {
  const auto& k = levels.iteration;
  const auto& y = levels.loss;
  const double recent = y[1] - y[0];
  const double bend = (y[2] - y[1]) - recent * (k[1] - k[2]) / (k[0] - k[1]);
  const double floor = bend > 0 ? y[0] - recent * (recent / bend) : -HUGE_VAL;
  return std::clamp(floor, bottom - kBentMost * fall, bottom - kBentLeast * fall);
}

double floorOf(Floor floor, const Levels& levels, const Evidence& evidence) {
  const double range = evidence.highest - evidence.lowest;
  const double bottom = std::min(levels.loss[0], levels.loss[1]);
  const double fall = std::max(levels.loss[2] - levels.loss[0], 0.0);
  switch (floor) {
    case Floor::Known:
      return evidence.floor.value_or(HUGE_VAL);  // above every loss: nothing to say
    case Floor::Near:
      return bottom - kNearBelow * fall;
    case Floor::Bent:
      return bentFloor(levels, bottom, fall);
    case Floor::Close:
      return evidence.lowest - kCloseBelow * range;
    case Floor::Far:
      break;
  }
  return evidence.lowest - kFarBelow * range;
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
  if (shape == Shape::Line) return {(z[2] - z[0]) / (d1 + d2) * kStraight, kStraight};
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
  std::array<Levels, kViews.size()> levels;
  for (std::size_t i = 0; i < levels.size(); ++i) levels[i] = levelsOf(kViews[i], evidence);
  Opinions opinions;
  for (std::size_t i = 0; i < kExperts; ++i) {
    const auto opinion = opinionOf(kTable[i], levels[kTable[i].view], evidence);
    if (!opinion || !isFinite(*opinion)) continue;
    opinions.each[i] = *opinion;
    opinions.able |= 1u << i;
  }
  return opinions;
}

double changeExpected(const Opinions& opinions, std::size_t i, double ahead) {
  const Opinion& opinion = opinions.each[i];
  const double r = descended(kTable[i].shape, opinion.most, opinion.reach, ahead);
  return opinion.lift - opinion.height * (1 - std::exp(-r));
}

}  // namespace slaq
