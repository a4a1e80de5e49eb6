#include "run.h"

#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <regex>

namespace slaq::machine {
namespace {

std::map<std::string, std::string> statesIn(const std::string& text) {
  const std::string time = R"(\s+(?:[0-9.]+ s|-))";
  const std::regex row("default/(\\S+)" + time + time + time + time + R"(\s+(\w+)\n)");
  std::map<std::string, std::string> states;
  for (std::sregex_iterator it(text.begin(), text.end(), row), end; it != end; ++it)
    states[(*it)[1]] = (*it)[2];
  return states;
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
  run.states = statesIn(run.text);
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
