#include "cli/flags/constants_option.h"

namespace slaq::cli::flags {

void addConstantsOption(CLI::App& command, std::string& file) {
  command.add_option("--constants", file, "a YAML file with the fitted constants of the Ensemble");
}

Result<forecast::FittedConstants> constantsIn(const std::string& file) {
  return file.empty() ? forecast::defaultConstants() : simulate::loadConstants(file);
}

}  // namespace slaq::cli::flags
