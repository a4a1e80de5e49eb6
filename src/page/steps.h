// One figure of a run over its epochs, stored as changes: most figures of most jobs stay the same from one
// epoch to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace slaq::page {

class Steps {
 public:
  struct Change {
    std::uint32_t epoch;          // counted from 0
    std::optional<double> value;  // from that epoch on; empty: not known

    bool operator==(const Change&) const = default;
  };

  // Sets the figure to this value from `epoch` on. REQUIRES: epochs do not go back; numbers are finite.
  void set(std::size_t epoch, std::optional<double> value);

  // Gives epoch i the number `places[i]`. Where several epochs get the same number, the last of them counts.
  // REQUIRES: there is a place for each epoch, and places do not go back.
  void renumber(std::span<const std::size_t> places);

  // The changes, in the order of their epochs.
  const std::vector<Change>& changes() const { return changes_; }

 private:
  std::vector<Change> changes_;
};

}  // namespace slaq::page
