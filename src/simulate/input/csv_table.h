// Tables as programs export them: fields separated by commas, semicolons or tabs, with or without quotes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace slaq::simulate {

struct CsvTable {
  struct Row {
    std::size_t line = 0;  // in the file, from 1
    std::vector<std::string> fields;
  };

  std::vector<std::string> header;
  std::vector<Row> rows;  // each has as many fields as the header
};

// Reads a header and its rows. A byte order mark, spaces around fields and empty lines are left out. Invalid,
// with `file` and the line, if there is no header, or a row has another number of fields.
Result<CsvTable> readCsvTable(const std::string& file, std::string_view text);

}  // namespace slaq::simulate
