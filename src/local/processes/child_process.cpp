#include "local/processes/child_process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>

#include "local/cpu/cpu_time.h"
#include "local/processes/launch.h"

namespace slaq::local::processes {

Result<std::unique_ptr<Process>> ChildProcess::start(const ProcessSpec& spec,
                                                     std::unique_ptr<cpu::CpuLimit> cpuLimit,
                                                     const Watchdog& watchdog) {
  auto launch = Launch::prepare(spec, *cpuLimit);
  if (!launch) return failure(launch.error());
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    ::setpgid(0, 0);
    watchdog.watch(::getpid());
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);  // the parent ended before the line above
    launch->become();
  }
  if (child < 0) return system::systemFailure(ErrorKind::Transient, "start a process for " + spec.program);
  std::unique_ptr<ChildProcess> process(new ChildProcess(child, std::move(cpuLimit), watchdog));
  if (const auto begun = launch->await(); !begun) return failure(begun.error());  // its destructor kills it
  process->attachCpu();
  return process;
}

ChildProcess::~ChildProcess() {
  if (exit_) return;
  cpu::signalFamily(id(), SIGKILL);
  ::kill(id(), SIGKILL);
  reap(true);
}

void ChildProcess::terminate() {
  if (!exit_) ::kill(id(), SIGTERM);
}

void ChildProcess::kill() {
  if (!exit_) cpu::signalFamily(id(), SIGKILL);
}

std::optional<Exit> ChildProcess::poll() {
  if (!exit_) reap(false);
  return exit_;
}

void ChildProcess::reap(bool wait) {
  siginfo_t end{};
  const int how = WEXITED | WNOWAIT | (wait ? 0 : WNOHANG);
  while (::waitid(P_PID, static_cast<id_t>(id()), &end, how) != 0) {
    if (errno != EINTR) return;
  }
  if (end.si_pid == 0) return;
  // Until the dead process is reaped, no other process can get its group's number.
  ::kill(-id(), SIGKILL);
  releaseCpu();
  watchdog_.forget(id());
  ::waitid(P_PID, static_cast<id_t>(id()), &end, WEXITED);
  exit_ = exitOf(end);
  forgetCpu();
}

}  // namespace slaq::local::processes
