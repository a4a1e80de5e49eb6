// A map that keeps the entries that were changed most recently.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>

namespace slaq::forecast {

// It holds at most `kMost` entries: a new one replaces the one that was changed longest ago.
template <class Key, class Value, std::size_t kMost>
class RecentMap {
 public:
  // Null if there is none.
  const Value* find(const Key& key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second.value;
  }

  // The entry, to be changed; `make` returns the value of a new one. Valid until the next call.
  template <class Make>
  Value& change(const Key& key, Make make) {
    auto found = entries_.find(key);
    if (found == entries_.end()) {
      if (entries_.size() >= kMost) entries_.erase(oldest());
      found = entries_.emplace(key, Entry{make(), 0}).first;
    }
    found->second.changed = ++changes_;
    return found->second.value;
  }

  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    Value value;
    std::size_t changed;  // the number of its last change
  };

  auto oldest() const {
    return std::min_element(entries_.begin(), entries_.end(),
                            [](const auto& a, const auto& b) { return a.second.changed < b.second.changed; });
  }

  std::map<Key, Entry> entries_;
  std::size_t changes_ = 0;
};

}  // namespace slaq::forecast
