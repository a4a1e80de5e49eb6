// What `slaq check` makes of what it has read. Pure.
#pragma once

#include <string>
#include <vector>

#include "cli/check/observed.h"

namespace slaq::cli::check {

enum class Verdict {
  Good,
  Unknown,  // can't be told from here; no fault
  Bad,
};

std::string_view name(Verdict verdict);

struct Finding {
  std::string subject;  // "leader"
  Verdict verdict = Verdict::Good;
  std::string text;
  std::string mend;  // the command, or the sentence, that helps; empty where it is good
};

// In the order in which one rests on the others.
std::vector<Finding> findings(const Observed& observed);

// Whether one of them is bad.
bool haveFailed(const std::vector<Finding>& findings);

}  // namespace slaq::cli::check
