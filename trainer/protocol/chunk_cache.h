// Which chunks' rows a worker keeps. Driver and worker both count by it, from the same messages in the same
// order, so that the driver knows without asking which rows it must send.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace slaq::trainer::protocol {

class Holdings {
 public:
  // A round begins. The chunks that were not used for so long that they are given up.
  std::vector<std::int64_t> beginRound(std::int64_t round);
  // Takes note of an order of this round; false if the chunk was not held before.
  bool use(std::int64_t chunk);
  // The rounds are another driver's from now on: all that is held counts as used in its first.
  void renew() { renewed_ = true; }

 private:
  std::map<std::int64_t, std::int64_t> used_;  // the round of the last use, by chunk
  std::int64_t round_ = 0;
  bool renewed_ = false;
};

}  // namespace slaq::trainer::protocol
