// slaq: the command for people. Each subcommand is a file of its own beside this one.
#include "cli/commands.h"

int main(int argc, char** argv) { return slaq::runCommandLine(argc, argv); }
