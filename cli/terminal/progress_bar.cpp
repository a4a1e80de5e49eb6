#include "cli/terminal/progress_bar.h"

#include <utility>

namespace slaq::cli::terminal {

ProgressBar::ProgressBar(std::size_t all, std::string things) : all_(all), things_(std::move(things)) {
  if (isTerminal(stderr)) place_ = std::make_unique<RedrawnText>(stderr);
}

ProgressBar::~ProgressBar() {
  if (place_) place_->show("");
}

void ProgressBar::show(std::size_t done) {
  if (!place_ || done == shown_) return;
  shown_ = done;
  const double share = static_cast<double>(done) / static_cast<double>(all_);
  place_->show(bar(share, 30, frameOf(stderr).style) + " " + std::to_string(done) + " of " +
               std::to_string(all_) + " " + things_ + "\n");
}

}  // namespace slaq::cli::terminal
