// Commands run by a shell, for tests that use a cluster as people do.
#pragma once

#include <string>

namespace slaq::e2e {

struct Output {
  int code = 0;
  std::string text;  // standard output and error
};

// Runs a command line to its end, with `input` as its standard input.
Output shell(const std::string& command, const std::string& input = "");

}  // namespace slaq::e2e
