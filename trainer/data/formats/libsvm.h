// LIBSVM's sparse text: a line holds the target and INDEX:VALUE for each feature that is not 0, indexes from
// 1 in ascending order. Rows become dense.
#pragma once

#include "trainer/data/formats/format.h"

namespace slaq::trainer::data::formats {

Result<Table> readLibsvm(const Files& files, const problem::Settings& settings, std::int64_t width);
Result<void> writeLibsvm(Outputs& out, const Chunk& chunk);

}  // namespace slaq::trainer::data::formats
