#include "cli/constants_option.h"

namespace slaq {

void addConstantsOption(CLI::App& command, std::string& file) {
  command.add_option("--constants", file, "a YAML file with the fitted constants of the Ensemble");
}

Result<FittedConstants> constantsIn(const std::string& file) {
  return file.empty() ? defaultConstants() : loadConstants(file);
}

}  // namespace slaq
