// MNIST's IDX files: images of bytes, which become grey values from 0 to 1, and their labels in a file apart.
#pragma once

#include "trainer/data/formats/format.h"

namespace slaq::trainer::data::formats {

Result<Table> readIdx(const Files& files, const problem::Settings& settings, std::int64_t width);
void beginIdx(Outputs& out, std::int64_t rows, std::int64_t width);
Result<void> writeIdx(Outputs& out, const Chunk& chunk);

}  // namespace slaq::trainer::data::formats
