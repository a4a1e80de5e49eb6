#include "local/processes/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

#include "local/system/files.h"

namespace slaq::local::processes {
namespace {

enum class Step { LimitCpu, Directory, Execute };

// Sent by a new process that can't become the program.
struct Refusal {
  Step step = Step::LimitCpu;
  int error = 0;
};

// All that the new process needs, prepared before the fork: after it only system calls are safe.
struct Launch {
  const ProcessSpec& spec;
  const Watchdog& watchdog;
  std::vector<char*> arguments;
  std::vector<char*> environment;
  pid_t parent = ::getpid();
  int entry = -1;
  const cpu_set_t* cpus = nullptr;
  int log = -1;
  int nothing = -1;
  int complaints = -1;
};

std::vector<char*> pointersTo(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const auto& each : texts) pointers.push_back(const_cast<char*>(each.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void complain(const Launch& launch, Step step) {
  const Refusal refusal{step, errno};
  (void)!::write(launch.complaints, &refusal, sizeof refusal);
  ::_exit(127);
}

void resetSignals() {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int each : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(each, SIG_DFL);
}

// Runs in the new process.
[[noreturn]] void become(const Launch& launch) {
  ::setpgid(0, 0);
  launch.watchdog.watch(::getpid());
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != launch.parent) ::_exit(127);  // the parent ended before the line above
  if (launch.entry >= 0 && ::write(launch.entry, "0", 1) != 1) complain(launch, Step::LimitCpu);
  if (launch.cpus && ::sched_setaffinity(0, sizeof *launch.cpus, launch.cpus) != 0)
    complain(launch, Step::LimitCpu);
  const char* directory = launch.spec.workingDirectory.c_str();
  if (*directory != '\0' && ::chdir(directory) != 0) complain(launch, Step::Directory);
  ::dup2(launch.nothing, 0);
  ::dup2(launch.log, 1);
  ::dup2(launch.log, 2);
  resetSignals();
  ::execve(launch.spec.program.c_str(), launch.arguments.data(), launch.environment.data());
  complain(launch, Step::Execute);
}

tl::unexpected<Error> describe(const Refusal& refusal, const ProcessSpec& spec) {
  errno = refusal.error;
  switch (refusal.step) {
    case Step::LimitCpu:
      return system::systemFailure(ErrorKind::Transient, "hold " + spec.program + " to its CPU limit");
    case Step::Directory:
      return system::systemFailure(ErrorKind::Invalid,
                                   "change to the working directory " + spec.workingDirectory);
    case Step::Execute:
      break;
  }
  return system::systemFailure(ErrorKind::Invalid, "execute " + spec.program);
}

// Waits until the new process has become the program (which closes the pipe) or says why it can't.
std::optional<Refusal> awaitProgram(int complaints) {
  Refusal refusal;
  ssize_t size = 0;
  do {
    size = ::read(complaints, &refusal, sizeof refusal);
  } while (size < 0 && errno == EINTR);
  return size == sizeof refusal ? std::optional(refusal) : std::nullopt;
}

Exit exitOf(const siginfo_t& end) {
  return end.si_code == CLD_EXITED ? Exit{end.si_status, 0} : Exit{0, end.si_status};
}

}  // namespace

std::string toString(const Exit& exit) {
  if (exit.signal == 0) return "exit code " + std::to_string(exit.code);
  return "signal " + std::to_string(exit.signal) + " (" + ::strsignal(exit.signal) + ")";
}

Result<std::unique_ptr<Process>> Process::start(const ProcessSpec& spec,
                                                std::unique_ptr<cpu::CpuLimit> cpuLimit,
                                                const Watchdog& watchdog) {
  const system::Descriptor log(::open(spec.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!log.isOpen()) return system::systemFailure(ErrorKind::Invalid, "write the log " + spec.log.string());
  const system::Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return system::systemFailure(ErrorKind::Transient, "make a pipe");
  const system::Descriptor complaints(ends[0]);
  system::Descriptor theirs(ends[1]);
  Launch launch{.spec = spec,
                .watchdog = watchdog,
                .arguments = pointersTo(spec.arguments),
                .environment = pointersTo(spec.environment)};
  launch.entry = cpuLimit->entry();
  launch.cpus = cpuLimit->cpus();
  launch.log = log.number();
  launch.nothing = nothing.number();
  launch.complaints = theirs.number();
  const pid_t child = ::fork();
  if (child == 0) become(launch);
  if (child < 0) return system::systemFailure(ErrorKind::Transient, "start a process for " + spec.program);
  std::unique_ptr<Process> process(new Process(child, std::move(cpuLimit), watchdog));
  theirs.close();
  if (const auto refusal = awaitProgram(complaints.number())) return describe(*refusal, spec);
  process->cpuLimit_->attach(child);
  return process;
}

Process::~Process() {
  if (exit_) return;
  ::kill(-id_, SIGKILL);
  ::kill(id_, SIGKILL);
  reap(true);
}

void Process::terminate() const {
  if (!exit_) ::kill(id_, SIGTERM);
}

void Process::kill() const {
  if (!exit_) ::kill(-id_, SIGKILL);
}

Result<void> Process::change(const cpu::CpuResources& resources) {
  return cpuLimit_ ? cpuLimit_->change(resources) : Result<void>();
}

std::optional<Exit> Process::poll() {
  if (!exit_) reap(false);
  return exit_;
}

void Process::reap(bool wait) {
  siginfo_t end{};
  const int how = WEXITED | WNOWAIT | (wait ? 0 : WNOHANG);
  while (::waitid(P_PID, static_cast<id_t>(id_), &end, how) != 0) {
    if (errno != EINTR) return;
  }
  if (end.si_pid == 0) return;
  // Until the dead process is reaped, no other process can get its group's number.
  ::kill(-id_, SIGKILL);
  cpuLimit_->release();
  watchdog_.forget(id_);
  ::waitid(P_PID, static_cast<id_t>(id_), &end, WEXITED);
  exit_ = exitOf(end);
  cpuUsed_ = cpuLimit_->used();
  cpuLimit_.reset();
}

}  // namespace slaq::local::processes
