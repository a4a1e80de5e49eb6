// Connects a program with the outside while it runs: passes its output on unchanged, and passes to it the
// signals that are meant for it.
#pragma once

#include <signal.h>

#include <chrono>
#include <functional>
#include <string_view>

#include "report/child/program.h"

namespace slaq::report {

// Blocks the signals that a relay reads and passes on. Returns the signals that were blocked before.
sigset_t blockSignals();

struct Listener {
  std::function<void(std::string_view)> output;  // gets the program's output after it was passed on
  std::function<void(std::string_view)> errors;
  std::function<void()> idle;  // called at least every kIdle, whatever the program does
};

inline constexpr std::chrono::milliseconds kIdle{200};

// Returns the wait status of the program once it has ended. Output that its descendants write later is lost.
int relay(const Program& program, const Listener& listener);

// Ends this process in the same way: with that exit code, or by that signal.
[[noreturn]] void endLike(int status);

}  // namespace slaq::report
