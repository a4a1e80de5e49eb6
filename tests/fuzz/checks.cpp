#include "fuzz/checks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace slaq::fuzz {
namespace {

bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

void check(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "CHECK FAILED: %s\n", std::string(what).c_str());
  std::abort();
}

void checkSentence(std::string_view text) {
  check(!text.empty(), "an error says nothing");
  check(std::ranges::none_of(text, isControl), "an error passes control characters on: " + std::string(text));
}

void checkSentences(std::string_view text) {
  check(!text.empty(), "an error says nothing");
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    checkSentence(line);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
}

}  // namespace slaq::fuzz
