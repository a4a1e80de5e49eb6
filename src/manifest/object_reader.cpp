#include "manifest/object_reader.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/nearest.h"
#include "manifest/paths.h"
#include "yaml/value.h"

namespace slaq::manifest {
namespace {

using yaml::kindOf;
using yaml::wholeOf;

std::string_view textOf(const rapidjson::Value& string) {
  return {string.GetString(), string.GetStringLength()};
}

// True when `inner` is `outer` or a part of it.
bool within(const std::string& outer, const std::string& inner) {
  if (!inner.starts_with(outer)) return false;
  return outer.empty() || inner.size() == outer.size() || inner[outer.size()] == '.' ||
         inner[outer.size()] == '[';
}

}  // namespace

void addUnsaid(Violations violations, Violations& said) {
  const Violations before = said;
  for (auto& each : violations) {
    const bool isSaid = std::ranges::any_of(before, [&](const Violation& other) {
      return within(other.path, each.path) || within(each.path, other.path);
    });
    if (!isSaid) said.push_back(std::move(each));
  }
}

ObjectReader::ObjectReader(const rapidjson::Value& value, std::string path, Violations& out)
    : value_(value.IsObject() ? &value : nullptr), path_(std::move(path)), out_(out) {
  if (!value_) {
    out_.push_back({path_, "must be an object (fields with values), not " + std::string(kindOf(value))});
  }
}

std::string ObjectReader::pathOf(std::string_view key) const { return pathTo(path_, key); }

void ObjectReader::refuse(std::string_view key, std::string message) {
  out_.push_back({pathOf(key), std::move(message)});
}

void ObjectReader::refuseType(std::string_view key, std::string_view expected,
                              const rapidjson::Value& found) {
  refuse(key, yaml::wrongType(expected, found));
}

const rapidjson::Value* ObjectReader::find(std::string_view key) {
  known_.emplace(key);
  if (!value_) return nullptr;
  const auto* member = yaml::memberOf(*value_, key);
  return member && !member->IsNull() ? member : nullptr;
}

const rapidjson::Value* ObjectReader::require(std::string_view key, std::string_view whatToWrite) {
  const auto* found = find(key);
  if (!found && value_) refuse(key, "must be given: " + std::string(whatToWrite));
  return found;
}

void ObjectReader::read(std::string_view key, std::string& into) {
  const auto* found = find(key);
  if (!found) return;
  if (!found->IsString()) return refuseType(key, "a string", *found);
  into = textOf(*found);
}

void ObjectReader::read(std::string_view key, bool& into) {
  const auto* found = find(key);
  if (!found) return;
  if (!found->IsBool()) return refuseType(key, "true or false", *found);
  into = found->GetBool();
}

void ObjectReader::read(std::string_view key, std::int32_t& into) {
  std::int64_t wide = into;
  read(key, wide);
  if (wide < std::numeric_limits<std::int32_t>::min() || wide > std::numeric_limits<std::int32_t>::max())
    return refuse(key, "must be a whole number of at most 9 digits");
  into = static_cast<std::int32_t>(wide);
}

void ObjectReader::read(std::string_view key, std::int64_t& into) {
  const auto* found = find(key);
  if (!found) return;
  if (!found->IsNumber()) return refuseType(key, "a whole number", *found);
  const auto whole = wholeOf(*found);
  if (!whole) return refuse(key, "must be a whole number of at most 18 digits");
  into = *whole;
}

void ObjectReader::read(std::string_view key, Workers& into) {
  std::int32_t count = into.value();
  read(key, count);
  into = Workers(count);
}

void ObjectReader::read(std::string_view key, Time& into) {
  const auto* found = find(key);
  if (!found) return;
  if (!found->IsString()) return refuseType(key, "a time in RFC 3339", *found);
  const auto time = parseRfc3339(textOf(*found));
  if (!time) return refuse(key, time.error().message);
  into = *time;
}

const rapidjson::Value* ObjectReader::findArray(std::string_view key) {
  const auto* found = find(key);
  if (!found || found->IsArray()) return found;
  refuseType(key, "a list", *found);
  return nullptr;
}

void ObjectReader::read(std::string_view key, std::vector<std::string>& into) {
  const auto* found = findArray(key);
  if (!found) return;
  into.clear();
  for (rapidjson::SizeType i = 0; i < found->Size(); ++i) {
    const auto& element = (*found)[i];
    if (element.IsString()) {
      into.emplace_back(textOf(element));
    } else {
      out_.push_back({pathTo(pathOf(key), i), "must be a string, not " + std::string(kindOf(element))});
    }
  }
}

void ObjectReader::read(std::string_view key, std::vector<Workers>& into) {
  const auto* found = findArray(key);
  if (!found) return;
  into.clear();
  for (rapidjson::SizeType i = 0; i < found->Size(); ++i) {
    const auto& element = (*found)[i];
    const auto whole = wholeOf(element);
    if (whole && *whole == static_cast<std::int32_t>(*whole)) {
      into.emplace_back(static_cast<std::int32_t>(*whole));
    } else {
      out_.push_back({pathTo(pathOf(key), i), "must be a whole number of at most 9 digits"});
    }
  }
}

void ObjectReader::readObject(std::string_view key, const std::function<void(ObjectReader&)>& each) {
  const auto* found = find(key);
  if (!found) return;
  ObjectReader inner(*found, pathOf(key), out_);
  each(inner);
}

void ObjectReader::readObjects(std::string_view key, const std::function<void(ObjectReader&)>& each) {
  const auto* found = findArray(key);
  if (!found) return;
  for (rapidjson::SizeType i = 0; i < found->Size(); ++i) {
    ObjectReader inner((*found)[i], pathTo(pathOf(key), i), out_);
    each(inner);
  }
}

void ObjectReader::refuseUnknown() {
  if (!value_) return;
  for (const auto& member : value_->GetObject()) {
    const auto key = textOf(member.name);
    if (known_.contains(key)) continue;
    const auto hint = nearest(key, {known_.begin(), known_.end()});
    refuse(key, hint ? "unknown field, did you mean " + *hint + "?" : "unknown field, remove it");
  }
}

void ObjectReader::allow(std::initializer_list<std::string_view> keys) {
  for (const auto key : keys) known_.emplace(key);
}

}  // namespace slaq::manifest
