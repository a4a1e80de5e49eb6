#include "job/kind.h"

#include <functional>
#include <set>
#include <sstream>
#include <vector>

#include "base/result.h"
#include "base/text.h"

namespace slaq {
namespace {

// `--rate=0.1` without its value; empty for a number.
std::string withoutNumber(const std::string& argument) {
  if (numberFrom<double>(argument)) return {};
  const auto equals = argument.find('=');
  const bool hasNumber =
      equals != std::string::npos && numberFrom<double>(std::string_view(argument).substr(equals + 1));
  return hasNumber ? argument.substr(0, equals) : argument;
}

// The command and its arguments. A shell that runs a command line is not the program.
std::vector<std::string> programOf(const Container& container) {
  std::vector<std::string> words = container.command;
  words.insert(words.end(), container.args.begin(), container.args.end());
  static const std::set<std::string> kShells = {"sh", "bash", "dash", "zsh"};
  const bool isLine =
      words.size() > 2 && kShells.contains(words[0].substr(words[0].rfind('/') + 1)) && words[1] == "-c";
  if (isLine) words.erase(words.begin(), words.begin() + 2);
  return words;
}

// An argument may itself be a command line.
void addWords(const std::string& argument, std::string& kind) {
  std::istringstream in(argument);
  for (std::string word; in >> word;) {
    const std::string part = withoutNumber(word);
    if (!part.empty()) kind += (kind.empty() ? "" : " ") + part;
  }
}

// A longer kind is shortened: an argument may be a whole program.
constexpr std::size_t kLongest = 200;

std::string shortened(const std::string& kind) {
  if (kind.size() <= kLongest) return kind;
  return std::string(truncated(kind, kLongest)) + ' ' + std::to_string(std::hash<std::string>()(kind));
}

}  // namespace

std::string kindOf(const TrainingJob& job) {
  if (!job.kind.empty()) return job.kind;
  const PodTemplate& chief = chiefOf(job.spec);
  if (chief.containers.empty()) return {};
  const Container& container = chief.containers.front();
  std::string kind = container.image == kThisMachine ? "" : container.image;
  for (const auto& word : programOf(container)) addWords(word, kind);
  return shortened(kind);
}

}  // namespace slaq
