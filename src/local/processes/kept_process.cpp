#include "local/processes/kept_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "local/cpu/cpu_time.h"
#include "local/processes/launch.h"
#include "local/system/files.h"

namespace slaq::local::processes {
namespace {

// The content of a record's file. It has its full size from the beginning, so that the end can be written
// even when the disk is full.
struct Record {
  enum class State : std::int32_t { Starting, Running, Ended };

  State state = State::Starting;
  std::int32_t process = 0;
  std::int32_t code = 0;  // while it runs: the keeper's process id, which is also its session
  std::int32_t signal = 0;
};

// Numbers of processes are used again after the machine has booted. The boot's id follows the record.
std::string bootId() { return system::readFile("/proc/sys/kernel/random/boot_id"); }

bool writeBootId(int file) {
  const std::string now = bootId();
  return ::pwrite(file, now.data(), now.size(), sizeof(Record)) == static_cast<ssize_t>(now.size());
}

bool isOfThisBoot(int file) {
  const std::string now = bootId();
  std::string then(now.size(), ' ');
  return ::pread(file, then.data(), then.size(), sizeof(Record)) == static_cast<ssize_t>(now.size()) &&
         then == now;
}

bool write(int file, const Record& record) {
  return ::pwrite(file, &record, sizeof record, 0) == sizeof record;
}

std::optional<Record> read(int file) {
  Record record;
  return ::pread(file, &record, sizeof record, 0) == sizeof record ? std::optional(record) : std::nullopt;
}

// Leaves the session of the program that started it, and closes all files but the record, which gets the
// number 3.
void detachKeeper(int record) {
  ::prctl(PR_SET_NAME, "slaq-keeper");
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(each, SIG_IGN);
  ::dup2(record, 3);
  if (::close_range(4, ~0u, 0) != 0) {
    for (int file = 4; file < kMostFiles; ++file) ::close(file);
  }
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int each : {0, 1, 2}) ::dup2(nothing, each);
  ::close(nothing);
}

[[noreturn]] void keep(const Launch& launch, int record) {
  ::setsid();
  const pid_t keeper = ::getpid();
  const pid_t program = ::fork();
  if (program == 0) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != keeper) ::_exit(127);
    launch.become();
  }
  if (program < 0 || !write(record, {Record::State::Running, program, keeper, 0})) ::_exit(127);
  detachKeeper(record);
  siginfo_t end{};
  while (::waitid(P_PID, static_cast<id_t>(program), &end, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  // Until the dead process is reaped, no other process can get its group's number.
  ::kill(-program, SIGKILL);
  const Exit exit = exitOf(end);
  write(3, {Record::State::Ended, program, exit.code, exit.signal});
  ::waitid(P_PID, static_cast<id_t>(program), &end, WEXITED);
  ::_exit(0);
}

// Kills the rest of a group whose keeper was killed. The session's number tells it apart from a later group
// with the same number.
void killSession(pid_t group, pid_t session) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const pid_t process = std::atoi(entry.path().filename().c_str());
    if (process > 0 && ::getpgid(process) == group && ::getsid(process) == session) ::kill(process, SIGKILL);
  }
}

}  // namespace

Result<std::unique_ptr<Process>> KeptProcess::start(const ProcessSpec& spec,
                                                    std::unique_ptr<cpu::CpuLimit> cpuLimit,
                                                    const std::filesystem::path& path,
                                                    const Watchdog& watchdog) {
  system::Descriptor locked(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!locked.isOpen() || ::flock(locked.number(), LOCK_EX | LOCK_NB) != 0 || !write(locked.number(), {}) ||
      !writeBootId(locked.number()))
    return system::systemFailure(ErrorKind::Transient, "write " + path.string());
  system::Descriptor record(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!record.isOpen()) return system::systemFailure(ErrorKind::Transient, "read " + path.string());
  auto launch = Launch::prepare(spec, *cpuLimit);
  if (!launch) return failure(launch.error());
  const pid_t keeper = ::fork();
  if (keeper == 0) keep(*launch, locked.number());
  if (keeper < 0) return system::systemFailure(ErrorKind::Transient, "start a process for " + spec.program);
  locked.close();
  const auto begun = launch->await();
  const auto made = read(record.number());
  if (!begun || !made || made->process <= 0) {
    if (!begun && retriable(begun.error().kind)) ::kill(keeper, SIGKILL);  // and with it the process
    ::waitpid(keeper, nullptr, 0);
    std::filesystem::remove(path);
    return begun ? failure(ErrorKind::Transient, "can't start a process for " + spec.program)
                 : failure(begun.error());
  }
  std::unique_ptr<KeptProcess> process(
      new KeptProcess(made->process, std::move(cpuLimit), std::move(record), keeper, watchdog));
  watchdog.watch(process->id());
  process->attachCpu();
  return process;
}

std::unique_ptr<Process> KeptProcess::adopt(const std::filesystem::path& path,
                                            std::unique_ptr<cpu::CpuLimit> cpuLimit,
                                            const Watchdog& watchdog) {
  system::Descriptor record(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  const auto made = record.isOpen() ? read(record.number()) : std::nullopt;
  if (!made || made->process <= 0) return nullptr;
  std::unique_ptr<KeptProcess> process(
      new KeptProcess(made->process, std::move(cpuLimit), std::move(record), 0, watchdog));
  if (!process->isKept()) return process;
  watchdog.watch(process->id());
  process->adoptCpu();
  return process;
}

KeptProcess::~KeptProcess() {
  if (exit_) return;
  kill();
  while (!poll()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

bool KeptProcess::isKept() const {
  if (::flock(record_.number(), LOCK_SH | LOCK_NB) != 0) return true;
  ::flock(record_.number(), LOCK_UN);
  return false;
}

void KeptProcess::terminate() {
  if (!poll()) ::kill(id(), SIGTERM);
}

void KeptProcess::kill() {
  if (!poll()) cpu::signalFamily(id(), SIGKILL);
}

std::optional<Exit> KeptProcess::poll() {
  if (exit_) return exit_;
  const bool kept = isKept();  // asked first, so that the record is read after the keeper's last write
  const auto record = read(record_.number());
  const bool ended = record && record->state == Record::State::Ended;
  if (!ended && kept) return std::nullopt;
  if (!ended && record && isOfThisBoot(record_.number())) killSession(record->process, record->code);
  watchdog_.forget(id());
  releaseCpu();
  if (keeper_ > 0) ::waitpid(keeper_, nullptr, 0);
  forgetCpu();
  exit_ = ended ? Exit{record->code, record->signal} : Exit{0, SIGKILL};
  return exit_;
}

}  // namespace slaq::local::processes
