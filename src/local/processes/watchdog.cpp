#include "local/processes/watchdog.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <set>

#include "local/cpu/cgroup_removal.h"
#include "local/cpu/cpu_time.h"

namespace slaq::local::processes {
namespace {

struct Message {
  bool watch = false;
  pid_t group = 0;
};

void send(int line, Message message) { (void)::send(line, &message, sizeof message, MSG_NOSIGNAL); }

// Starts a session of its own, so that neither Ctrl-C nor the end of the terminal reaches it, and closes all
// files that it inherited.
void detach(int line) {
  ::setsid();
  ::prctl(PR_SET_NAME, "slaq-guard");
  for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::signal(each, SIG_IGN);
  ::dup2(line, 3);
  ::close_range(4, ~0u, 0);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int each : {0, 1, 2}) ::dup2(nothing, each);
  ::close(nothing);
}

// Reads messages until the other end is closed, and returns the groups that are still on the list.
std::set<pid_t> readList(int line) {
  std::set<pid_t> groups;
  while (true) {
    Message message;
    const auto size = ::recv(line, &message, sizeof message, 0);
    if (size < 0 && errno == EINTR) continue;
    if (size != sizeof message) return groups;
    if (message.watch) groups.insert(message.group);
    if (!message.watch) groups.erase(message.group);
  }
}

[[noreturn]] void runWatchdog(int line, const WatchedDirectories& directories, int signal) {
  detach(line);
  for (const auto leader : readList(3)) cpu::signalFamily(leader, signal);
  for (const auto& each : directories.cgroups)
    signal == SIGKILL ? cpu::removeCgroup(each) : cpu::sweepCgroup(each);
  std::error_code ignored;
  for (const auto& each : directories.files) std::filesystem::remove_all(each, ignored);
  ::_exit(0);
}

}  // namespace

Result<std::unique_ptr<Watchdog>> Watchdog::start(const WatchedDirectories& directories, int signal) {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return system::systemFailure(ErrorKind::Transient, "make a socket pair");
  }
  system::Descriptor ours(ends[0]);
  system::Descriptor theirs(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) return system::systemFailure(ErrorKind::Transient, "start the watchdog process");
  if (child == 0) {
    ours.close();
    runWatchdog(theirs.number(), directories, signal);
  }
  return std::unique_ptr<Watchdog>(new Watchdog(std::move(ours), child));
}

Watchdog::~Watchdog() {
  line_.close();
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
}

void Watchdog::watch(pid_t group) const { send(line_.number(), {true, group}); }

void Watchdog::forget(pid_t group) const { send(line_.number(), {false, group}); }

}  // namespace slaq::local::processes
