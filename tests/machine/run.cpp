#include "run.h"

#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <limits>
#include <regex>

namespace slaq::machine {
namespace {

// "12.5 s" or "-", as the summary writes times.
double secondsOf(const std::string& text) {
  return text == "-" ? std::numeric_limits<double>::infinity() : std::stod(text);
}

std::map<std::string, JobTimes> timesIn(const std::string& text) {
  const std::string time = R"(\s+([0-9.]+ s|-))";
  const std::regex row("default/(\\S+)" + time + time + time + time + R"(\s+(\w+)\n)");
  std::map<std::string, JobTimes> jobs;
  for (std::sregex_iterator it(text.begin(), text.end(), row), end; it != end; ++it) {
    const auto& cells = *it;
    jobs[cells[1]] = {secondsOf(cells[2]), secondsOf(cells[3]), secondsOf(cells[4]), secondsOf(cells[5]),
                      cells[6]};
  }
  return jobs;
}

}  // namespace

LocalRun slaqRun(const std::string& arguments) {
  LocalRun run;
  const std::string command = SLAQ_BINARY_DIR "/slaq run --plain " + arguments + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  char part[4096];
  while (const auto size = fread(part, 1, sizeof part, pipe)) run.text.append(part, size);
  run.code = pclose(pipe);
  run.jobs = timesIn(run.text);
  return run;
}

Manifest::Manifest(const std::string& text) {
  char name[] = "/tmp/slaq-manifest-XXXXXX.yaml";
  close(mkstemps(name, 5));
  path_ = name;
  std::ofstream(path_) << text;
}

Manifest::~Manifest() { unlink(path_.c_str()); }

}  // namespace slaq::machine
