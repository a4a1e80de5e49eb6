// Reads lines by a regular expression, in a part of the time only: an expression that takes long must not
// hold up the training whose lines it reads.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "report/pattern/pattern.h"

namespace slaq::report {

// What has passed, since whenever.
struct Clocks {
  std::function<std::chrono::nanoseconds()> processor;  // time that this thread computed
  std::function<std::chrono::nanoseconds()> wall;
};

Clocks systemClocks();

class PatternReader {
 public:
  // REQUIRES: `pattern` outlives the reader.
  explicit PatternReader(const Pattern& pattern, Clocks clocks = systemClocks());

  // Returns what the line reports. A line for which there is no time is passed over. A line that fits without
  // an iteration is of the newest one, if any line before gave one.
  std::optional<Pattern::Found> read(std::string_view line);

  // Returns, once, a sentence for people about lines that were passed over.
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
  std::optional<double> newest_;         // iteration
  std::optional<std::string> noNumber_;  // what the group `loss` held in the first line that fitted
  std::optional<std::string> notice_;
  bool hasPassedOver_ = false;
};

}  // namespace slaq::report
