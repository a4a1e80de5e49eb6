#include "trainer/algorithms/trees/cells.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace slaq::trainer::algorithms::trees {
namespace {

constexpr std::uint32_t kSign = 0x80000000u;
constexpr std::uint64_t kKeys = std::uint64_t{1} << 32;

std::uint64_t endOf(const Cells& cells, std::size_t cell) {
  return cell + 1 < cells.size() ? cells[cell + 1] : kKeys;
}

// Appends the cell in that many parts of equal width, or in as many as it has keys.
void divide(const Cells& cells, std::size_t cell, std::uint64_t parts, Cells& into) {
  const std::uint64_t first = cells[cell];
  const std::uint64_t width = endOf(cells, cell) - first;
  parts = std::min(parts, width);
  for (std::uint64_t part = 0; part < parts; ++part) {
    into.push_back(static_cast<std::uint32_t>(first + width * part / parts));
  }
}

bool isTaken(double count) { return count > 0; }

// The cells that are left when empty neighbours are joined.
std::size_t joinedCount(std::span<const double> counts) {
  std::size_t joined = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (i == 0 || isTaken(counts[i]) || isTaken(counts[i - 1])) ++joined;
  }
  return joined;
}

}  // namespace

std::uint32_t keyOf(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value == 0 ? 0.0f : value);  // -0 is 0
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

float valueOf(std::uint32_t key) { return std::bit_cast<float>((key & kSign) != 0 ? key & ~kSign : ~key); }

Cells octaves() {
  Cells cells(kCells);
  for (std::size_t i = 0; i < kCells; ++i) cells[i] = static_cast<std::uint32_t>(i * (kKeys / kCells));
  return cells;
}

std::size_t cellOf(const Cells& cells, float value) {
  const auto after = std::upper_bound(cells.begin(), cells.end(), keyOf(value));
  return static_cast<std::size_t>(after - cells.begin()) - 1;
}

Cells refined(const Cells& cells, std::span<const double> counts) {
  const double total = std::reduce(counts.begin(), counts.end());
  const auto taken = static_cast<double>(std::ranges::count_if(counts, isTaken));
  const auto spare = static_cast<double>(kCells - std::min(kCells, joinedCount(counts)));
  Cells finer;
  finer.reserve(kCells);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (isTaken(counts[i])) {
      const double share = 0.5 * (counts[i] / total + 1 / taken);
      divide(cells, i, 1 + static_cast<std::uint64_t>(spare * share), finer);
    } else if (i == 0 || isTaken(counts[i - 1])) {
      finer.push_back(cells[i]);
    }
  }
  return finer;
}

std::vector<float> cuts(const Cells& cells, std::span<const double> counts, std::int64_t bins) {
  const auto taken = std::ranges::count_if(counts, isTaken);
  std::vector<float> found;
  double left = std::reduce(counts.begin(), counts.end());
  double part = 0;
  for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
    part += counts[i];
    const auto partsLeft = static_cast<double>(bins - static_cast<std::int64_t>(found.size()));
    if (partsLeft <= 1 || part >= left) break;
    // Each part takes its share of the rows that are left, so that a crowded value costs the others no cuts.
    if (part == 0 || (taken > bins && part * partsLeft < left)) continue;
    found.push_back(valueOf(cells[i + 1]));
    left -= part;
    part = 0;
  }
  return found;
}

}  // namespace slaq::trainer::algorithms::trees
