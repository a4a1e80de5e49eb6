// One figure of a run over its epochs, kept by its changes: most figures of most jobs stay as they are from
// one epoch to the next.
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

  // The figure has that value from `epoch` on. REQUIRES: epochs do not go back; numbers are finite.
  void set(std::size_t epoch, std::optional<double> value);

  // Numbers the epochs anew: that of number i is number `places[i]` from now on. Of several that get the same
  // number the last one counts. REQUIRES: places do not go back, and there is one for each epoch.
  void renumber(std::span<const std::size_t> places);

  // The changes, in the order of their epochs.
  const std::vector<Change>& changes() const { return changes_; }

 private:
  std::vector<Change> changes_;
};

}  // namespace slaq::page
