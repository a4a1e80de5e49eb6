// Documents from a topic model, in the shape of the Associated Press corpus: few words are frequent in all
// topics, most in one or two of them, and a document is about a few topics.
#pragma once

#include <memory>
#include <span>

#include "trainer/data/source.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::data::generators {

std::span<const problem::Setting> corpusSettings();
// Topics times words are held in memory.
Result<void> validateCorpus(const problem::Problem& problem);
std::unique_ptr<Source> makeCorpus(const problem::Problem& problem);

}  // namespace slaq::trainer::data::generators
