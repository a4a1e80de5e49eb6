// Supervises one process of a job, such as worker 3. The process is wanted or not, and reconcile() starts or
// ends it. A process that fails is started again after a growing pause; one that succeeded is not.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/result.h"
#include "base/units.h"
#include "local/processes/job_goals.h"
#include "local/processes/process.h"

namespace slaq::local::processes {

// The pause before the next start after `failures` failures in a row: 0.5 s, doubling up to 10 s.
Seconds pauseAfter(int failures);

class SupervisedProcess {
 public:
  using Start = std::function<Result<std::unique_ptr<Process>>()>;

  // `grace` is the time from SIGTERM to SIGKILL.
  // While `needsCommand` is true, an end by which a shell tells that there is no command is final. Otherwise
  // the process is started again after it, as after each failure. If it failed more often than `retries`, it
  // is started again only after the look that follows the one that saw the failure.
  SupervisedProcess(Start start, Seconds grace, std::function<bool()> needsCommand = {},
                    std::function<int()> retries = {})
      : start_(std::move(start)),
        grace_(grace),
        needsCommand_(std::move(needsCommand)),
        retries_(std::move(retries)) {}

  // Goes on from another supervisor's history, with the process that it left, if there is one.
  void resume(ProcessHistory history, std::unique_ptr<Process> process) {
    history_ = std::move(history);
    process_ = std::move(process);
  }

  void want(bool wanted) { wanted_ = wanted; }
  // An epoch looks at the process. It wants no more of it, or lets it go on, before the next look.
  void noteLook() { failuresLetPass_ = std::exchange(failuresSeen_, history_.failures); }
  // Reaps, starts or ends the process. `now` is monotonic.
  void reconcile(Seconds now);
  // Changes the process' CPU resources, if there is one.
  Result<void> change(const cpu::CpuResources& resources) {
    return process_ ? process_->change(resources) : Result<void>();
  }
  // Ends the process without grace. Nothing is started until reconcile() is called again.
  void kill();

  bool active() const { return process_ != nullptr && !ending_; }
  bool terminating() const { return process_ != nullptr && ending_; }
  const ProcessHistory& history() const { return history_; }
  bool succeeded() const { return history_.succeeded; }
  int failures() const { return history_.failures; }
  // The reason why the program can't be executed at all.
  const std::optional<std::string>& impossible() const { return history_.impossible; }
  // How it failed last: "ended with exit code 3". Empty if it never did, or if the system or a user killed
  // it.
  std::string howItFailed() const;
  // How it failed last: "exit code 3".
  const std::string& lastFailure() const { return history_.lastFailure; }
  // The CPU time of all its processes so far.
  Seconds cpuUsed() const { return usedBefore_ + (process_ ? process_->cpuUsed() : Seconds(0)); }
  std::optional<pid_t> process() const { return process_ ? std::optional(process_->id()) : std::nullopt; }

 private:
  void reap(Seconds now);
  void begin(Seconds now);
  void end(Seconds now);
  void fail(Seconds now, std::string how);

  Start start_;
  Seconds grace_;
  std::function<bool()> needsCommand_;
  std::function<int()> retries_;
  bool wanted_ = false;
  std::unique_ptr<Process> process_;
  bool ending_ = false;  // SIGTERM was sent
  Seconds deadline_{0};  // while ending: when to send SIGKILL
  Seconds began_{0};
  Seconds nextTry_{0};
  Seconds usedBefore_{0};  // by earlier processes
  ProcessHistory history_;
  int failuresSeen_ = 0;     // at the newest look
  int failuresLetPass_ = 0;  // at the look before that one
};

}  // namespace slaq::local::processes
