// The table of the algorithms that can be trained. To add one, write its two halves and a line here.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "base/result.h"
#include "trainer/algorithms/algorithm.h"
#include "trainer/problem.h"

namespace slaq::trainer {

struct Entry {
  std::string_view name;
  std::string_view summary;
  bool needsClusters = false;
  std::unique_ptr<Algorithm> (*makeAlgorithm)(const Problem&) = nullptr;
  std::unique_ptr<Kernel> (*makeKernel)(const Problem&) = nullptr;
};

std::span<const Entry> algorithms();

// The entry of the problem's algorithm, once the whole problem is found to be valid.
Result<Entry> entryFor(const Problem& problem);

}  // namespace slaq::trainer
