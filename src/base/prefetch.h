// A hint to the processor: with many jobs, waiting for memory takes longer than computing.
#pragma once

#include <cstdint>

namespace slaq {

// Begins to load what lies from the first to the last of an object's members, not what they point to, into
// the cache.
template <class First, class Last>
void prefetch(const First& first, const Last& last) {
  constexpr std::uintptr_t kLine = 64;
  const auto begin = reinterpret_cast<std::uintptr_t>(&first);
  const auto end = reinterpret_cast<std::uintptr_t>(&last) + sizeof(last);
  for (auto at = begin / kLine * kLine; at < end; at += kLine) {
    __builtin_prefetch(reinterpret_cast<const char*>(at));
  }
}

template <class Value>
void prefetch(const Value& value) {
  prefetch(value, value);
}

}  // namespace slaq
