#include "trainer/data/generators/digits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "trainer/data/random.h"

namespace slaq::trainer::data::generators {
namespace {

constexpr std::array kDigitsSettings{
    problem::Setting{.name = "noise", .help = "how much images of a class differ; 1 is usual", .usual = "1"},
};

constexpr int kStrokes = 4;
constexpr float kThickness = 0.09f;  // of an image's side, as all lengths here

struct Point {
  float x = 0;
  float y = 0;
};

struct Stroke {
  Point from;
  Point to;
};

// How a figure lies in one image.
struct Pose {
  Point shift;
  float slant = 0;
  float ink = 1;
};

float distance(const Point& point, const Stroke& stroke) {
  const Point along{stroke.to.x - stroke.from.x, stroke.to.y - stroke.from.y};
  const Point rest{point.x - stroke.from.x, point.y - stroke.from.y};
  const float length = along.x * along.x + along.y * along.y;
  const float share =
      length > 0 ? std::clamp((rest.x * along.x + rest.y * along.y) / length, 0.0f, 1.0f) : 0.0f;
  const float dx = rest.x - share * along.x;
  const float dy = rest.y - share * along.y;
  return std::sqrt(dx * dx + dy * dy);
}

class Digits final : public Source {
 public:
  explicit Digits(const problem::Problem& problem)
      : problem_(problem),
        noise_(static_cast<float>(problem.settings.number("noise"))),
        side_(std::lround(std::sqrt(static_cast<double>(problem.features)))) {
    Random random(problem.seed, Purpose::Truth);
    for (auto& figure : figures_) {
      for (Stroke& stroke : figure) stroke = {place(random), place(random)};
    }
  }

  Chunk chunk(std::int64_t index) const override {
    Random random(problem_.seed, Purpose::Data, index);
    const problem::RowRange range = problem::rowsOf(problem_, index);
    Chunk chunk{index, Matrix(range.count, problem_.features), Floats(range.count), {}};
    for (Eigen::Index i = 0; i < range.count; ++i) {
      const std::int64_t digit = random.below(kDigits);
      chunk.targets[i] = static_cast<float>(digit);
      draw(figures_[static_cast<std::size_t>(digit)], random, chunk.features.row(i));
    }
    return chunk;
  }

 private:
  using Figure = std::array<Stroke, kStrokes>;

  // Within the middle of the image, as digits are.
  static Point place(Random& random) {
    const auto coordinate = [&] { return static_cast<float>(0.2 + 0.6 * random.uniform()); };
    const float x = coordinate();
    return {x, coordinate()};
  }

  Pose pose(Random& random) const {
    Pose pose;
    pose.shift.x = 0.04f * noise_ * random.bell();
    pose.shift.y = 0.04f * noise_ * random.bell();
    pose.slant = 0.15f * noise_ * random.bell();
    pose.ink = 1 - 0.3f * std::min(noise_, 1.0f) * static_cast<float>(random.uniform());
    return pose;
  }

  template <class Row>
  void draw(const Figure& figure, Random& random, Row row) const {
    const Pose pose = this->pose(random);
    for (Eigen::Index pixel = 0; pixel < row.size(); ++pixel) {
      const Point at = pixelIn(pose, pixel);
      float nearest = 1;
      for (const Stroke& stroke : figure) nearest = std::min(nearest, distance(at, stroke));
      // The edge of a stroke is as wide as a stroke, so that neighbouring pixels go together.
      const float ink = pose.ink * std::clamp(1.5f - nearest / kThickness, 0.0f, 1.0f);
      row[pixel] = std::clamp(ink + 0.05f * noise_ * random.bell(), 0.0f, 1.0f);
    }
  }

  // Where in the figure the pixel is.
  Point pixelIn(const Pose& pose, Eigen::Index pixel) const {
    const Eigen::Index row = pixel / side_;
    const Eigen::Index column = pixel % side_;
    const float y = (static_cast<float>(row) + 0.5f) / static_cast<float>(side_) - pose.shift.y;
    const float x = (static_cast<float>(column) + 0.5f) / static_cast<float>(side_) - pose.shift.x;
    return {x + pose.slant * (y - 0.5f), y};
  }

  problem::Problem problem_;
  float noise_;
  Eigen::Index side_;
  std::array<Figure, kDigits> figures_;
};

}  // namespace

std::span<const problem::Setting> digitsSettings() { return kDigitsSettings; }

Result<void> validateDigits(const problem::Problem& problem) {
  const auto side = std::lround(std::sqrt(static_cast<double>(problem.features)));
  if (side * side == problem.features) return {};
  return failure(ErrorKind::Invalid, "--features must be a square number for images, such as 784 = 28 x 28");
}

std::unique_ptr<Source> makeDigits(const problem::Problem& problem) {
  return std::make_unique<Digits>(problem);
}

}  // namespace slaq::trainer::data::generators
