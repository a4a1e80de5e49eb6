#include "report/pattern/pattern.h"

#include <array>
#include <utility>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "report/output/named_numbers.h"

namespace slaq::report {
namespace {

// Only these first bytes of a line are read. The time of an expression may grow with the square of the
// length, or worse. With this bound and the limits below, no line takes more than a third of a second.
constexpr std::size_t kLongestRead = 4u << 10;
// Limits for each place of the line where a match may begin. They bound expressions that try the same
// characters in very many ways, such as (a*)*b.
constexpr std::uint32_t kMostSteps = 50'000;
constexpr std::uint32_t kMostKiB = 8u << 10;
constexpr std::size_t kLongestExpression = 1024;
constexpr std::size_t kNoGroup = 0;  // group 0 is the whole match

constexpr const char* kExample = R"('step=(?<iteration>\d+) .*loss=(?<loss>\S+)')";

PCRE2_SPTR bytesOf(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

std::string messageOf(int error) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(error, text.data(), text.size());
  const std::string message = reinterpret_cast<const char*>(text.data());
  return message.substr(0, message.find(" (PCRE2"));  // for those who write programs with it
}

std::string placeOf(const std::string& expression, std::size_t at) {
  if (at == 0) return "at its beginning";
  if (at >= expression.size()) return "at its end";
  return "after '" + printable(std::string_view(expression).substr(0, at)) + "'";
}

// Finds the number also within such a text as "tensor(0.5)", "51.2%", or "0.5" with a comma.
std::optional<double> numberIn(std::string_view text) {
  const auto numbers = numbersIn(text.substr(0, text.find('%')));
  return numbers.empty() ? std::nullopt : std::optional(numbers.front().value);
}

}  // namespace

struct Pattern::Compiled {
  explicit Compiled(pcre2_code* program)
      : code(program),
        context(pcre2_match_context_create(nullptr)),
        match(pcre2_match_data_create_from_pattern(program, nullptr)) {
    pcre2_set_match_limit(context, kMostSteps);
    pcre2_set_depth_limit(context, kMostSteps);
    pcre2_set_heap_limit(context, kMostKiB);
  }
  ~Compiled() {
    pcre2_match_data_free(match);
    pcre2_match_context_free(context);
    pcre2_code_free(code);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  // kNoGroup if no group has that name.
  std::size_t groupOf(const char* name) const {
    const int number = pcre2_substring_number_from_name(code, reinterpret_cast<PCRE2_SPTR>(name));
    return number > 0 ? static_cast<std::size_t>(number) : kNoGroup;
  }

  // The text of a group after a match; empty if the group took no part.
  std::string_view textOf(std::size_t group, std::string_view line) const {
    const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(match) + 2 * group;
    if (group == kNoGroup || ends[0] == PCRE2_UNSET || ends[1] < ends[0]) return {};
    return line.substr(ends[0], ends[1] - ends[0]);
  }

  pcre2_code* const code;
  pcre2_match_context* const context;
  pcre2_match_data* const match;
  std::size_t loss = kNoGroup;
  std::size_t iteration = kNoGroup;
};

Pattern::Pattern(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;

Result<Pattern> Pattern::from(const std::string& expression) {
  if (expression.size() > kLongestExpression)
    return failure(ErrorKind::Invalid,
                   "must have at most " + std::to_string(kLongestExpression) + " characters");
  int error = 0;
  PCRE2_SIZE at = 0;
  // Output is UTF-8, except for invalid bytes, which match nothing.
  pcre2_code* program = pcre2_compile(bytesOf(expression), expression.size(),
                                      PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &error, &at, nullptr);
  if (program == nullptr)
    return failure(ErrorKind::Invalid, "is no regular expression: " + messageOf(error) + ", " +
                                           placeOf(expression, at) + "; such as " + kExample);
  auto compiled = std::make_unique<Compiled>(program);
  compiled->loss = compiled->groupOf("loss");
  compiled->iteration = compiled->groupOf("iteration");
  if (compiled->loss == kNoGroup)
    return failure(
        ErrorKind::Invalid,
        std::string("must have one group named loss around the number that is the loss, as in ") + kExample);
  return Pattern(std::move(compiled));
}

Pattern::Match Pattern::matchIn(std::string_view whole) const {
  const auto line = whole.substr(0, kLongestRead);
  const int groups =
      pcre2_match(compiled_->code, bytesOf(line), line.size(), 0, 0, compiled_->match, compiled_->context);
  if (groups == PCRE2_ERROR_NOMATCH) return {};
  if (groups < 0) return {.outcome = Outcome::TakesTooLong};
  const auto text = compiled_->textOf(compiled_->loss, line);
  const auto loss = numberIn(text);
  if (!loss) return {.outcome = Outcome::HoldsNoNumber, .loss = std::string(text)};
  return {.outcome = Outcome::Fits,
          .found = {numberIn(compiled_->textOf(compiled_->iteration, line)), *loss},
          .loss = std::string(text)};
}

}  // namespace slaq::report
