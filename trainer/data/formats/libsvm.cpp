#include "trainer/data/formats/libsvm.h"

#include <algorithm>
#include <ostream>

#include "trainer/data/formats/lines.h"
#include "trainer/io/files.h"

namespace slaq::trainer::data::formats {
namespace {

class Libsvm {
 public:
  Libsvm(const std::string& path, std::string_view text, std::int64_t width)
      : lines_(path, text), most_(width), width_(width) {}

  Result<Table> read() {
    while (const auto line = lines_.next()) {
      const std::string_view content = trimmed(line->substr(0, line->find('#')));
      if (content.empty()) continue;
      if (const auto added = add(split(content, ' ')); !added) return failure(added.error());
    }
    if (targets_.empty()) return lines_.refuseAll("has no rows");
    if (width_ == 0) return lines_.refuseAll("has no row with a feature");
    if (static_cast<double>(targets_.size()) * static_cast<double>(width_) > kMostValues) {
      return lines_.refuseAll("has " + std::to_string(targets_.size()) + " rows of " +
                              std::to_string(width_) +
                              " features, which are kept dense and take more than 8 GB");
    }
    return table();
  }

 private:
  Result<void> add(const std::vector<std::string_view>& parts) {
    const auto target = parseFinite(parts.front());
    if (!target) return lines_.refuse("the target " + target.error().message);
    targets_.push_back(*target);
    std::int64_t last = 0;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const auto pair = parsePair(parts[i]);
      if (!pair) return lines_.refuse(pair.error().message);
      if (const auto fits = checkIndex(pair->index, last); !fits) return fits;
      last = pair->index;
      pairs_.push_back(*pair);
    }
    ends_.push_back(pairs_.size());
    width_ = std::max(width_, last);
    return {};
  }

  Result<void> checkIndex(std::int64_t index, std::int64_t last) const {
    if (index < 1) return lines_.refuse("index " + std::to_string(index) + ": indexes count from 1");
    if (index <= last) {
      return lines_.refuse("index " + std::to_string(index) + " comes after " + std::to_string(last) +
                           "; indexes must ascend");
    }
    if (most_ > 0 && index > most_) {
      return lines_.refuse("index " + std::to_string(index) + " is beyond the --features " +
                           std::to_string(most_));
    }
    return {};
  }

  Table table() const {
    Table table;
    table.targets = Eigen::Map<const Floats>(targets_.data(), static_cast<Eigen::Index>(targets_.size()));
    table.features = Matrix::Zero(table.targets.size(), width_);
    std::size_t next = 0;
    for (std::size_t row = 0; row < ends_.size(); ++row) {
      for (; next < ends_[row]; ++next) {
        table.features(static_cast<Eigen::Index>(row), pairs_[next].index - 1) = pairs_[next].value;
      }
    }
    return table;
  }

  Lines lines_;
  std::int64_t most_;
  std::int64_t width_;
  std::vector<float> targets_;
  std::vector<Pair> pairs_;
  std::vector<std::size_t> ends_;
};

}  // namespace

Result<Table> readLibsvm(const Files& files, const problem::Settings&, std::int64_t width) {
  const auto text = io::readWhole(files.rows);
  if (!text) return failure(text.error());
  return Libsvm(files.rows, *text, width).read();
}

Result<void> writeLibsvm(Outputs& out, const Chunk& chunk) {
  for (Eigen::Index i = 0; i < chunk.features.rows(); ++i) {
    out.rows << (chunk.targets.size() > 0 ? digitsOf(chunk.targets[i]) : "0");
    for (Eigen::Index j = 0; j < chunk.features.cols(); ++j) {
      const float value = chunk.features(i, j);
      if (value != 0) out.rows << ' ' << j + 1 << ':' << digitsOf(value);
    }
    out.rows << '\n';
  }
  return {};
}

}  // namespace slaq::trainer::data::formats
