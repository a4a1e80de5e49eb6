#include "trainer/data/formats/table.h"

#include <boost/crc.hpp>
#include <cmath>

namespace slaq::trainer::data::formats {
namespace {

Documents slice(const Documents& all, std::int64_t first, std::int64_t count) {
  Documents part;
  const auto begin = all.begins[static_cast<std::size_t>(first)];
  for (std::int64_t d = 1; d <= count; ++d) {
    part.begins.push_back(all.begins[static_cast<std::size_t>(first + d)] - begin);
  }
  const auto end = begin + part.begins.back();
  part.words.assign(all.words.begin() + begin, all.words.begin() + end);
  part.counts.assign(all.counts.begin() + begin, all.counts.begin() + end);
  return part;
}

}  // namespace

Chunk slice(const Table& table, std::int64_t index, std::int64_t first, std::int64_t count) {
  Chunk chunk;
  chunk.index = index;
  if (table.documents.count() > 0) {
    chunk.documents = slice(table.documents, first, count);
    return chunk;
  }
  chunk.features = table.features.middleRows(first, count);
  if (table.targets.size() > 0) chunk.targets = table.targets.segment(first, count);
  return chunk;
}

std::uint32_t checksumOf(const Table& table) {
  boost::crc_32_type crc;
  const auto add = [&](const auto& values) {
    crc.process_bytes(values.data(), static_cast<std::size_t>(values.size()) * sizeof(*values.data()));
  };
  add(table.features), add(table.targets);
  add(table.documents.begins), add(table.documents.words), add(table.documents.counts);
  return crc.checksum();
}

void standardize(Matrix& features) {
  const double rows = static_cast<double>(features.rows());
  for (Eigen::Index j = 0; j < features.cols(); ++j) {
    const Vector column = features.col(j).cast<double>();
    const double mean = column.mean();
    const double deviation = std::sqrt((column.array() - mean).square().sum() / rows);
    const double scale = deviation > 0 ? 1 / deviation : 0;
    features.col(j) = ((column.array() - mean) * scale).cast<float>();
  }
}

}  // namespace slaq::trainer::data::formats
