// A program that is started as it is, whose output can be read.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace slaq::report {

struct Program {
  pid_t process = 0;
  int output = -1;  // what it writes to standard output
  int errors = -1;  // and to standard error
};

// Its standard input is ours. Where our own output is a terminal it gets one too, of the same size. It is
// killed when we are. `before`: the signals that were blocked when we began. NotFound or Invalid if it can't
// be started.
Result<Program> startProgram(const std::vector<std::string>& command, const sigset_t& before);

// Gives the program's terminals the size of ours.
void copyWindowSize(const Program& program);

}  // namespace slaq::report
