// slaq: the command for people. Each subcommand has a folder of its own.
#include "base/process/end_process.h"
#include "cli/commands/commands.h"

int main(int argc, char** argv) { slaq::endProcess(slaq::cli::commands::runCommandLine(argc, argv)); }
