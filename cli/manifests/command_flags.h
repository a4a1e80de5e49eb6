// The flags that describe a command's job as a manifest would.
#pragma once

#include "cli/manifests/command_jobs.h"

namespace CLI {
class App;
}

namespace slaq::cli::manifests {

// `defaults` outlives the command.
void addCommandFlags(CLI::App& command, CommandDefaults& defaults);

}  // namespace slaq::cli::manifests
