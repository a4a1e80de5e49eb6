// The chunks whose rows a worker keeps in memory. Driver and worker each keep such a list and change it by
// the same messages in the same order, so that the driver knows without asking which rows it must send.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace slaq::trainer::protocol {

class ChunkCache {
 public:
  // A round begins. The chunks that were not used for so long that they are given up.
  std::vector<std::int64_t> beginRound(std::int64_t round);
  // Notes that the chunk is assigned in this round; false if the worker did not have its rows before.
  bool use(std::int64_t chunk);
  // The rounds are another driver's from now on: all that is held counts as used in its first.
  void renew() { renewed_ = true; }

 private:
  std::map<std::int64_t, std::int64_t> used_;  // the round of the last use, by chunk
  std::int64_t round_ = 0;
  bool renewed_ = false;
};

}  // namespace slaq::trainer::protocol
