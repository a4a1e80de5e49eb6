#include "report/child/program.h"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace slaq::report {
namespace {

// The two ends of the pipe or terminal that replaces standard output or standard error.
struct Stream {
  int read = -1;
  int write = -1;
};

// Opens a terminal that changes no byte: the output goes on to slaq-report's own terminal, which interprets
// it.
Stream terminalLike(int ours) {
  winsize size{};
  ::ioctl(ours, TIOCGWINSZ, &size);
  termios raw{};
  ::cfmakeraw(&raw);
  Stream stream;
  if (::openpty(&stream.read, &stream.write, nullptr, &raw, &size) != 0) return {};
  ::fcntl(stream.read, F_SETFD, FD_CLOEXEC);
  return stream;
}

Stream streamFor(int ours) {
  if (::isatty(ours) != 0) {
    const Stream terminal = terminalLike(ours);
    if (terminal.read >= 0) return terminal;
  }
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  return {ends[0], ends[1]};
}

std::vector<char*> argumentsOf(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const auto& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  return arguments;
}

// Runs in the new process. If the program can't be executed, this writes errno to the pipe `problem`.
[[noreturn]] void become(const std::vector<char*>& arguments, const Stream& out, const Stream& err,
                         int problem, const sigset_t& before, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // the parent ended before that
  ::dup2(out.write, STDOUT_FILENO);
  ::dup2(err.write, STDERR_FILENO);
  ::signal(SIGPIPE, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  ::execvp(arguments.front(), arguments.data());
  const int reason = errno;
  const auto written = ::write(problem, &reason, sizeof reason);
  ::_exit(written > 0 ? 127 : 126);
}

}  // namespace

Result<Program> startProgram(const std::vector<std::string>& command, const sigset_t& before) {
  const Stream out = streamFor(STDOUT_FILENO);
  const Stream err = streamFor(STDERR_FILENO);
  std::array<int, 2> problem{-1, -1};
  if (out.read < 0 || err.read < 0 || ::pipe2(problem.data(), O_CLOEXEC) != 0)
    return failure(ErrorKind::Transient, std::string("a pipe can't be made: ") + std::strerror(errno));
  const auto arguments = argumentsOf(command);
  // Python buffers its lines for long when it writes to a pipe.
  ::setenv("PYTHONUNBUFFERED", "1", 0);
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0)
    return failure(ErrorKind::Transient, std::string("a process can't be made: ") + std::strerror(errno));
  if (process == 0) become(arguments, out, err, problem[1], before, parent);
  for (const int end : {out.write, err.write, problem[1]}) ::close(end);
  int reason = 0;
  const bool failed = ::read(problem[0], &reason, sizeof reason) == sizeof reason;
  ::close(problem[0]);
  if (failed)
    return failure(reason == ENOENT                        ? ErrorKind::NotFound
                   : reason == EACCES || reason == ENOEXEC ? ErrorKind::Invalid
                                                           : ErrorKind::Transient,
                   command.front() + " can't be run: " + std::strerror(reason));
  return Program{process, out.read, err.read};
}

void copyWindowSize(const Program& program) {
  for (const auto& [ours, its] :
       {std::pair(STDOUT_FILENO, program.output), {STDERR_FILENO, program.errors}}) {
    winsize size{};
    if (::isatty(ours) != 0 && ::ioctl(ours, TIOCGWINSZ, &size) == 0) ::ioctl(its, TIOCSWINSZ, &size);
  }
}

}  // namespace slaq::report
