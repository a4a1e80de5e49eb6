// The table of `slaq top`.
#pragma once

#include <string>
#include <vector>

#include "cli/terminal/grid.h"
#include "cli/top/top_rows.h"

namespace slaq::cli::top {

struct TopView {
  std::string ns;  // empty: all namespaces, and each row shows its own
  std::vector<TopRow> rows;
  std::string trouble;  // why these rows may be old; empty if they are current
};

// A line of totals, a heading, and one line for each job in the given order, within the frame. Where there is
// no room, the reason and the price are left out first; the name, the state, the workers and the loss never
// are.
std::string topTable(const TopView& view, const terminal::Frame& frame);

}  // namespace slaq::cli::top
