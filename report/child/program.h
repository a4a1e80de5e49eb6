// A program that is started without changes, and whose output slaq-report can read.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace slaq::report {

struct Program {
  pid_t process = 0;
  int output = -1;  // reads its standard output
  int errors = -1;  // reads its standard error
};

// The program gets slaq-report's standard input, and a terminal of the same size where slaq-report's own
// output is a terminal. It is killed when slaq-report is. `before`: the signals that were blocked when
// slaq-report began. NotFound or Invalid if it can't be started.
Result<Program> startProgram(const std::vector<std::string>& command, const sigset_t& before);

// Gives the program's terminals the size of slaq-report's terminal.
void copyWindowSize(const Program& program);

}  // namespace slaq::report
