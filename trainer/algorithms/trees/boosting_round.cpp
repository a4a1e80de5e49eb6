#include "trainer/algorithms/trees/boosting_round.h"

namespace slaq::trainer::algorithms::trees {
namespace {

data::Vector writtenCounting(const CountingRound& round) {
  const auto features = static_cast<Eigen::Index>(round.cells.size());
  const auto width = static_cast<Eigen::Index>(kCells);
  // Zero is the lowest key, so that padding with the last cell's key adds only empty cells.
  data::Vector numbers(1 + features * width);
  numbers[0] = 0;
  for (Eigen::Index f = 0; f < features; ++f) {
    const Cells& cells = round.cells[static_cast<std::size_t>(f)];
    for (Eigen::Index c = 0; c < width; ++c) {
      numbers[1 + f * width + c] = cells[std::min(static_cast<std::size_t>(c), cells.size() - 1)];
    }
  }
  return numbers;
}

CountingRound readCounting(const data::Vector& numbers) {
  const auto width = static_cast<Eigen::Index>(kCells);
  CountingRound round;
  for (Eigen::Index first = 1; first < numbers.size(); first += width) {
    Cells cells;
    for (const double key : numbers.segment(first, width)) cells.push_back(static_cast<std::uint32_t>(key));
    round.cells.push_back(std::move(cells));
  }
  return round;
}

// The sizes first: depth (from 1, which tells it from a counting round), level, model, wanted nodes.
constexpr Eigen::Index kSizes = 4;

data::Vector writtenGrowing(const GrowingRound& round) {
  const Eigen::Index tree = Tree::sizeOf(round.tree.depth);
  const auto wanted = static_cast<Eigen::Index>(round.wanted.size());
  data::Vector numbers(kSizes + tree + wanted + round.model.size());
  numbers.head(kSizes) << round.tree.depth, round.level, static_cast<double>(round.model.size()),
      static_cast<double>(wanted);
  round.tree.write(numbers.segment(kSizes, tree));
  for (Eigen::Index i = 0; i < wanted; ++i) {
    numbers[kSizes + tree + i] = static_cast<double>(round.wanted[static_cast<std::size_t>(i)]);
  }
  numbers.tail(round.model.size()) = round.model;
  return numbers;
}

GrowingRound readGrowing(const data::Vector& numbers) {
  const int depth = static_cast<int>(numbers[0]);
  const Eigen::Index tree = Tree::sizeOf(depth);
  GrowingRound round{.model = numbers.tail(static_cast<Eigen::Index>(numbers[2])),
                     .tree = Tree::read(depth, numbers.segment(kSizes, tree)),
                     .level = static_cast<int>(numbers[1]),
                     .wanted = {}};
  for (const double place : numbers.segment(kSizes + tree, static_cast<Eigen::Index>(numbers[3]))) {
    round.wanted.push_back(static_cast<std::size_t>(place));
  }
  return round;
}

}  // namespace

data::Vector written(const BoostingRound& round) {
  if (const auto* counting = std::get_if<CountingRound>(&round)) return writtenCounting(*counting);
  return writtenGrowing(std::get<GrowingRound>(round));
}

BoostingRound readRound(const data::Vector& numbers) {
  if (numbers[0] == 0) return readCounting(numbers);
  return readGrowing(numbers);
}

}  // namespace slaq::trainer::algorithms::trees
