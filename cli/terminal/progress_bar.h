// The progress of long work, as a bar on a terminal that disappears when the work is over; nothing elsewhere.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "cli/terminal/terminal.h"

namespace slaq::cli::terminal {

class ProgressBar {
 public:
  // `things` names what is counted: "traces".
  ProgressBar(std::size_t all, std::string things);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Draws only if something has changed.
  void show(std::size_t done);

 private:
  std::size_t all_;
  std::string things_;
  std::size_t shown_ = 0;
  std::unique_ptr<RedrawnText> place_;  // null without a terminal
};

}  // namespace slaq::cli::terminal
