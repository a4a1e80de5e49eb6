// The table of the generators: synthetic data, each chunk made from seed and index alone, so that any worker
// makes the same rows. To add one, write its Source and a line here.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "base/result.h"
#include "trainer/data/source.h"
#include "trainer/problem/problem.h"
#include "trainer/problem/settings.h"

namespace slaq::trainer::data::generators {

struct Generator {
  std::string_view name;
  std::string_view summary;
  bool documents = false;
  // What rows are made with if the flags do not say; 0: they must.
  std::int64_t rows = 0;
  std::int64_t features = 0;
  std::span<const problem::Setting> settings;
  // How many classes the targets distinguish, counted from 0; without it they are real numbers or absent.
  std::int64_t (*classes)(const problem::Settings&) = nullptr;
  // What else is to be refused, after sizes and settings; may be absent.
  Result<void> (*validate)(const problem::Problem&) = nullptr;
  std::unique_ptr<Source> (*make)(const problem::Problem&) = nullptr;
};

std::span<const Generator> generators();
// Null if there is none of that name.
const Generator* findGenerator(std::string_view name);

}  // namespace slaq::trainer::data::generators
