// Divides work on many independent items between threads.
#pragma once

#include <cstddef>
#include <functional>

namespace slaq {

// The number of threads (at least 1) for `count` items on this machine, if waking a thread takes as long as
// working on `each` items.
std::size_t threadsFor(std::size_t count, std::size_t each);

// Calls work(begin, end) for blocks that together cover [0, count), concurrently on up to `threads` threads
// including the calling one; on fewer if the machine has fewer cores. The other threads belong to the whole
// program, are at most as many as the machine's cores, and wait for the next call. `work` must not throw and
// must not call this function.
void shareWork(std::size_t count, std::size_t threads,
               const std::function<void(std::size_t begin, std::size_t end)>& work);

}  // namespace slaq
