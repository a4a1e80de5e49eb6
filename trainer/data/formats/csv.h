// Comma-separated values: one row a line, with or without a line of names, the target in one of the columns.
#pragma once

#include "trainer/data/formats/format.h"

namespace slaq::trainer::data::formats {

std::span<const problem::Setting> csvSettings();
Result<Table> readCsv(const Files& files, const problem::Settings& settings, std::int64_t width);
void beginCsv(Outputs& out, std::int64_t rows, std::int64_t width);
Result<void> writeCsv(Outputs& out, const Chunk& chunk);

}  // namespace slaq::trainer::data::formats
