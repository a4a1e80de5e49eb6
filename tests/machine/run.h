// A whole run of `slaq run`, and what it told about each job.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace slaq::machine {

// A change of a job's workers, in seconds since the run began.
struct Change {
  double seconds = 0;
  int from = 0;
  int to = 0;
};

// What slaq saw of a training, in seconds since the run began.
struct Sample {
  double seconds = 0;
  double iteration = 0;
};

struct LocalRun {
  int code = 0;
  std::string text;                           // all that it wrote
  std::map<std::string, std::string> states;  // in which the jobs ended, by name
  std::map<std::string, std::vector<Change>> changes;
  std::map<std::string, std::vector<Sample>> samples;
};

// Runs `slaq run` with these arguments to its end.
LocalRun slaqRun(const std::string& arguments);

// A file of its own, removed at the end.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& text, const std::string& extension);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class Manifest : public TemporaryFile {
 public:
  explicit Manifest(const std::string& text) : TemporaryFile(text, ".yaml") {}
};

}  // namespace slaq::machine
