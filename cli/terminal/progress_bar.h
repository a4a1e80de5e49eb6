// How far long work is, as a bar on a terminal that goes when the work is over; nothing elsewhere.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "cli/terminal/terminal.h"

namespace slaq::cli::terminal {

class ProgressBar {
 public:
  // `things` are counted: "traces".
  ProgressBar(std::size_t all, std::string things);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Draws only what is new.
  void show(std::size_t done);

 private:
  std::size_t all_;
  std::string things_;
  std::size_t shown_ = 0;
  std::unique_ptr<RedrawnText> place_;  // none where there is no terminal
};

}  // namespace slaq::cli::terminal
