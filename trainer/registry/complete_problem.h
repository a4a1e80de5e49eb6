// A problem as its user has written it, completed with the usual data, settings and sizes, and checked before
// anything is made of it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "trainer/data/source.h"
#include "trainer/problem/problem.h"
#include "trainer/registry/registry.h"

namespace slaq::trainer::registry {

// What belongs to no algorithm and no data alone: the class to tell from the others, and what is done to the
// features of a file.
std::span<const problem::Setting> sharedSettings();
// All that the algorithm and its data may be told.
Result<std::vector<problem::Setting>> declaredFor(const problem::Problem& problem);
// Fills in the usual data, settings and, for generated data, sizes. Invalid if something required is missing
// or unknown.
Result<problem::Problem> complete(problem::Problem given);
// The entry of the problem's algorithm, once the whole problem is found to be complete and valid.
Result<Entry> entryFor(const problem::Problem& problem);
// The data that the problem generates; null if they come from a file. REQUIRES: entryFor() succeeded.
std::unique_ptr<data::Source> makeSource(const problem::Problem& problem);

}  // namespace slaq::trainer::registry
