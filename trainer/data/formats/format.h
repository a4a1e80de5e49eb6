// A format of data sets: how its files are read and written.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "trainer/data/formats/table.h"
#include "trainer/problem/settings.h"

namespace slaq::trainer::data::formats {

struct Files {
  std::string rows;
  std::string labels;  // for formats that keep them apart
};

// Where the rows go, one chunk after the other.
struct Outputs {
  std::ostream& rows;
  std::ostream* labels;
};

struct Format {
  std::string_view name;
  std::string_view summary;
  bool documents = false;
  bool labelsApart = false;
  std::span<const problem::Setting> settings;
  // Malformed, with file, line and what is wrong. `width`, if it is not 0, is the number of features or words
  // that there should be.
  Result<Table> (*read)(const Files&, const problem::Settings&, std::int64_t width) = nullptr;
  // What comes before the rows of a table of such sizes.
  void (*begin)(Outputs&, std::int64_t rows, std::int64_t width) = nullptr;
  // Invalid if the format cannot hold such values.
  Result<void> (*write)(Outputs&, const Chunk&) = nullptr;
};

}  // namespace slaq::trainer::data::formats
