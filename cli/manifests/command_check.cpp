#include "cli/manifests/command_check.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "cli/machine/machine_watch.h"
#include "local/processes/command.h"

namespace slaq::cli::manifests {
namespace {

namespace fs = std::filesystem;

// Returns the program that runs such a script; empty for other files.
std::string interpreterOf(const std::string& word) {
  static const std::map<std::string, std::string> kInterpreters = {
      {".py", "python3"}, {".sh", "sh"}, {".R", "Rscript"}, {".jl", "julia"}, {".ipynb", "jupyter execute"}};
  const auto found = kInterpreters.find(fs::path(word).extension().string());
  return found == kInterpreters.end() ? "" : found->second;
}

bool isFile(const fs::path& path) {
  std::error_code unreadable;
  return fs::is_regular_file(path, unreadable);
}

bool isOnPath(const std::string& word) {
  using namespace local::processes;
  return findProgram(word, searchPath(machine::ownDirectory())).has_value();
}

bool namesInterpreter(const std::string& word) {
  std::ifstream file(word, std::ios::binary);
  char begin[2] = {};
  return file.read(begin, 2) && begin[0] == '#' && begin[1] == '!';
}

// Returns why the word can't be executed. The text is empty if it can be. The shell knows words that are no
// programs, so of its words only a script that lies here is refused.
std::string problemOf(const std::string& word, bool isOfShell) {
  const bool isPath = word.find('/') != std::string::npos;
  const bool mayBeKnown = isOfShell && !(isScript(word) && isFile(word));
  if (!isPath) return mayBeKnown || isOnPath(word) ? "" : " is no program on PATH";
  std::error_code unreadable;
  if (fs::status(word, unreadable).type() == fs::file_type::not_found) return " does not exist";
  if (isFile(word) && ::access(word.c_str(), X_OK) != 0) return " is not executable";
  const bool needsInterpreter = isScript(word) && fs::path(word).extension() != ".sh";  // sh runs that one
  return needsInterpreter && isFile(word) && !namesInterpreter(word)
             ? " does not begin with #!, so no program runs it"
             : "";
}

// Returns what the user may have meant by a line that begins with this word, which can't be executed. The
// text is empty if that can't be told.
std::string adviceFor(const std::string& word, const std::string& line) {
  const auto meant = [](const std::string& other) { return "; did you mean '" + other + "'?"; };
  if (word == "python" && isOnPath("python3")) return meant("python3" + line.substr(word.size()));
  if (!isFile(word)) return "";
  if (const auto interpreter = interpreterOf(word); !interpreter.empty())
    return meant(interpreter + " " + line);
  const bool isPath = word.find('/') != std::string::npos;
  if (!isPath && ::access(word.c_str(), X_OK) == 0) return meant("./" + line);
  return "; chmod +x " + word + " makes it so";
}

std::string mistakeIn(const std::string& word, const std::string& line, bool isOfShell) {
  const std::string problem = problemOf(word, isOfShell);
  return problem.empty() ? "" : word + problem + adviceFor(word, line);
}

}  // namespace

bool isScript(const std::string& word) { return !interpreterOf(word).empty(); }

std::string commandFor(const std::string& script) {
  const bool hasSpace = script.find(' ') != std::string::npos;
  if (hasSpace && !isFile(script)) return script;  // 'python train.py': a command already
  const std::string interpreter = interpreterOf(script);
  return (interpreter.empty() ? "" : interpreter + " ") + (hasSpace ? "'" + script + "'" : script);
}

std::string mistakeInCommand(const std::vector<std::string>& words) {
  std::string line;
  for (const auto& word : words) line += (line.empty() ? "" : " ") + word;
  return words.empty() ? "" : mistakeIn(words.front(), line, false);
}

std::string mistakeInLine(const std::string& line) {
  const auto begin = line.find_first_not_of(" \t\n");
  if (begin == std::string::npos) return "";
  const auto end = line.find_first_of(" \t\n;&|<>()", begin);
  const std::string word = line.substr(begin, end == std::string::npos ? end : end - begin);
  const bool isPlain = word.find_first_of("$`'\"\\*?[=~#{") == std::string::npos;
  return isPlain && !word.empty() ? mistakeIn(word, line.substr(begin), true) : "";
}

}  // namespace slaq::cli::manifests
