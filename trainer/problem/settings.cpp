#include "trainer/problem/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.h"

namespace slaq::trainer::problem {
namespace {

constexpr double kMostWhole = 9'007'199'254'740'992.0;  // a double counts no further

tl::unexpected<Error> refuse(const Setting& setting, const std::string& rest) {
  return failure(ErrorKind::Invalid, "--" + std::string(setting.name) + " " + rest);
}

std::string format(double number) {
  std::array<char, 32> digits;  // the fewest that give the same double again
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

std::string join(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

Result<Value> parseNumber(const Setting& setting, std::string_view text) {
  if (const auto number = numberFrom<double>(text)) return Value(*number);
  return refuse(setting, "must be a number, not \"" + std::string(text) + "\"");
}

// "1e6" is a whole number too.
Result<Value> parseWhole(const Setting& setting, std::string_view text) {
  const auto number = numberFrom<double>(text);
  const bool whole = number && std::floor(*number) == *number && std::abs(*number) <= kMostWhole;
  if (whole) return Value(*number);
  return refuse(setting, "must be a whole number, not \"" + std::string(text) + "\"");
}

Result<Value> parseWholes(const Setting& setting, std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (bool more = true; more;) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto number = numberFrom<std::int64_t>(text.substr(0, comma));
    if (!number) return refuse(setting, "must be whole numbers with commas between them, such as 64,32");
    numbers.push_back(*number);
    more = comma < text.size();
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return Value(numbers);
}

std::string choicesOf(const Setting& setting) {
  std::string list;
  for (const std::string_view choice : setting.choices) {
    if (!choice.empty()) list += (list.empty() ? "" : ", ") + std::string(choice);
  }
  return list;
}

Result<void> checkNumber(const Setting& setting, double number) {
  const bool enough = setting.above ? number > setting.least : number >= setting.least;  // not for NaN
  if (!enough) {
    return refuse(setting, (setting.above ? "must be above " : "must be at least ") + format(setting.least));
  }
  if (!(number <= setting.most)) {
    const bool bounded = setting.most < std::numeric_limits<double>::max();
    return refuse(setting, bounded ? "must be at most " + format(setting.most) : "must be finite");
  }
  return {};
}

Result<void> checkWord(const Setting& setting, const std::string& word) {
  if (setting.choices[0].empty() || std::ranges::find(setting.choices, word) != setting.choices.end()) {
    return {};
  }
  return refuse(setting, "must be one of " + choicesOf(setting) + ", not \"" + word + "\"");
}

bool isOfItsKind(const Setting& setting, const Value& value) {
  switch (setting.kind) {
    case Setting::Kind::Number:
    case Setting::Kind::Whole:
      return std::holds_alternative<double>(value);
    case Setting::Kind::Wholes:
      return std::holds_alternative<std::vector<std::int64_t>>(value);
    case Setting::Kind::Word:
      break;
  }
  return std::holds_alternative<std::string>(value);
}

std::string hint(const Setting& setting) {
  std::string text;
  if (const std::string choices = choicesOf(setting); !choices.empty()) text += "; one of " + choices;
  if (setting.required) text += "; required";
  if (!setting.usual.empty()) text += " [" + std::string(setting.usual) + "]";
  return text;
}

}  // namespace

double Settings::number(std::string_view name) const { return std::get<double>(values_.find(name)->second); }

std::int64_t Settings::whole(std::string_view name) const { return static_cast<std::int64_t>(number(name)); }

const std::vector<std::int64_t>& Settings::wholes(std::string_view name) const {
  return std::get<std::vector<std::int64_t>>(values_.find(name)->second);
}

const std::string& Settings::word(std::string_view name) const {
  return std::get<std::string>(values_.find(name)->second);
}

Result<Value> parse(const Setting& setting, std::string_view text) {
  switch (setting.kind) {
    case Setting::Kind::Number:
      return parseNumber(setting, text);
    case Setting::Kind::Whole:
      return parseWhole(setting, text);
    case Setting::Kind::Wholes:
      return parseWholes(setting, text);
    case Setting::Kind::Word:
      break;
  }
  return Value(std::string(text));
}

Result<void> check(const Setting& setting, const Value& value) {
  if (!isOfItsKind(setting, value)) return refuse(setting, "is of the wrong kind");
  if (const auto* number = std::get_if<double>(&value)) return checkNumber(setting, *number);
  if (const auto* word = std::get_if<std::string>(&value)) return checkWord(setting, *word);
  for (const std::int64_t number : std::get<std::vector<std::int64_t>>(value)) {
    if (auto each = checkNumber(setting, static_cast<double>(number)); !each) return each;
  }
  return {};
}

std::string write(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return format(*number);
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  return join(std::get<std::vector<std::int64_t>>(value));
}

Result<Settings> complete(Settings given, std::span<const Setting> declared, const std::string& whose) {
  for (const auto& [name, value] : given.all()) {
    if (std::ranges::find(declared, name, &Setting::name) != declared.end()) continue;
    return failure(ErrorKind::Invalid,
                   whose + " knows no --" + name + "; its settings are " + namesOf(declared));
  }
  for (const Setting& setting : declared) {
    const std::string name(setting.name);
    if (!given.has(name) && setting.required) {
      return failure(ErrorKind::Invalid, whose + " needs --" + name + ": " + std::string(setting.help));
    }
    if (!given.has(name) && !setting.usual.empty()) given.set(name, parse(setting, setting.usual).value());
    if (!given.has(name)) continue;
    if (auto fits = check(setting, given.all().at(name)); !fits) return failure(fits.error());
  }
  return given;
}

std::string namesOf(std::span<const Setting> declared) {
  std::string names;
  for (const Setting& setting : declared) {
    names += (names.empty() ? "--" : ", --") + std::string(setting.name);
  }
  return names.empty() ? "none" : names;
}

std::string describe(std::span<const Setting> declared) {
  constexpr std::size_t kColumn = 24;
  std::string lines;
  for (const Setting& setting : declared) {
    std::string line = "    --" + std::string(setting.name);
    line.resize(std::max(line.size() + 1, kColumn), ' ');
    lines += line + std::string(setting.help) + hint(setting) + "\n";
  }
  return lines;
}

}  // namespace slaq::trainer::problem
