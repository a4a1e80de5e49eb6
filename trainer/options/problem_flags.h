// The flags that say what is trained and on what, generated from what algorithms and data declare; the driver
// and the export share them.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "trainer/data/formats/formats.h"
#include "trainer/problem/problem.h"

namespace CLI {
class App;
}

namespace slaq::trainer::options {

// What the flags hold before it is checked.
struct ProblemFlags {
  problem::Problem problem;
  std::map<std::string, std::string> settings;  // as they were written
  std::string data;
  std::string labels;
};

// `flags` must outlive the parsing.
void addProblemFlags(CLI::App& app, ProblemFlags& flags);

struct Chosen {
  problem::Problem problem;  // complete, but for the sizes of data from files
  data::formats::Files files;
};

// Invalid, with one sentence, for what cannot be understood or trained.
Result<Chosen> choose(const ProblemFlags& flags);

}  // namespace slaq::trainer::options
