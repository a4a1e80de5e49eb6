// Images in the shape of MNIST's handwritten digits: ten classes, grey values from 0 to 1. A class is a
// figure of a few thick strokes; an image shows it moved, slanted, fainter and with noise.
#pragma once

#include <memory>
#include <span>

#include "trainer/data/source.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::data::generators {

inline constexpr std::int64_t kDigits = 10;

std::span<const problem::Setting> digitsSettings();
// An image is square, so the number of features must be.
Result<void> validateDigits(const problem::Problem& problem);
std::unique_ptr<Source> makeDigits(const problem::Problem& problem);

}  // namespace slaq::trainer::data::generators
