#include "local/processes/command.h"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace slaq::local::processes {
namespace {

bool isProgram(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

// This process' environment.
Variables inherited() {
  Variables variables;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text = *each;
    const auto cut = text.find('=');
    if (cut != std::string_view::npos) variables.emplace(text.substr(0, cut), text.substr(cut + 1));
  }
  return variables;
}

// The environment of another user's program: nothing of this process' one but its language and time zone.
Variables inheritedBy(const Owner& owner) {
  Variables variables = {{"HOME", owner.home}, {"USER", owner.name}, {"LOGNAME", owner.name}};
  for (const auto& [name, value] : inherited()) {
    if (name == "LANG" || name == "TZ" || name.starts_with("LC_")) variables.emplace(name, value);
  }
  return variables;
}

// The variables that command and args may refer to. A value may refer to those before it, and the last of
// several with one name counts.
Variables ownVariables(const Container& container, const Variables& given) {
  Variables variables = given;
  for (const auto& [name, value] : container.environment) {
    if (!given.contains(name)) variables[name] = expand(value, variables);
  }
  return variables;
}

std::vector<std::string> expandAll(const Container& container, const Variables& variables) {
  std::vector<std::string> texts;
  for (const auto& each : container.command) texts.push_back(expand(each, variables));
  for (const auto& each : container.args) texts.push_back(expand(each, variables));
  return texts;
}

std::string joined(const std::vector<std::filesystem::path>& path) {
  std::string text;
  for (const auto& each : path) text += (text.empty() ? "" : ":") + each.string();
  return text;
}

}  // namespace

std::string expand(std::string_view text, const Variables& variables) {
  std::string out;
  while (!text.empty()) {
    const auto dollar = text.find('$');
    out += text.substr(0, dollar);
    if (dollar == std::string_view::npos) break;
    text.remove_prefix(dollar);
    const auto close = text.starts_with("$(") ? text.find(')') : std::string_view::npos;
    const auto found = close == std::string_view::npos
                           ? variables.end()
                           : variables.find(std::string(text.substr(2, close - 2)));
    if (found != variables.end()) {
      out += found->second;
      text.remove_prefix(close + 1);
    } else {
      out += '$';
      text.remove_prefix(text.starts_with("$$") ? 2 : 1);
    }
  }
  return out;
}

Result<std::string> findProgram(const std::string& name, const std::vector<std::filesystem::path>& path) {
  if (name.find('/') != std::string::npos) return name;
  for (const auto& directory : path) {
    if (isProgram(directory / name)) return (directory / name).string();
  }
  return failure(ErrorKind::Invalid, "the program '" + name + "' is not found on PATH");
}

std::vector<std::filesystem::path> searchPath(const std::filesystem::path& first) {
  const char* text = std::getenv("PATH");
  return searchPath(first, text == nullptr ? "/usr/local/bin:/usr/bin:/bin" : text);
}

std::vector<std::filesystem::path> searchPath(const std::filesystem::path& first, const std::string& text) {
  std::vector<std::filesystem::path> path = {first};
  std::istringstream in(text);
  for (std::string each; std::getline(in, each, ':');) path.emplace_back(each.empty() ? "." : each);
  if (text.ends_with(':')) path.emplace_back(".");  // getline gives no empty text after it
  return path;
}

Result<ProcessSpec> commandOf(const Container& container, const Variables& given,
                              const std::vector<std::filesystem::path>& path,
                              const std::shared_ptr<const Owner>& owner) {
  const Variables own = ownVariables(container, given);
  ProcessSpec spec;
  spec.arguments = expandAll(container, own);
  const auto ownPath = own.find("PATH");  // as a container runtime looks there
  auto program =
      findProgram(spec.arguments.front(),
                  ownPath == own.end() || path.empty() ? path : searchPath(path.front(), ownPath->second));
  if (!program) return failure(std::move(program).error());
  spec.program = std::move(*program);
  Variables all = own;
  all.try_emplace("PATH", joined(path));  // what the program itself starts is found where it was found
  Variables others = owner ? inheritedBy(*owner) : inherited();
  all.merge(others);
  for (const auto& [name, value] : all) spec.environment.push_back(name + "=" + value);
  spec.workingDirectory = container.workingDirectory;
  spec.owner = owner;
  if (owner && spec.workingDirectory.empty()) {
    std::error_code unreadable;  // an account of a service often has a home that is not there
    spec.workingDirectory = std::filesystem::is_directory(owner->home, unreadable) ? owner->home : "/";
  }
  return spec;
}

}  // namespace slaq::local::processes
