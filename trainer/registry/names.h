// The names of a table's entries, for the messages that name what there is to choose from.
#pragma once

#include <string>

namespace slaq::trainer::registry {

// "a, b, c", in the order of the table.
template <class Table>
std::string namesIn(const Table& table) {
  std::string names;
  for (const auto& entry : table) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

}  // namespace slaq::trainer::registry
