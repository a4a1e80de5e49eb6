// Where the values of a feature lie, found by counting alone, so that workers can be asked for it: the
// floats are divided into cells, the rows counted in each, crowded cells divided further. Floats are ordered
// as integers, so the first cells are the octaves and neither outliers nor an offset spoil the rest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace slaq::trainer::algorithms::trees {

// Integers in the order of the floats. The inverse takes keys of finite floats and infinities.
std::uint32_t keyOf(float value);
float valueOf(std::uint32_t key);

// The lowest key of each cell, ascending; a cell ends where the next one begins.
using Cells = std::vector<std::uint32_t>;

inline constexpr std::size_t kCells = 512;
// After this many steps the cells are fine enough for values that differ only in their sixth digit.
inline constexpr int kCountings = 4;

Cells octaves();

// The cell of a value. REQUIRES: cells.front() is 0, as in all cells made here.
std::size_t cellOf(const Cells& cells, float value);

// As many cells again: empty neighbours joined, the others divided, half of the parts in proportion to the
// counts and half alike, for rare values to be told apart too.
Cells refined(const Cells& cells, std::span<const double> counts);

// Values that divide the rows into at most `bins` parts of about the same size, ascending; a value belongs
// to the part after as many cuts as are not above it. Fewer cuts where there are few distinct values.
std::vector<float> cuts(const Cells& cells, std::span<const double> counts, std::int64_t bins);

}  // namespace slaq::trainer::algorithms::trees
