// Hints to the processor: with many jobs, waiting for memory takes longer than computing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace slaq {

inline constexpr std::size_t kCacheLine = 64;

// Begins to load the value itself, not what it points to, into the cache.
template <class Value>
void prefetch(const Value& value) {
  const auto* begin = reinterpret_cast<const char*>(&value);
  for (std::size_t at = 0; at < sizeof(value); at += kCacheLine) __builtin_prefetch(begin + at);
}

// Values that will be needed soon, to be loaded a few lines at a time between other work: the processor would
// wait if it were asked for all at once. They need not outlive it.
class PrefetchQueue {
 public:
  // Beyond the room there is, a value is forgotten: it will be loaded when it is needed.
  template <class Value>
  void add(const Value& value) {
    if (size_ == values_.size()) return;
    const auto* begin = reinterpret_cast<const char*>(&value);
    values_[size_++] = {begin, begin + sizeof(value)};
  }

  // Begins to load a few lines more: as many as an L1 cache can wait for.
  void load() {
    std::size_t lines = 12;
    while (lines > 0 && next_ < size_) {
      auto& [begin, end] = values_[next_];
      for (; lines > 0 && begin < end; --lines, begin += kCacheLine) __builtin_prefetch(begin);
      if (begin >= end) ++next_;
    }
  }

 private:
  struct Value {
    const char* begin;
    const char* end;
  };
  std::array<Value, 32> values_;
  std::size_t size_ = 0;
  std::size_t next_ = 0;
};

}  // namespace slaq
