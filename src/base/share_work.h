// Work on many things that do not depend on each other, shared between threads.
#pragma once

#include <cstddef>
#include <functional>

namespace slaq {

// As many threads as `count` things are worth on this machine, where waking one takes the time of `each` of
// them: 1 or more.
std::size_t threadsFor(std::size_t count, std::size_t each);

// Calls work(begin, end) for blocks that together are [0, count), at the same time from up to so many
// threads, the calling one among them; from fewer where the machine gives no more. The others are the
// program's, no more than the machine has cores, and wait for the next call. `work` must not throw, nor share
// work itself.
void shareWork(std::size_t count, std::size_t threads,
               const std::function<void(std::size_t begin, std::size_t end)>& work);

}  // namespace slaq
