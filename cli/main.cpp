// slaq: the command for people. Each subcommand is a file of its own beside this one.
#include "base/end_process.h"
#include "cli/commands/commands.h"

int main(int argc, char** argv) { slaq::endProcess(slaq::cli::commands::runCommandLine(argc, argv)); }
