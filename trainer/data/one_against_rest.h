// Classes as the two sides that linear models tell apart: 1 for one class, -1 for all others.
#pragma once

#include <cstdint>
#include <memory>

#include "trainer/data/source.h"

namespace slaq::trainer::data {

// Classes counted from 0 become signs.
void setAgainstRest(Floats& targets, std::int64_t positive);
// A source of such rows, out of one whose targets are classes.
std::unique_ptr<Source> oneAgainstRest(std::unique_ptr<Source> classes, std::int64_t positive);

}  // namespace slaq::trainer::data
