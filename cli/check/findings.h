// The findings of `slaq check` about a cluster. Pure.
#pragma once

#include <string>
#include <vector>

#include "cli/check/observed.h"

namespace slaq::cli::check {

enum class Verdict {
  Good,
  Unknown,  // can't be found out from here; no fault
  Bad,
};

std::string_view name(Verdict verdict);

inline constexpr std::size_t kMostNamed = 3;  // of a list in a finding; the others are counted

struct Finding {
  std::string subject;  // "leader"
  Verdict verdict = Verdict::Good;
  std::string text;
  std::string mend;  // the command, or the sentence, that helps; empty for a good finding
};

// In an order in which each finding comes after those that it depends on.
std::vector<Finding> findings(const Observed& observed);

// True if one of the findings is bad.
bool haveFailed(const std::vector<Finding>& findings);

}  // namespace slaq::cli::check
