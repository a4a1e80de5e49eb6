// A command line as a person types it, run in this process.
#pragma once

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace slaq::test {

struct Said {
  int code = 0;
  std::string out;
  std::string err;
};

inline Said say(const std::vector<std::string>& words) {
  std::vector<const char*> line = {"slaq"};
  for (const auto& word : words) line.push_back(word.c_str());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Said said;
  said.code = runCommandLine(static_cast<int>(line.size()), line.data());
  said.out = testing::internal::GetCapturedStdout();
  said.err = testing::internal::GetCapturedStderr();
  return said;
}

}  // namespace slaq::test
