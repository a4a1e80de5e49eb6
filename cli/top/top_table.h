// The table of `slaq top`.
#pragma once

#include <string>
#include <vector>

#include "cli/terminal/grid.h"
#include "cli/top/top_rows.h"

namespace slaq::cli::top {

struct TopView {
  std::string ns;  // empty: all namespaces, each job with its own
  std::vector<TopRow> rows;
  std::string trouble;  // why these rows may be old; empty: they are not
};

// A line of totals, a heading, and one line for each job in the given order, within the frame. What has no
// room is left out: the reason and the price first, the name, the state, the workers and the loss never.
std::string topTable(const TopView& view, const terminal::Frame& frame);

}  // namespace slaq::cli::top
