// The objects of one kind by key and by an index, updated from lists, watch events and the answers to our own
// writes. These arrive in any order. So an object is ignored if its resource version is lower than the known
// one of the same uid, or than the one with which it was deleted. An object that only lost the label by which
// it is watched comes back with a higher version.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "job/job.h"

namespace slaq::kube::watch {

// Resource versions are growing decimal numbers; Kubernetes guarantees it since 1.35 and did so in practice
// before. A version that is not a number is never older.
inline bool olderVersion(const std::string& a, const std::string& b) {
  const auto number = [](const std::string& text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  };
  if (!number(a) || !number(b)) return false;
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

// REQUIRES: Object has `key`, `uid` and `resourceVersion`. An object becomes notable when `notable` holds for
// it for the first time; without a predicate, when it becomes known. `index` returns a text by which objects
// are found, such as the uid of their owner. Without an index, and with an empty text, an object is found by
// its key alone. `changed` is called before each change of an object. Its `before` is null for an object that
// comes, its `after` for one that goes.
template <class Object>
class Collection {
 public:
  using Notable = std::function<bool(const Object&)>;
  using Index = std::function<const std::string&(const Object&)>;
  using Changed = std::function<void(const Object* before, const Object* after)>;

  explicit Collection(
      Index index = nullptr, Notable notable = [](const Object&) { return true; }, Changed changed = nullptr)
      : index_(std::move(index)), notable_(std::move(notable)), changed_(std::move(changed)) {}

  // Called before a list is asked for. Answers to writes that come meanwhile may be newer than its items.
  void beginList() { list_.emplace(); }

  // The list was complete and shows the collection at this version. REQUIRES: beginList was called, as before
  // each list().
  void endList(const std::string& resourceVersion) {
    changes_ += std::erase_if(objects_, [&](const auto& entry) {
      const auto& [key, object] = entry;
      const bool isNewer =
          list_->updated.contains(key) && !olderVersion(object.resourceVersion, resourceVersion);
      const bool isGone = !list_->items.contains(key) && !isNewer;
      if (isGone) beforeErasing(object);
      return isGone;
    });
    list_.reset();
    synced_ = true;
  }

  // Takes an item of a list, unless an answer that came during the list is newer. The version known before
  // the list does not count, since versions start lower again after the cluster was restored from a backup.
  // True if the object became notable.
  bool list(Object object) {
    list_->items.insert(object.key);
    const Object* before = list_->updated.contains(object.key) ? find(object.key) : nullptr;
    const bool isOld = before && olderVersion(object.resourceVersion, before->resourceVersion);
    return !isOld && keep(std::move(object));
  }

  // Takes a watch event or the answer to a write. True if the object became notable.
  bool update(Object object) {
    const auto deleted = std::ranges::find(deleted_, object.uid, &Deletion::uid);
    if (deleted != deleted_.end() && !olderVersion(deleted->resourceVersion, object.resourceVersion))
      return false;
    const Object* before = known(object);
    if (before && olderVersion(object.resourceVersion, before->resourceVersion)) return false;  // an echo
    if (list_) list_->updated.insert(object.key);
    return keep(std::move(object));
  }

  // `resourceVersion` is that of the deletion.
  void remove(const JobKey& key, const std::string& uid, const std::string& resourceVersion) {
    std::erase_if(deleted_, [&](const Deletion& each) { return each.uid == uid; });
    deleted_.push_back({uid, resourceVersion});
    if (deleted_.size() > kRememberedDeletions) deleted_.pop_front();
    const auto known = objects_.find(key);
    if (known == objects_.end() || known->second.uid != uid) return;
    beforeErasing(known->second);
    objects_.erase(known);
    ++changes_;
  }

  const Object* find(const JobKey& key) const {
    const auto found = objects_.find(key);
    return found == objects_.end() ? nullptr : &found->second;
  }

  // The objects whose index is this text, in the order of their keys. Valid until the next change.
  const std::vector<const Object*>& by(const std::string& text) const {
    static const std::vector<const Object*> none;
    const auto found = byIndex_.find(text);
    return found == byIndex_.end() ? none : found->second;
  }

  // Grows whenever an object came, changed or went.
  std::uint64_t changes() const { return changes_; }

  bool synced() const { return synced_; }
  const std::map<JobKey, Object>& all() const { return objects_; }

 private:
  struct Deletion {
    std::string uid;
    std::string resourceVersion;
  };

  bool keep(Object object) {
    const Object* before = known(object);
    const bool wasNotable = before && notable_(*before);
    const bool isNotable = notable_(object);
    if (changed_) changed_(find(object.key), &object);
    const auto [at, isNew] = objects_.try_emplace(object.key);
    if (!isNew) removeFromIndex(at->second);
    at->second = std::move(object);
    addToIndex(at->second);
    ++changes_;
    return isNotable && !wasNotable;
  }

  // The known state of the same object; nullptr if the key belongs to an object with another uid.
  const Object* known(const Object& object) const {
    const Object* found = find(object.key);
    return found && found->uid == object.uid ? found : nullptr;
  }

  void beforeErasing(const Object& object) {
    if (changed_) changed_(&object, nullptr);
    removeFromIndex(object);
  }

  void addToIndex(const Object& object) {
    if (!index_ || index_(object).empty()) return;
    auto& same = byIndex_[index_(object)];
    same.insert(std::ranges::upper_bound(same, object.key, {},
                                         [](const auto* each) -> const JobKey& { return each->key; }),
                &object);
  }

  void removeFromIndex(const Object& object) {
    if (!index_) return;
    const auto found = byIndex_.find(index_(object));
    if (found == byIndex_.end()) return;
    std::erase(found->second, &object);
    if (found->second.empty()) byIndex_.erase(found);
  }

  static constexpr std::size_t kRememberedDeletions = 256;  // more than come while a write is answered

  Index index_;
  Notable notable_;
  Changed changed_;
  std::map<JobKey, Object> objects_;
  std::unordered_map<std::string, std::vector<const Object*>> byIndex_;
  // The objects that came since the list under way was asked for, if one is.
  struct List {
    std::set<JobKey> items;
    std::set<JobKey> updated;  // by answers to writes
  };
  std::optional<List> list_;
  std::deque<Deletion> deleted_;
  std::uint64_t changes_ = 0;
  bool synced_ = false;
};

}  // namespace slaq::kube::watch
