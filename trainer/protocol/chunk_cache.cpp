#include "trainer/protocol/chunk_cache.h"

#include <utility>

#include "trainer/problem/problem.h"

namespace slaq::trainer::protocol {

std::vector<std::int64_t> ChunkCache::beginRound(std::int64_t round) {
  round_ = round;
  std::vector<std::int64_t> gone;
  const bool renewed = std::exchange(renewed_, false);
  for (auto& [chunk, used] : used_) {
    if (renewed) used = round;
    if (used + problem::kKeptRounds < round) gone.push_back(chunk);
  }
  for (const std::int64_t chunk : gone) used_.erase(chunk);
  return gone;
}

bool ChunkCache::use(std::int64_t chunk) {
  const bool held = used_.contains(chunk);
  used_[chunk] = round_;
  return held;
}

}  // namespace slaq::trainer::protocol
