#include "report/output/named_numbers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "metrics/metric_name.h"

namespace slaq::report {
namespace {

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isSpace(char c) { return c == ' ' || c == '\t'; }
// A digit after one of these characters belongs to a word.
bool isOfWord(char c) { return isLetter(c) || isDigit(c) || c == '_' || c == '.'; }

std::string_view trimmed(std::string_view text, std::string_view without) {
  const auto begin = text.find_first_not_of(without);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(without) - begin + 1);
}

// True if the name of a number can't begin before this character. A hyphen between spaces ends a name.
bool separates(std::string_view line, std::size_t at) {
  const char c = line[at];
  if (c == '-') return at > 0 && isSpace(line[at - 1]) && at + 1 < line.size() && isSpace(line[at + 1]);
  return std::string_view(",;|\t{}()[]<>").find(c) != std::string_view::npos;
}

// Removes the type that libraries print around a number: "loss tensor(0.4)".
std::string_view withoutType(std::string_view text) {
  for (const std::string_view type :
       {"tensor(", "np.float64(", "np.float32(", "float64(", "float32(", "Array("}) {
    if (text.ends_with(type)) return trimmed(text.substr(0, text.size() - type.size()), " \t");
  }
  return text;
}

// The words before the number, as far back as the last separator.
std::string nameBefore(std::string_view line, std::size_t from, std::size_t number) {
  std::string_view before = withoutType(trimmed(line.substr(from, number - from), " \t"));
  while (!before.empty() && std::string_view("[(#'\"").find(before.back()) != std::string_view::npos)
    before = trimmed(before.substr(0, before.size() - 1), " \t");  // "Epoch [1/10]"
  std::size_t begin = before.size();
  while (begin > 0 && !separates(before, begin - 1)) --begin;
  return lowerCase(trimmed(before.substr(begin), " \t:='\"*-#>"));
}

// The name before a counter, if the number is the value after that counter, as in "Loss at step 100: 0.3";
// else empty.
std::string nameAcross(std::string_view between, const std::string& counter) {
  const auto sign = trimmed(between, " \t");
  if (sign != ":" && sign != "=" && sign != "is") return "";
  for (const std::string_view word : {" at ", " after ", " in ", " for "}) {
    const auto at = counter.find(word);
    if (at != std::string::npos) return counter.substr(0, at);
  }
  return "";
}

// True if the number between these positions begins its line.
bool isIndex(std::string_view line, std::size_t begin, std::size_t end) {
  if (!trimmed(line.substr(0, begin), " \t[(#").empty() || end >= line.size()) return false;
  return line[end] == ']' || line[end] == ':' || line[end] == ')';
}

struct Found {
  double value = 0;
  std::size_t end = 0;
};

// Reads the words "nan" and "inf" as numbers.
std::optional<Found> wordAt(std::string_view line, std::size_t at) {
  for (const auto& [word, value] :
       {std::pair<std::string_view, double>{"nan", std::nan("")}, {"inf", HUGE_VAL}}) {
    const std::size_t end = at + word.size();
    if (lowerCase(line.substr(at, word.size())) == word && (end == line.size() || !isOfWord(line[end])))
      return Found{value, end};
  }
  return std::nullopt;
}

// The end of the groups of three digits that follow a number of at most three digits, as in 12,345. A time of
// day such as 12:30:41,250 has none.
std::size_t endOfGroups(std::string_view line, std::size_t begin, std::size_t end) {
  constexpr std::size_t kGroup = 3;
  const auto digits = line.substr(begin, end - begin);
  const bool isTime = begin > 1 && line[begin - 1] == ':' && isDigit(line[begin - 2]);
  if (isTime || digits.size() > kGroup || digits.front() == '0' || !std::ranges::all_of(digits, isDigit))
    return end;
  for (;;) {
    const auto group = line.substr(end, kGroup + 1);
    const bool isGroup =
        group.size() == kGroup + 1 && group.front() == ',' && std::ranges::all_of(group.substr(1), isDigit);
    const std::size_t next = end + group.size();
    if (!isGroup || (next < line.size() && isDigit(line[next]))) return end;
    end = next;
  }
}

// The number that begins with these digits and commas.
std::optional<Found> groupedAt(std::string_view line, std::size_t begin, std::size_t end) {
  std::string text(line.substr(begin, end - begin));
  std::erase(text, ',');
  const std::size_t commas = end - begin - text.size();
  text += line.substr(end);
  double value = 0;
  const auto [last, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return Found{value, begin + commas + static_cast<std::size_t>(last - text.data())};
}

std::optional<Found> numberAt(std::string_view line, std::size_t at) {
  const bool hasSign = line[at] == '-' || line[at] == '+';
  const std::size_t digits = at + (hasSign ? 1 : 0);
  if (digits >= line.size()) return std::nullopt;
  std::optional<Found> found;
  if (isDigit(line[digits]) ||
      (line[digits] == '.' && digits + 1 < line.size() && isDigit(line[digits + 1]))) {
    double value = 0;
    const auto [end, error] = std::from_chars(line.data() + digits, line.data() + line.size(), value);
    if (error == std::errc::result_out_of_range) value = HUGE_VAL;
    if (error == std::errc::invalid_argument) return std::nullopt;
    found = Found{value, static_cast<std::size_t>(end - line.data())};
    if (const auto last = endOfGroups(line, digits, found->end); last > found->end)
      found = groupedAt(line, digits, last);
  } else {
    found = wordAt(line, digits);
  }
  if (found && line[at] == '-') found->value = -found->value;
  return found;
}

bool mayBegin(std::string_view line, std::size_t at) {
  if (at == 0) return true;
  const char before = line[at - 1];
  if (line[at] == '-' || line[at] == '+') return !isOfWord(before);
  return !isOfWord(before) && before != '-' && before != '+';
}

// True for the percentages of a metric, such as "acc: 51.2%". "50%|" is the part of a progress bar that is
// done.
bool isPercentage(std::string_view line, std::size_t begin, std::size_t end) {
  const auto before = trimmed(line.substr(0, begin), " \t");
  const bool isValue = !before.empty() && (before.back() == ':' || before.back() == '=');
  return isValue && (end + 1 >= line.size() || line[end + 1] != '|');
}

// True if the text after the number, which is from `begin` to `end`, is not the rest of a word or of a time
// of day.
bool mayEnd(std::string_view line, std::size_t begin, std::size_t end) {
  if (end >= line.size()) return true;
  const char c = line[end];
  if (c == '%') return isPercentage(line, begin, end);
  if (c == ':') return end + 1 >= line.size() || !isDigit(line[end + 1]);
  return !isLetter(c) && c != '_';
}

}  // namespace

std::vector<NamedNumber> numbersIn(std::string_view line) {
  std::vector<NamedNumber> numbers;
  std::size_t from = 0;  // where the name of the next number may begin
  for (std::size_t at = 0; at < line.size();) {
    const auto found = mayBegin(line, at) ? numberAt(line, at) : std::nullopt;
    if (!found) {
      ++at;
      continue;
    }
    if (mayEnd(line, at, found->end)) {
      const bool isTotal = at > 0 && line[at - 1] == '/' && !numbers.empty() && from + 1 == at;
      if (isTotal) {
        numbers.back().of = found->value;
      } else {
        auto name = nameBefore(line, from, at);
        if (name.empty() && isIndex(line, at, found->end)) name = metrics::kIndex;
        if (name.empty() && !numbers.empty())
          name = nameAcross(line.substr(from, at - from), numbers.back().name);
        const bool isPercent = found->end < line.size() && line[found->end] == '%';
        numbers.push_back({std::move(name), found->value, {}, isPercent});
      }
    }
    at = from = std::max(found->end, at + 1);
  }
  return numbers;
}

std::optional<double> numberFrom(std::string_view text) {
  const auto plain = trimmed(text, " \t'\"");
  if (plain.empty()) return std::nullopt;
  const auto found = numberAt(plain, 0);
  return found && found->end == plain.size() ? std::optional(found->value) : std::nullopt;
}

std::vector<std::string> columnsOf(std::string_view line) {
  std::vector<std::string> columns;
  const auto split = [&](auto separatesAt, bool keepsEmpty) {
    columns.clear();
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= line.size(); ++at) {
      if (at < line.size() && !separatesAt(at)) continue;
      const auto part = trimmed(line.substr(begin, at - begin), " \t'\"");
      if (keepsEmpty || !part.empty()) columns.emplace_back(part);
      begin = at + 1;
    }
  };
  const bool hasCells = line.find_first_of(",\t|") != std::string_view::npos;
  if (hasCells) {
    split([&](std::size_t at) { return line[at] == ',' || line[at] == '\t' || line[at] == '|'; }, true);
  } else {
    split([&](std::size_t at) { return line[at] == ' ' && at + 1 < line.size() && line[at + 1] == ' '; },
          false);
  }
  if (columns.size() == 1) split([&](std::size_t at) { return isSpace(line[at]); }, false);
  return columns;
}

bool hasBar(std::string_view line) {
  static constexpr std::array<std::string_view, 5> kParts = {"━", "█", "[==", "[>..", "%|"};
  return std::ranges::any_of(
      kParts, [&](std::string_view part) { return line.find(part) != std::string_view::npos; });
}

}  // namespace slaq::report
