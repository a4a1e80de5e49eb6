// Stores the objects of a reflector in a collection, reduced to the fields that are kept.
#pragma once

#include <functional>
#include <mutex>
#include <utility>

#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "kube/watch/collection.h"
#include "kube/watch/reflector.h"

namespace slaq::kube::watch {

template <class Object>
class CollectionSink final : public ObjectSink {
 public:
  using Read = std::function<Object(const rapidjson::Value&)>;

  // `onNotable` is called without the lock for each object that became notable, on the reflector's thread.
  // REQUIRES: mutex and objects outlive this.
  CollectionSink(
      std::mutex& mutex, Collection<Object>& objects, Read read, std::function<void()> onNotable = [] {})
      : mutex_(mutex), objects_(objects), read_(std::move(read)), onNotable_(std::move(onNotable)) {}

  void beginList() override {
    listing_ = true;
    const std::lock_guard lock(mutex_);
    objects_.beginList();
  }

  void endList(const std::string& resourceVersion) override {
    listing_ = false;
    const std::lock_guard lock(mutex_);
    objects_.endList(resourceVersion);
  }

  void upsert(const rapidjson::Value& object) override {
    if (take(read_(object))) onNotable_();
  }

  void remove(const rapidjson::Value& object) override {
    const std::lock_guard lock(mutex_);
    objects_.remove(json::keyOf(object), json::uidOf(object), json::resourceVersionOf(object));
  }

 private:
  bool take(Object object) {
    const std::lock_guard lock(mutex_);
    return listing_ ? objects_.list(std::move(object)) : objects_.update(std::move(object));
  }

  std::mutex& mutex_;
  Collection<Object>& objects_;
  Read read_;
  std::function<void()> onNotable_;
  bool listing_ = false;  // used on the reflector's thread
};

}  // namespace slaq::kube::watch
