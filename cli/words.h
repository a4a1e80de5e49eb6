// The words that stand for enumerators on the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slaq {

template <class Enumerators>
std::vector<std::string> wordsOf(const Enumerators& enumerators) {
  std::vector<std::string> words;
  for (const auto each : enumerators) words.emplace_back(name(each));
  return words;
}

inline std::vector<std::string> wordsOf(const std::vector<std::string_view>& names) {
  return {names.begin(), names.end()};
}

}  // namespace slaq
