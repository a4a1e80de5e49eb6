// Programs as a test runs them: started with flags and an environment, their standard error read as it
// grows, ended at the latest with the test.
#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slaq::trainer {

// Waits until the condition holds, generously bounded; whether it did.
bool eventually(const std::function<bool()>& condition);

// A folder of the test's own, removed with it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string readFile(const std::string& path);

class Process {
 public:
  using Environment = std::map<std::string, std::string>;

  // Runs slaq-trainer; its standard error goes to the file.
  Process(const std::vector<std::string>& arguments, const Environment& environment, std::string errorFile);
  ~Process();
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;

  void signal(int number) const;
  // The exit status, or minus the signal that ended it; nothing if it does not end.
  std::optional<int> wait();
  std::string errors() const { return readFile(errorFile_); }

 private:
  pid_t id_ = -1;
  std::optional<int> status_;
  std::string errorFile_;
};

}  // namespace slaq::trainer
