// A whole run of `slaq run`, and what it told about each job.
#pragma once

#include <map>
#include <string>

namespace slaq::machine {

struct JobTimes {
  // Seconds from arrival to so much of the job's own loss reduction; infinite if it never got there.
  double toHalf = 0;
  double to90 = 0;
  double to95 = 0;
  double done = 0;
  std::string state;
};

struct LocalRun {
  int code = 0;
  std::string text;                      // all that it wrote
  std::map<std::string, JobTimes> jobs;  // by name
};

// Runs `slaq run` with these arguments to its end.
LocalRun slaqRun(const std::string& arguments);

// A manifest in a file of its own, removed at the end.
class Manifest {
 public:
  explicit Manifest(const std::string& text);
  ~Manifest();
  Manifest(const Manifest&) = delete;
  Manifest& operator=(const Manifest&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace slaq::machine
