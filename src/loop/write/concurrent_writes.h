// Sends writes that each wait for an answer, several at the same time.
#pragma once

#include <cstddef>
#include <functional>

namespace slaq::loop {

// The writes are numbered from 0 in the order in which they are to begin.
struct ConcurrentWrites {
  std::size_t count = 0;
  // Called right before a write: should it be sent? `begin` and `end` never run at the same time.
  std::function<bool(std::size_t)> begin;
  std::function<void(std::size_t)> send;
  // Called after `send`.
  std::function<void(std::size_t)> end;
};

// Returns when all writes are answered. Up to `atOnce` run at the same time, each on a thread of its own;
// with 1 all of them run on the calling thread. REQUIRES: none of the functions throws.
void sendConcurrently(const ConcurrentWrites& writes, std::size_t atOnce);

}  // namespace slaq::loop
