#include "local/processes/launch.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "local/system/open_files.h"

namespace slaq::local::processes {
namespace {

// The most time from the fork to the program. Another user may stop the new process, or give it a directory
// that never answers.
constexpr int kLongestStartMillis = 5000;

std::vector<char*> pointersTo(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const auto& each : texts) pointers.push_back(const_cast<char*>(each.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

void resetSignals() {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int each : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(each, SIG_DFL);
}

// The new program, above all one of another user, must not inherit the files that this program was started
// with.
void closeOnExec(int first) {
  if (::close_range(static_cast<unsigned>(first), ~0u, CLOSE_RANGE_CLOEXEC) == 0) return;
  for (int file = first; file < kMostFiles; ++file) ::fcntl(file, F_SETFD, FD_CLOEXEC);
}

// Makes the directory of the log again if somebody has removed it.
int openLog(const ProcessSpec& spec) {
  const auto open = [&] {
    return ::open(spec.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, spec.logMode);
  };
  const int log = open();
  if (log >= 0 || errno != ENOENT) return log;
  std::error_code ignored;
  std::filesystem::create_directories(spec.log.parent_path(), ignored);
  return open();
}

// True if the machine lacks something at the moment, so that a later attempt may succeed.
bool isShortage(int error) {
  for (const int each : {ENOSPC, EDQUOT, EMFILE, ENFILE, ENOMEM, EIO}) {
    if (error == each) return true;
  }
  return false;
}

}  // namespace

// The message of a new process that can't become the program.
struct Launch::Refusal {
  Step step = Step::LimitCpu;
  int error = 0;
};

Launch::Launch(const ProcessSpec& spec, const cpu::CpuLimit& cpuLimit)
    : spec_(spec),
      cpuLimit_(cpuLimit),
      arguments_(pointersTo(spec.arguments)),
      environment_(pointersTo(spec.environment)),
      log_(openLog(spec)),
      nothing_(::open("/dev/null", O_RDONLY | O_CLOEXEC)) {}

Result<Launch> Launch::prepare(const ProcessSpec& spec, const cpu::CpuLimit& cpuLimit) {
  Launch launch(spec, cpuLimit);
  const bool isOwned = !spec.owner || !launch.log_.isOpen() ||
                       ::fchown(launch.log_.number(), spec.owner->user, spec.owner->group) == 0;
  if (!launch.log_.isOpen() || !isOwned)
    return system::systemFailure(isShortage(errno) ? ErrorKind::Transient : ErrorKind::Invalid,
                                 "write the log " + spec.log.string());
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return system::systemFailure(ErrorKind::Transient, "make a pipe");
  launch.told_ = system::Descriptor(ends[0]);
  launch.complaints_ = system::Descriptor(ends[1]);
  return launch;
}

void Launch::complain(Step step) const {
  const Refusal refusal{step, errno};
  (void)!::write(complaints_.number(), &refusal, sizeof refusal);
  ::_exit(127);
}

bool Launch::takeOnOwner() const {
  const Owner& owner = *spec_.owner;
  return ::setgroups(owner.groups.size(), owner.groups.data()) == 0 &&
         ::setresgid(owner.group, owner.group, owner.group) == 0 &&
         ::setresuid(owner.user, owner.user, owner.user) == 0 &&
         ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;  // a change of the user resets it
}

void Launch::become() const {
  if (const int entry = cpuLimit_.entry(); entry >= 0 && ::write(entry, "0", 1) != 1)
    complain(Step::LimitCpu);
  if (const auto* cpus = cpuLimit_.cpus(); cpus && ::sched_setaffinity(0, sizeof *cpus, cpus) != 0)
    complain(Step::LimitCpu);
  if (spec_.owner && !takeOnOwner()) complain(Step::Owner);
  const char* directory = spec_.workingDirectory.c_str();
  if (*directory != '\0' && ::chdir(directory) != 0) complain(Step::Directory);
  ::dup2(nothing_.number(), 0);
  ::dup2(log_.number(), 1);
  ::dup2(log_.number(), 2);
  resetSignals();
  system::restoreOpenFiles();
  closeOnExec(3);
  ::execve(spec_.program.c_str(), arguments_.data(), environment_.data());
  complain(Step::Execute);
}

Error Launch::errorOf(const Refusal& refusal) const {
  errno = refusal.error;
  switch (refusal.step) {
    case Step::LimitCpu:
      return system::systemFailure(ErrorKind::Transient, "hold " + spec_.program + " to its CPU limit")
          .value();
    case Step::Owner:
      return system::systemFailure(ErrorKind::Invalid, "run " + spec_.program + " as " + spec_.owner->name)
          .value();
    case Step::Directory:
      return system::systemFailure(ErrorKind::Invalid,
                                   "change to the working directory " + spec_.workingDirectory)
          .value();
    case Step::Execute:
      break;
  }
  return system::systemFailure(ErrorKind::Invalid, "execute " + spec_.program).value();
}

Result<void> Launch::await() {
  complaints_.close();
  pollfd ready{told_.number(), POLLIN, 0};
  if (::poll(&ready, 1, kLongestStartMillis) == 0)
    return failure(ErrorKind::Transient,
                   spec_.program + " has not started within " + std::to_string(kLongestStartMillis / 1000) +
                       " s; its working directory may be on a disk that does not answer");
  Refusal refusal;
  ssize_t size = 0;
  do {
    size = ::read(told_.number(), &refusal, sizeof refusal);
  } while (size < 0 && errno == EINTR);
  return size == sizeof refusal ? failure(errorOf(refusal)) : Result<void>();
}

}  // namespace slaq::local::processes
