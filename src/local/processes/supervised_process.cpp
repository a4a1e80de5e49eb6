#include "local/processes/supervised_process.h"

#include <signal.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace slaq::local::processes {
namespace {

constexpr Seconds kFirstPause{0.5};
constexpr Seconds kLongestPause{10};

// A shell tells within this time that it can't execute its only command. A later exit code 127 is that of
// another command in it.
constexpr Seconds kLongestSearch{2};

}  // namespace

Seconds pauseAfter(int failures) {
  return std::min(kLongestPause, kFirstPause * std::exp2(std::max(0, failures - 1)));
}

void SupervisedProcess::reconcile(Seconds now) {
  reap(now);
  if (wanted_ && !process_) begin(now);
  if (!wanted_ && process_) end(now);
}

void SupervisedProcess::kill() {
  wanted_ = false;
  process_.reset();
  ending_ = false;
}

std::string SupervisedProcess::howItFailed() const {
  const bool isKilled = lastFailure() == toString(Exit{.code = 0, .signal = SIGKILL});
  return failures() == 0 || isKilled ? std::string() : "ended with " + lastFailure();
}

void SupervisedProcess::reap(Seconds now) {
  const auto exit = process_ ? process_->poll() : std::nullopt;
  if (!exit) return;
  usedBefore_ += process_->cpuUsed();
  history_.ended = process_->id();
  process_.reset();
  if (std::exchange(ending_, false)) return;
  if (exit->succeeded()) {
    history_.succeeded = true;
    return;
  }
  // After a long run, earlier failures no longer count.
  if (now - began_ > kLongestPause) history_.failuresInARow = 0;
  fail(now, toString(*exit));
  const bool isAtOnce = now - began_ <= kLongestSearch;
  if (exit->isOfNoCommand() && isAtOnce && needsCommand_ && needsCommand_())
    history_.impossible =
        "ended with " + toString(*exit) +
        (exit->code == 127 ? ": its command was not found" : ": its command can't be executed");
}

void SupervisedProcess::begin(Seconds now) {
  if (history_.succeeded || history_.impossible || now < nextTry_) return;
  if (retries_ && history_.failures > std::max(retries_(), failuresLetPass_)) return;
  auto process = start_();
  if (process) {
    process_ = std::move(*process);
    began_ = now;
  } else if (retriable(process.error().kind)) {
    // A temporary shortage of the machine is no failure of the program.
    nextTry_ = now + pauseAfter(++history_.failuresInARow);
    history_.lastFailure = process.error().message;
  } else {
    history_.impossible = process.error().message;
  }
}

void SupervisedProcess::end(Seconds now) {
  if (!std::exchange(ending_, true)) {
    process_->terminate();
    deadline_ = now + grace_;
  } else if (now >= deadline_) {
    process_->kill();
  }
}

void SupervisedProcess::fail(Seconds now, std::string how) {
  ++history_.failures;
  nextTry_ = now + pauseAfter(++history_.failuresInARow);
  history_.lastFailure = std::move(how);
}

}  // namespace slaq::local::processes
