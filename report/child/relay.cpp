#include "report/child/relay.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace slaq::report {
namespace {

constexpr int kReadsAtOnce = 16;
// The relay waits this long before it reads again, so that it reads several lines at once. People do not
// notice the delay. With a thousand lines a second slaq-report takes 0.8% of a core instead of 2.1%.
constexpr std::chrono::milliseconds kGathering{20};
// After more bytes than this the relay does not wait: the pipe of 64 KiB might fill, and the program would
// block.
constexpr std::size_t kFew = 8u << 10;
constexpr std::array kPassedOn = {SIGTERM, SIGINT,  SIGHUP,  SIGQUIT, SIGUSR1,
                                  SIGUSR2, SIGALRM, SIGCONT, SIGTSTP};
constexpr std::array kEnding = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};

class Relay {
 public:
  Relay(const Program& program, const Listener& listener)
      : program_(program),
        listener_(listener),
        signals_(::signalfd(-1, &mask(), SFD_CLOEXEC | SFD_NONBLOCK)) {
    for (const int end : {program.output, program.errors}) ::fcntl(end, F_SETFL, O_NONBLOCK);
  }
  ~Relay() {
    for (const int end : {program_.output, program_.errors, signals_}) {
      if (end >= 0) ::close(end);
    }
  }
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  int run() {
    while (!hasEnded_) step();
    pass();  // the last output
    if (ending_ != 0 && ::getpgrp() == ::getpid()) endOthers();
    return status_;
  }

  static const sigset_t& mask() {
    static const sigset_t signals = [] {
      sigset_t set;
      ::sigemptyset(&set);
      for (const int signal : kPassedOn) ::sigaddset(&set, signal);
      ::sigaddset(&set, SIGCHLD);
      ::sigaddset(&set, SIGWINCH);
      return set;
    }();
    return signals;
  }

 private:
  void step() {
    wait();
    pass();
    listener_.idle();
    if (passed_ > 0 && passed_ < kFew) gather();
  }

  // A shell that a signal ends leaves the programs that it has started, such as the others of a pipeline. If
  // they still hold the output, they get the signal too. slaq-report then waits for them. It stops waiting
  // when another signal comes. slaq starts slaq-report as the leader of its process group.
  void endOthers() {
    const auto isHeld = [&] { return program_.output >= 0 || program_.errors >= 0; };
    if (isHeld()) ::kill(0, std::exchange(ending_, 0));
    while (isHeld() && ending_ == 0) step();
  }

  // A closed file has the number -1, which poll ignores.
  void wait() {
    std::array<pollfd, 3> ends{
        {{program_.output, POLLIN, 0}, {program_.errors, POLLIN, 0}, {signals_, POLLIN, 0}}};
    ::poll(ends.data(), ends.size(), static_cast<int>(kIdle.count()));
    if (ends[2].revents != 0) takeSignals();
    hasOutput_ = ends[0].revents != 0;
    hasErrors_ = ends[1].revents != 0;
  }

  // Waits for more lines: to wake up for each of a thousand lines a second costs more than to read them.
  void gather() {
    pollfd signals{signals_, POLLIN, 0};
    ::poll(&signals, 1, static_cast<int>(kGathering.count()));
    if (signals.revents != 0) takeSignals();
  }

  void pass() {
    passed_ = 0;
    if (hasOutput_ || hasEnded_) passOne(program_.output, STDOUT_FILENO, listener_.output);
    if (hasErrors_ || hasEnded_) passOne(program_.errors, STDERR_FILENO, listener_.errors);
  }

  // Reads the available bytes. It stops after some reads, so that signals and files are handled too.
  void passOne(int& from, int to, const std::function<void(std::string_view)>& tell) {
    for (int reads = 0; from >= 0 && (hasEnded_ || reads < kReadsAtOnce); ++reads) {
      const auto count = ::read(from, buffer_.data(), buffer_.size());
      if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
      const std::string_view bytes(buffer_.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
      // A terminal whose other end is closed gives an error instead of an end of file.
      if (bytes.empty() || !writeAll(to, bytes)) {
        ::close(from);  // so that the program learns that its reader is gone
        from = -1;
      }
      if (!bytes.empty()) tell(bytes);
      passed_ += bytes.size();
      if (bytes.size() < buffer_.size() && !hasEnded_) return;  // poll reports further bytes
    }
  }

  // Handles signals even while no process reads slaq-report's output. When poll reports the output as
  // writable, PIPE_BUF bytes can be written without blocking.
  bool writeAll(int to, std::string_view bytes) {
    while (!bytes.empty()) {
      std::array<pollfd, 2> ends{{{to, POLLOUT, 0}, {signals_, POLLIN, 0}}};
      ::poll(ends.data(), ends.size(), -1);
      if (ends[1].revents != 0) takeSignals();
      if (hasEnded_ && isToEnd_ && ends[0].revents == 0) return false;  // the rest is given up
      if (ends[0].revents == 0) continue;
      const auto count = ::write(to, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
      if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      // The text is lost, but the program goes on.
      if (count < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) return true;
      if (count < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  void takeSignals() {
    signalfd_siginfo info;
    while (::read(signals_, &info, sizeof info) == sizeof info) {
      const int signal = static_cast<int>(info.ssi_signo);
      if (signal == SIGCHLD) {
        reap();
      } else if (signal == SIGWINCH) {
        copyWindowSize(program_);
      } else if (info.ssi_pid != static_cast<std::uint32_t>(::getpid())) {  // not that of endOthers()
        passOn(signal, info.ssi_code == SI_KERNEL);
      }
    }
  }

  // The terminal itself sends its signals to all of its processes.
  void passOn(int signal, bool isOfTerminal) {
    if (!isOfTerminal && !hasEnded_) ::kill(program_.process, signal);
    if (signal == SIGTSTP) ::raise(SIGSTOP);  // stops as the program does; the shell continues both
    isToEnd_ = isToEnd_ || (signal != SIGTSTP && signal != SIGCONT);
    if (!isOfTerminal && std::ranges::find(kEnding, signal) != kEnding.end()) ending_ = signal;
  }

  // As the first process of a container, slaq-report gets children that it did not start.
  void reap() {
    int status = 0;
    for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      if (ended != program_.process) continue;
      hasEnded_ = true;
      status_ = status;
    }
  }

  Program program_;
  const Listener& listener_;
  const int signals_;
  std::array<char, 64 << 10> buffer_;
  std::size_t passed_ = 0;  // bytes since poll last reported some
  bool hasOutput_ = false;
  bool hasErrors_ = false;
  bool hasEnded_ = false;
  bool isToEnd_ = false;  // a signal came that ends programs
  int ending_ = 0;        // the last signal by which another process asks for the end
  int status_ = 0;
};

}  // namespace

sigset_t blockSignals() {
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &Relay::mask(), &before);
  ::signal(SIGPIPE, SIG_IGN);
  return before;
}

int relay(const Program& program, const Listener& listener) { return Relay(program, listener).run(); }

void endLike(int status) {
  if (!WIFSIGNALED(status)) ::_exit(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  const rlimit noCore{0, 0};  // the program has written its own core dump
  ::setrlimit(RLIMIT_CORE, &noCore);
  ::signal(signal, SIG_DFL);
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, signal);
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);  // a signal does not end the first process of a container
}

}  // namespace slaq::report
