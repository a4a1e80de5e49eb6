// Reads lines by a regular expression in a limited part of the time: a slow expression must not delay the
// training whose lines it reads.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "report/pattern/pattern.h"

namespace slaq::report {

// Times since any fixed moment.
struct Clocks {
  std::function<std::chrono::nanoseconds()> processor;  // the CPU time of this thread
  std::function<std::chrono::nanoseconds()> wall;
};

Clocks systemClocks();

class PatternReader {
 public:
  // REQUIRES: `pattern` outlives the reader.
  explicit PatternReader(const Pattern& pattern, Clocks clocks = systemClocks());

  // Returns the loss of the line. A line for which there is no time is skipped. A line that matches without
  // an iteration belongs to the newest iteration, if an earlier line gave one.
  std::optional<Pattern::Found> read(std::string_view line);

  // Returns, once, a sentence for people about skipped lines.
  std::optional<std::string> takeNotice();

  // Returns a sentence about the lines, if none reported a loss.
  std::string whyNothing() const;

 private:
  bool hasTime() const;
  void notePassedOver();

  const Pattern& pattern_;
  const Clocks clocks_;
  const std::chrono::nanoseconds began_;
  std::chrono::nanoseconds spent_{0};
  std::optional<double> newest_;         // the newest iteration
  std::optional<std::string> noNumber_;  // the group `loss` of the first line in which it was no number
  std::optional<std::string> notice_;
  bool hasPassedOver_ = false;
};

}  // namespace slaq::report
