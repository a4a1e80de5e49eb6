// LDA-C's bags of words: a line is a document, the number of its distinct words and then WORD:COUNT for each,
// words counted from 0.
#pragma once

#include "trainer/data/formats/format.h"

namespace slaq::trainer::data::formats {

Result<Table> readLdaC(const Files& files, const problem::Settings& settings, std::int64_t width);
Result<void> writeLdaC(Outputs& out, const Chunk& chunk);

}  // namespace slaq::trainer::data::formats
