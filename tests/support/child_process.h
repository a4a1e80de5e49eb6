// A program that a test runs beside itself, ended with it.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace slaq::test {

class ChildProcess {
 public:
  // Runs `command` (its first word looked up in PATH) with its output in a file.
  ChildProcess(const std::vector<std::string>& command, const std::string& outputPath);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  bool running();

 private:
  pid_t pid_ = -1;
};

// The path of a program in PATH; empty when there is none.
std::string findProgram(const std::string& name);

// A directory of its own, removed at the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A TCP port of 127.0.0.1 that no other process is given while this one runs. It refuses connections until a
// program that sets SO_REUSEADDR listens on it.
int freePort();

}  // namespace slaq::test
