#include "trainer/data/formats/csv.h"

#include <algorithm>
#include <array>
#include <ostream>

#include "trainer/data/formats/lines.h"
#include "trainer/io/files.h"

namespace slaq::trainer::data::formats {
namespace {

constexpr std::array kSettings{
    problem::Setting{.name = "target",
                     .help = "the column to predict: last, first, none, or its name in the first line",
                     .kind = problem::Setting::Kind::Word,
                     .usual = "last"},
};

std::string_view unquoted(std::string_view text) {
  const bool quotes = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return quotes ? text.substr(1, text.size() - 2) : text;
}

// A first line with anything but numbers is one of names.
bool isHeading(const std::vector<std::string_view>& fields) {
  return std::ranges::any_of(fields, [](std::string_view field) {
    return !field.empty() && field.find_first_not_of("+-.0123456789eE") != std::string_view::npos &&
           field != "nan" && field != "NaN" && field != "inf" && field != "-inf";
  });
}

// The column of the target, as many as there are columns if there is none.
Result<std::size_t> targetColumn(const std::string& target, const std::vector<std::string_view>& first,
                                 const Lines& lines) {
  if (target == "none") return first.size();
  if (first.size() < 2) return lines.refuse("there is one column only; a row needs features and the target");
  if (target == "last") return first.size() - 1;
  if (target == "first") return 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (unquoted(first[i]) == target) return i;
  }
  return lines.refuse("no column is named " + quoted(target) + ", the --target");
}

class Csv {
 public:
  Csv(const std::string& path, std::string_view text) : lines_(path, text) {}

  Result<Table> read(const std::string& target) {
    auto line = lines_.next();
    if (!line) return lines_.refuseAll("has no rows");
    const auto first = split(*line, ',');
    const auto column = targetColumn(target, first, lines_);
    if (!column) return failure(column.error());
    columns_ = first.size();
    target_ = *column;
    if (isHeading(first)) line = lines_.next();
    for (; line; line = lines_.next()) {
      if (const auto added = add(split(*line, ',')); !added) return failure(added.error());
    }
    if (features_.empty()) return lines_.refuseAll("has no rows");
    return table();
  }

 private:
  Result<void> add(const std::vector<std::string_view>& fields) {
    if (fields.size() != columns_) {
      return lines_.refuse("there are " + std::to_string(fields.size()) + " values, not " +
                           std::to_string(columns_) + " as in the first line");
    }
    for (std::size_t i = 0; i < columns_; ++i) {
      const auto value = parseFinite(fields[i]);
      if (!value) return lines_.refuse(value.error().message);
      (i == target_ ? targets_ : features_).push_back(*value);
    }
    return {};
  }

  Table table() const {
    const auto width = static_cast<Eigen::Index>(columns_ - (target_ < columns_ ? 1 : 0));
    const auto rows = static_cast<Eigen::Index>(features_.size()) / width;
    Table table;
    table.features = Eigen::Map<const Matrix>(features_.data(), rows, width);
    table.targets = Eigen::Map<const Floats>(targets_.data(), static_cast<Eigen::Index>(targets_.size()));
    return table;
  }

  Lines lines_;
  std::size_t columns_ = 0;
  std::size_t target_ = 0;
  std::vector<float> features_;
  std::vector<float> targets_;
};

}  // namespace

std::span<const problem::Setting> csvSettings() { return kSettings; }

Result<Table> readCsv(const Files& files, const problem::Settings& settings, std::int64_t) {
  const auto text = io::readWhole(files.rows);
  if (!text) return failure(text.error());
  return Csv(files.rows, *text).read(settings.word("target"));
}

void beginCsv(Outputs& out, std::int64_t, std::int64_t width) {
  for (std::int64_t j = 1; j <= width; ++j) out.rows << 'x' << j << ',';
  out.rows << "target\n";
}

Result<void> writeCsv(Outputs& out, const Chunk& chunk) {
  for (Eigen::Index i = 0; i < chunk.features.rows(); ++i) {
    for (const float value : chunk.features.row(i)) out.rows << digitsOf(value) << ',';
    out.rows << (chunk.targets.size() > 0 ? digitsOf(chunk.targets[i]) : "0") << '\n';
  }
  return {};
}

}  // namespace slaq::trainer::data::formats
