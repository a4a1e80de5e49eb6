#include "local/system/command_output.h"

#include <cstdio>
#include <sstream>

namespace slaq::local::system {

std::string outputOf(const std::string& command) {
  std::string text;
  std::FILE* in = ::popen(command.c_str(), "r");
  if (in == nullptr) return text;
  char buffer[4096];
  while (const auto size = std::fread(buffer, 1, sizeof buffer, in)) text.append(buffer, size);
  ::pclose(in);
  return text;
}

std::vector<std::string> partsOf(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string each; std::getline(in, each, separator);) {
    const auto begin = each.find_first_not_of(" \t\r");
    if (begin != std::string::npos)
      parts.push_back(each.substr(begin, each.find_last_not_of(" \t\r") - begin + 1));
  }
  return parts;
}

}  // namespace slaq::local::system
