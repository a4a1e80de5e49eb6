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
#include "trainer/problem.h"

namespace slaq::trainer {

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
  std::span<const Setting> settings;
  // Numbers in a state or a partial result, whichever has more, without making either.
  double (*numbers)(const Problem&) = nullptr;
  // What else is to be refused, after sizes and settings; may be absent.
  Result<void> (*validate)(const Problem&) = nullptr;
  // The source is for a first state that depends on the data; it lives as long as the call.
  std::unique_ptr<Algorithm> (*makeAlgorithm)(const Problem&, const Source&) = nullptr;
  std::unique_ptr<Kernel> (*makeKernel)(const Problem&) = nullptr;
};

std::span<const Entry> algorithms();
// Invalid, naming those that there are, if there is none of that name.
Result<Entry> findAlgorithm(const Problem& problem);

// What belongs to no algorithm and no data alone: the class to tell from the others, and what is done to the
// features of a file.
std::span<const Setting> sharedSettings();
// All that the algorithm and its data may be told.
Result<std::vector<Setting>> declaredFor(const Problem& problem);
// Fills in the usual data, settings and, for generated data, sizes. Invalid if something required is missing
// or unknown.
Result<Problem> complete(Problem given);
// The entry of the problem's algorithm, once the whole problem is found to be complete and valid.
Result<Entry> entryFor(const Problem& problem);
// The data that the problem generates; null if they come from a file. REQUIRES: entryFor() succeeded.
std::unique_ptr<Source> makeSource(const Problem& problem);

}  // namespace slaq::trainer
