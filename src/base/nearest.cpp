#include "base/nearest.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace slaq {
namespace {

constexpr std::size_t kLongestWord = 64;  // longer texts are not compared, since the distance is quadratic

// The number of letters to insert, drop or replace, letters' case aside.
std::size_t editDistance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string> nearest(std::string_view text, const std::vector<std::string>& words) {
  if (text.size() > kLongestWord) return std::nullopt;
  const auto begun = [&](const std::string& word) { return text.size() > 2 && word.starts_with(text); };
  const auto whole = std::ranges::find_if(words, begun);
  if (whole != words.end()) return *whole;
  std::optional<std::string> best;
  std::size_t distance = text.size() / 2 + 1;  // with more than half of it wrong it is another word
  for (const auto& word : words) {
    const auto each = editDistance(text, word);
    if (each < distance) distance = each, best = word;
  }
  return best;
}

}  // namespace slaq
