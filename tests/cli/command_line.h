// A command line as a person types it, run in this process.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdio_ext.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "cli/commands/commands.h"

namespace slaq::test {

struct Said {
  int code = 0;
  std::string out;
  std::string err;
};

inline int run(const std::vector<std::string>& words) {
  std::vector<const char*> line = {"slaq"};
  for (const auto& word : words) line.push_back(word.c_str());
  return cli::commands::runCommandLine(static_cast<int>(line.size()), line.data());
}

inline Said say(const std::vector<std::string>& words) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Said said;
  said.code = run(words);
  said.out = testing::internal::GetCapturedStdout();
  said.err = testing::internal::GetCapturedStderr();
  return said;
}

// The same where the standard output is on a disk that is full.
inline Said sayOnFullDisk(const std::vector<std::string>& words) {
  std::fflush(stdout);
  const int terminal = ::dup(STDOUT_FILENO);
  const int full = ::open("/dev/full", O_WRONLY);
  ::dup2(full, STDOUT_FILENO);
  testing::internal::CaptureStderr();
  Said said;
  said.code = run(words);
  said.err = testing::internal::GetCapturedStderr();
  ::__fpurge(stdout);
  std::clearerr(stdout);
  std::cout.clear();
  ::dup2(terminal, STDOUT_FILENO);
  ::close(full);
  ::close(terminal);
  return said;
}

}  // namespace slaq::test
