// Hints to the processor: with many jobs, waiting for memory takes longer than computing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace slaq {

// The lines of the cache from the first to the last of an object's members; not those of what they point to.
class CacheLines {
 public:
  CacheLines() = default;
  template <class First, class Last>
  CacheLines(const First& first, const Last& last)
      : next_(reinterpret_cast<std::uintptr_t>(&first) / kSize * kSize),
        end_(reinterpret_cast<std::uintptr_t>(&last) + sizeof(last)) {}

  bool empty() const { return next_ >= end_; }

  // REQUIRES: not empty.
  void prefetchNext() {
    __builtin_prefetch(reinterpret_cast<const char*>(next_));
    next_ += kSize;
  }

 private:
  static constexpr std::uintptr_t kSize = 64;

  std::uintptr_t next_ = 0;
  std::uintptr_t end_ = 0;
};

// Begins to load an object from the first to the last of those members into the cache.
template <class First, class Last>
void prefetch(const First& first, const Last& last) {
  for (CacheLines lines(first, last); !lines.empty();) lines.prefetchNext();
}

template <class Value>
void prefetch(const Value& value) {
  prefetch(value, value);
}

// Values that will be needed soon, to be loaded a few lines at a time between other work: the processor would
// wait if it were asked for all at once. They need not outlive it; those that were not asked for until it is
// gone are loaded when they are needed.
class PrefetchQueue {
 public:
  // Beyond the room there is, a value is forgotten.
  template <class First, class Last>
  void add(const First& first, const Last& last) {
    if (size_ < values_.size()) values_[size_++] = CacheLines(first, last);
  }
  template <class Value>
  void add(const Value& value) {
    add(value, value);
  }

  // Begins to load a few lines more: as many as an L1 cache can wait for.
  void load() {
    for (int lines = 12; lines > 0 && next_ < size_;) {
      if (values_[next_].empty()) {
        ++next_;
      } else {
        values_[next_].prefetchNext();
        --lines;
      }
    }
  }

 private:
  std::array<CacheLines, 32> values_;
  std::size_t size_ = 0;
  std::size_t next_ = 0;
};

}  // namespace slaq
