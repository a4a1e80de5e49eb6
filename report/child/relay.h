// Stands between a program and the world while it runs: its output goes on as it is, and so do the signals
// that are meant for it.
#pragma once

#include <signal.h>

#include <chrono>
#include <functional>
#include <string_view>

#include "report/child/program.h"

namespace slaq::report {

// Blocks the signals that a relay passes on, which it then reads; those that were blocked before.
sigset_t blockSignals();

struct Listener {
  std::function<void(std::string_view)> output;  // bytes that the program wrote, after they went on
  std::function<void(std::string_view)> errors;
  std::function<void()> idle;  // every kIdle at least, whatever the program does
};

inline constexpr std::chrono::milliseconds kIdle{200};

// Returns the wait status of the program once it has ended. Output that its descendants write later is lost.
int relay(const Program& program, const Listener& listener);

// Ends this process as that one ended: with its exit code, or by its signal.
[[noreturn]] void endLike(int status);

}  // namespace slaq::report
