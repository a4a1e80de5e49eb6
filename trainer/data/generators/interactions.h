// Rows for models that are not linear: the target is a sum of products, squares, thresholds and single
// features, each term of the same weight, among however many features that say nothing.
#pragma once

#include <memory>
#include <span>

#include "trainer/data/source.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::data::generators {

std::span<const problem::Setting> interactionsSettings();
std::unique_ptr<Source> makeInteractions(const problem::Problem& problem);
// Two classes: above the mean of that sum and not.
std::unique_ptr<Source> makeInteractingClasses(const problem::Problem& problem);

}  // namespace slaq::trainer::data::generators
