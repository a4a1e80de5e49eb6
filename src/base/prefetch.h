// A hint to the processor: with many jobs, waiting for memory takes longer than computing.
#pragma once

#include <cstddef>

namespace slaq {

// Begins to load the value itself, not what it points to, into the cache.
template <class Value>
void prefetch(const Value& value) {
  constexpr std::size_t kLine = 64;
  const auto* begin = reinterpret_cast<const char*>(&value);
  for (std::size_t at = 0; at < sizeof(value); at += kLine) __builtin_prefetch(begin + at);
}

}  // namespace slaq
