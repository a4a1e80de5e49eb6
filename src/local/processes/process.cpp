#include "local/processes/process.h"

#include <signal.h>
#include <sys/wait.h>

#include <cstring>

namespace slaq::local::processes {

std::string toString(const Exit& exit) {
  if (exit.signal == 0) return "exit code " + std::to_string(exit.code);
  return "signal " + std::to_string(exit.signal) + " (" + ::strsignal(exit.signal) + ")";
}

Exit exitOf(const siginfo_t& end) {
  return end.si_code == CLD_EXITED ? Exit{end.si_status, 0} : Exit{0, end.si_status};
}

}  // namespace slaq::local::processes
