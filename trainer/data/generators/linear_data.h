// Rows for linear models, with a chosen condition number: independent columns whose standard deviations fall
// geometrically from 1 to 1/sqrt(condition). Each direction explains as much of the target as any other, so
// that the slow ones matter.
#pragma once

#include <memory>
#include <span>

#include "trainer/data/source.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::data::generators {

std::span<const problem::Setting> linearDataSettings();
// A linear function of the features, with noise.
std::unique_ptr<Source> makeRegressionData(const problem::Problem& problem);
// Two classes that overlap, on both sides of a plane.
std::unique_ptr<Source> makeTwoClassData(const problem::Problem& problem);
// Two classes that no plane divides: the sign of the product of two linear functions.
std::unique_ptr<Source> makeCurvedClassData(const problem::Problem& problem);

}  // namespace slaq::trainer::data::generators
