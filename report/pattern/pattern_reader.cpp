#include "report/pattern/pattern_reader.h"

#include <time.h>

#include <utility>

#include "report/output/output_reader.h"

namespace slaq::report {
namespace {

// Expressions may take one part in kPart of the wall time. A well written one takes some microseconds for a
// line.
constexpr int kPart = 20;
constexpr std::chrono::nanoseconds kAtFirst = std::chrono::milliseconds(500);

std::chrono::nanoseconds timeOf(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

Clocks systemClocks() {
  return {.processor = [] { return timeOf(CLOCK_THREAD_CPUTIME_ID); },
          .wall = [] { return timeOf(CLOCK_MONOTONIC); }};
}

PatternReader::PatternReader(const Pattern& pattern, Clocks clocks)
    : pattern_(pattern), clocks_(std::move(clocks)), began_(clocks_.wall()) {}

std::optional<Pattern::Found> PatternReader::read(std::string_view line) {
  if (isOfOtherRank(line)) return std::nullopt;
  if (!hasTime()) {
    notePassedOver();
    return std::nullopt;
  }
  const auto begin = clocks_.processor();
  auto match = pattern_.matchIn(line);
  spent_ += clocks_.processor() - begin;
  if (match.outcome == Pattern::Outcome::TakesTooLong) notePassedOver();
  if (match.outcome == Pattern::Outcome::HoldsNoNumber && !noNumber_) noNumber_ = match.loss;
  if (match.outcome != Pattern::Outcome::Fits) return std::nullopt;
  if (match.found.iteration) newest_ = match.found.iteration;
  match.found.iteration = newest_;
  return match.found;
}

bool PatternReader::hasTime() const { return spent_ <= kAtFirst + (clocks_.wall() - began_) / kPart; }

void PatternReader::notePassedOver() {
  if (!std::exchange(hasPassedOver_, true))
    notice_ =
        "the expression of --pattern takes long, and some lines are passed over; it is faster if it begins "
        "with a word of the line, and has no repetition within a repetition";
}

std::optional<std::string> PatternReader::takeNotice() { return std::exchange(notice_, std::nullopt); }

std::string PatternReader::whyNothing() const {
  if (noNumber_)
    return "no loss was found: the group loss of --pattern held '" + printable(*noNumber_) +
           "', which is no number";
  return hasPassedOver_ ? "no loss was found in the lines that were read; the expression of --pattern takes "
                          "too long"
                        : "no loss was found: no line of the output fits --pattern";
}

}  // namespace slaq::report
