// Puts what a reflector sees into a collection, read into the few fields that are kept.
#pragma once

#include <functional>
#include <mutex>
#include <utility>

#include "kube/collection.h"
#include "kube/json_fields.h"
#include "kube/reflector.h"

namespace slaq::kube {

template <class Object>
class CollectionSink final : public ObjectSink {
 public:
  using Read = std::function<Object(const rapidjson::Value&)>;

  // `changed` is called without the lock, once for a list and once for each other change.
  // REQUIRES: mutex, objects and changed outlive this.
  CollectionSink(std::mutex& mutex, Collection<Object>& objects, Read read,
                 const std::function<void()>& changed)
      : mutex_(mutex), objects_(objects), read_(std::move(read)), changed_(changed) {}

  void beginList() override {
    listing_ = true;
    const std::lock_guard lock(mutex_);
    objects_.beginList();
  }

  void endList() override {
    listing_ = false;
    {
      const std::lock_guard lock(mutex_);
      objects_.endList();
    }
    changed_();
  }

  void upsert(const rapidjson::Value& object) override {
    Object read = read_(object);
    {
      const std::lock_guard lock(mutex_);
      listing_ ? objects_.list(std::move(read)) : objects_.learn(std::move(read));
    }
    if (!listing_) changed_();
  }

  void remove(const rapidjson::Value& object) override {
    {
      const std::lock_guard lock(mutex_);
      objects_.remove({stringAt(object, {"metadata", "namespace"}), stringAt(object, {"metadata", "name"})},
                      stringAt(object, {"metadata", "uid"}));
    }
    changed_();
  }

 private:
  std::mutex& mutex_;
  Collection<Object>& objects_;
  Read read_;
  const std::function<void()>& changed_;
  bool listing_ = false;  // of the reflector's thread
};

}  // namespace slaq::kube
