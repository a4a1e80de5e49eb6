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

std::map<std::string, std::vector<Change>> changesIn(const std::string& text) {
  const std::regex line(R"(([0-9.]+) s +default/(\S+) +(\d+) -> (\d+) worker)");
  std::map<std::string, std::vector<Change>> changes;
  for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it) {
    const auto& cells = *it;
    changes[cells[2]].push_back({std::stod(cells[1]), std::stoi(cells[3]), std::stoi(cells[4])});
  }
  return changes;
}

// Of a file that --losses wrote.
std::map<std::string, std::vector<Sample>> samplesIn(const std::string& path) {
  std::ifstream file(path);
  const std::regex row(R"([^,]*,default/([^,]+),([^,]+),([^,]+),[^,]+)");
  std::map<std::string, std::vector<Sample>> samples;
  std::smatch cells;
  for (std::string line; std::getline(file, line);) {
    if (std::regex_match(line, cells, row))
      samples[cells[1]].push_back({std::stod(cells[2]), std::stod(cells[3])});
  }
  return samples;
}

}  // namespace

LocalRun slaqRun(const std::string& arguments) {
  LocalRun run;
  const TemporaryFile losses("", ".csv");
  const std::string command =
      SLAQ_BINARY_DIR "/slaq run --plain --losses " + losses.path() + " " + arguments + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  char part[4096];
  while (const auto size = fread(part, 1, sizeof part, pipe)) run.text.append(part, size);
  run.code = pclose(pipe);
  run.jobs = timesIn(run.text);
  run.changes = changesIn(run.text);
  run.samples = samplesIn(losses.path());
  return run;
}

TemporaryFile::TemporaryFile(const std::string& text, const std::string& extension)
    : path_("/tmp/slaq-test-XXXXXX" + extension) {
  close(mkstemps(path_.data(), static_cast<int>(extension.size())));
  std::ofstream(path_) << text;
}

TemporaryFile::~TemporaryFile() { unlink(path_.c_str()); }

}  // namespace slaq::machine
