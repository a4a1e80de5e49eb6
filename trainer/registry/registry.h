// The table of the algorithms that can be trained. To add one, write its two halves and a line here: flags,
// help, checks, the wire and checkpoints follow from what the line declares.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trainer/algorithms/algorithm.h"
#include "trainer/data/source.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::registry {

// What is to be predicted, as the kernel finds it in Chunk::targets.
enum class Targets {
  None,
  Numbers,
  Signs,    // 1 for one class, -1 for the others; which one is the setting "positive"
  Classes,  // 0 to problem.classes - 1
};

struct Entry {
  std::string_view name;
  std::string_view summary;
  Targets targets = Targets::None;
  bool documents = false;  // trains on documents, not on dense rows
  std::string_view data;   // the generator that it trains on if the flags say nothing else
  std::span<const problem::Setting> settings;
  // Numbers in a state or a partial result, whichever has more, without making either.
  double (*numbers)(const problem::Problem&) = nullptr;
  // What else is to be refused, after sizes and settings; may be absent.
  Result<void> (*validate)(const problem::Problem&) = nullptr;
  // The source is for a first state that depends on the data; it lives as long as the call.
  std::unique_ptr<algorithms::Algorithm> (*makeAlgorithm)(const problem::Problem&,
                                                          const data::Source&) = nullptr;
  std::unique_ptr<algorithms::Kernel> (*makeKernel)(const problem::Problem&) = nullptr;
};

std::span<const Entry> algorithms();
// Invalid, naming those that there are, if there is none of that name.
Result<Entry> findAlgorithm(const problem::Problem& problem);

}  // namespace slaq::trainer::registry
