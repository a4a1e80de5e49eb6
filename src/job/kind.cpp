#include "job/kind.h"

#include <functional>
#include <sstream>

#include "base/number.h"
#include "base/result.h"

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

// An argument may itself be a command line, as that of `sh -c` is.
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
  std::string kind = container.image;
  for (const auto* words : {&container.command, &container.args}) {
    for (const auto& word : *words) addWords(word, kind);
  }
  return shortened(kind);
}

}  // namespace slaq
