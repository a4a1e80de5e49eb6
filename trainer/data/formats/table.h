// Training data read from a file, as a whole, in the driver's memory.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "trainer/data/chunk.h"

namespace slaq::trainer::data::formats {

// A table has at most this many features in all its rows together, which take 8 GB of memory.
inline constexpr double kMostValues = 2e9;

struct Table {
  Matrix features;  // no rows if the file has documents
  Floats targets;   // as they are written; empty if the file has none
  Documents documents;
  std::int64_t words = 0;  // of the documents' vocabulary

  std::int64_t rows() const { return documents.count() > 0 ? documents.count() : features.rows(); }
  std::int64_t width() const { return documents.count() > 0 ? words : features.cols(); }
};

// The rows from `first` on as a chunk.
Chunk slice(const Table& table, std::int64_t index, std::int64_t first, std::int64_t count);
// Of all that slices contain.
std::uint32_t checksumOf(const Table& table);
// Each feature less its mean, over its standard deviation; constant ones become 0.
void standardize(Matrix& features);

}  // namespace slaq::trainer::data::formats
