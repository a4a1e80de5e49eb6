// A regular expression that finds the loss and the iteration in a line, with its groups `loss` and
// `iteration`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace slaq::report {

class Pattern {
 public:
  struct Found {
    std::optional<double> iteration;
    double loss = 0;

    bool operator==(const Found&) const = default;
  };

  enum class Outcome {
    Fits,
    FitsNot,
    HoldsNoNumber,  // the line matches, but the text of the group `loss` is no number
    TakesTooLong,   // a match would take more steps, or more memory, than one line may
  };

  struct Match {
    Outcome outcome = Outcome::FitsNot;
    Found found = {};       // if the line matches
    std::string loss = {};  // the text of the group
  };

  // `expression` is written as in Perl and Python; a named group is (?<name>...) or (?P<name>...). Invalid,
  // with a sentence that says what is wrong and where, if it is not an expression or has no group `loss`.
  static Result<Pattern> from(const std::string& expression);
  ~Pattern();
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;

  // Finds the first match in the first 4 KiB of the line. The line may contain any bytes. One thread at a
  // time may call this.
  Match matchIn(std::string_view line) const;

 private:
  struct Compiled;
  explicit Pattern(std::unique_ptr<Compiled> compiled);

  std::unique_ptr<Compiled> compiled_;
};

}  // namespace slaq::report
