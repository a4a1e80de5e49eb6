// Work on many things that do not depend on each other, shared between threads.
#pragma once

#include <cstddef>
#include <functional>

namespace slaq {

// As many threads as `count` things are worth on this machine, where starting one takes the time of `each` of
// them: 1 or more.
std::size_t threadsFor(std::size_t count, std::size_t each);

// Calls work(begin, end) for blocks that together are [0, count), at the same time from up to so many
// threads, the calling one among them; from fewer where the machine gives no more. None but the calling one
// is left at the return. `work` must not throw.
void shareWork(std::size_t count, std::size_t threads,
               const std::function<void(std::size_t begin, std::size_t end)>& work);

}  // namespace slaq
