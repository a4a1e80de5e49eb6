#include "trainer/data/formats/idx.h"

#include <array>
#include <cmath>
#include <ostream>
#include <vector>

#include "trainer/io/files.h"

namespace slaq::trainer::data::formats {
namespace {

constexpr char kBytes = 0x08;  // the type of element that is taken

tl::unexpected<Error> refuse(const std::string& path, const std::string& what) {
  return failure(ErrorKind::Malformed, path + ": " + what);
}

struct Idx {
  std::vector<std::int64_t> sizes;
  std::string elements;
};

std::int64_t bigEndian(std::string_view bytes) {
  std::int64_t number = 0;
  for (int i = 0; i < 4; ++i)
    number = number << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  return number;
}

// "60000 x 28 x 28".
std::string product(const std::vector<std::int64_t>& sizes) {
  std::string text;
  for (const std::int64_t size : sizes) text += (text.empty() ? "" : " x ") + std::to_string(size);
  return text;
}

// The magic number is two zeros, the type and the number of dimensions; then come their sizes.
Result<Idx> readOne(const std::string& path, std::size_t dimensions) {
  auto bytes = io::readWhole(path);
  if (!bytes) return failure(bytes.error());
  const std::size_t heading = 4 + 4 * dimensions;
  const std::array<char, 4> magic{0, 0, kBytes, static_cast<char>(dimensions)};
  if (bytes->size() < heading || bytes->compare(0, 4, magic.data(), 4) != 0) {
    return refuse(path,
                  "is not an IDX file of bytes with " + std::to_string(dimensions) +
                      (dimensions == 1 ? " dimension, which labels have" : " dimensions, which images have"));
  }
  Idx idx;
  double expected = 1;
  for (std::size_t d = 0; d < dimensions; ++d) {
    idx.sizes.push_back(bigEndian(std::string_view(*bytes).substr(4 + 4 * d, 4)));
    expected *= static_cast<double>(idx.sizes.back());
  }
  if (expected > kMostValues) {
    return refuse(path, "announces " + product(idx.sizes) +
                            " values, more than the 2,000,000,000 that are taken; give a part of them");
  }
  if (static_cast<double>(bytes->size() - heading) != expected) {
    return refuse(path, "has " + std::to_string(bytes->size() - heading) +
                            " bytes after its heading, not the " +
                            std::to_string(static_cast<std::int64_t>(expected)) + " that this announces");
  }
  if (expected == 0) return refuse(path, "has no rows");
  idx.elements = bytes->substr(heading);
  return idx;
}

auto valuesOf(const std::string& bytes) {
  return Eigen::Map<const Eigen::Array<unsigned char, Eigen::Dynamic, 1>>(
             reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<Eigen::Index>(bytes.size()))
      .cast<float>();
}

void writeSize(std::ostream& out, std::int64_t size) {
  for (int shift = 24; shift >= 0; shift -= 8) out.put(static_cast<char>(size >> shift));
}

}  // namespace

Result<Table> readIdx(const Files& files, const problem::Settings&, std::int64_t) {
  const auto images = readOne(files.rows, 3);
  if (!images) return failure(images.error());
  Table table;
  table.features.resize(images->sizes[0], images->sizes[1] * images->sizes[2]);
  table.features.reshaped<Eigen::RowMajor>() = (valuesOf(images->elements) / 255.0f).matrix();
  if (files.labels.empty()) return table;
  const auto labels = readOne(files.labels, 1);
  if (!labels) return failure(labels.error());
  if (labels->sizes[0] != images->sizes[0]) {
    return refuse(files.labels, "has " + std::to_string(labels->sizes[0]) + " labels for " +
                                    std::to_string(images->sizes[0]) + " images");
  }
  table.targets = valuesOf(labels->elements).matrix();
  return table;
}

void beginIdx(Outputs& out, std::int64_t rows, std::int64_t width) {
  const auto side = std::lround(std::sqrt(static_cast<double>(width)));
  const bool square = side * side == width;
  out.rows.write("\0\0\x08\x03", 4);
  writeSize(out.rows, rows), writeSize(out.rows, square ? side : 1),
      writeSize(out.rows, square ? side : width);
  out.labels->write("\0\0\x08\x01", 4);
  writeSize(*out.labels, rows);
}

Result<void> writeIdx(Outputs& out, const Chunk& chunk) {
  const bool grey = chunk.features.minCoeff() >= 0 && chunk.features.maxCoeff() <= 1;
  const bool labelled = chunk.targets.size() > 0 && chunk.targets.minCoeff() >= 0;
  if (!grey || !labelled || chunk.targets.maxCoeff() > 255) {
    return failure(ErrorKind::Invalid,
                   "idx holds grey values from 0 to 1 and classes from 0 to 255; take --data digits and an "
                   "algorithm for classes, or another --format");
  }
  for (const float value : chunk.features.reshaped<Eigen::RowMajor>()) {
    out.rows.put(static_cast<char>(std::lround(255 * value)));
  }
  for (const float target : chunk.targets) out.labels->put(static_cast<char>(target));
  return {};
}

}  // namespace slaq::trainer::data::formats
