// Puts what a reflector sees into a collection, read into the few fields that are kept.
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

  // `news` is called without the lock for each object that is news, on the thread that brings it.
  // REQUIRES: mutex and objects outlive this.
  CollectionSink(
      std::mutex& mutex, Collection<Object>& objects, Read read, std::function<void()> news = [] {})
      : mutex_(mutex), objects_(objects), read_(std::move(read)), news_(std::move(news)) {}

  void beginList() override {
    listing_ = true;
    const std::lock_guard lock(mutex_);
    objects_.beginList();
  }

  void endList() override {
    listing_ = false;
    const std::lock_guard lock(mutex_);
    objects_.endList();
  }

  void upsert(const rapidjson::Value& object) override {
    if (take(read_(object))) news_();
  }

  void remove(const rapidjson::Value& object) override {
    const std::lock_guard lock(mutex_);
    objects_.remove(json::keyOf(object), json::uidOf(object));
  }

 private:
  bool take(Object object) {
    const std::lock_guard lock(mutex_);
    return listing_ ? objects_.list(std::move(object)) : objects_.learn(std::move(object));
  }

  std::mutex& mutex_;
  Collection<Object>& objects_;
  Read read_;
  std::function<void()> news_;
  bool listing_ = false;  // of the reflector's thread
};

}  // namespace slaq::kube::watch
