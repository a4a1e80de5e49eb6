// A regular expression that says where in a line the loss and the iteration are: its groups `loss` and
// `iteration` hold them.
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
    HoldsNoNumber,  // the line fits, and what the group `loss` holds is no number
    TakesTooLong,   // whether it fits would take more steps, or more memory, than one line may
  };

  struct Match {
    Outcome outcome = Outcome::FitsNot;
    Found found = {};       // if it fits
    std::string loss = {};  // what the group holds
  };

  // An expression as Perl and Python write them; a named group is (?<name>...) or (?P<name>...). Invalid,
  // with a sentence that says what is wrong and where, if it is none or has no group `loss`.
  static Result<Pattern> from(const std::string& expression);
  ~Pattern();
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;

  // Looks for the first place that fits, in the first 4 KiB of the line. The line may hold any bytes. One
  // thread at a time may call this.
  Match matchIn(std::string_view line) const;

 private:
  struct Compiled;
  explicit Pattern(std::unique_ptr<Compiled> compiled);

  std::unique_ptr<Compiled> compiled_;
};

}  // namespace slaq::report
