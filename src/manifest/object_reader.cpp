#include "manifest/object_reader.h"

#include "base/nearest.h"
#include "manifest/paths.h"

namespace slaq::manifest {
namespace {

std::string_view textOf(const rapidjson::Value& string) {
  return {string.GetString(), string.GetStringLength()};
}

}  // namespace

std::string_view kindOf(const rapidjson::Value& value) {
  if (value.IsString()) return "a string";
  if (value.IsNumber()) return "a number";
  if (value.IsBool()) return "true or false";
  if (value.IsArray()) return "a list";
  if (value.IsObject()) return "an object";
  return "null";
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
  refuse(key, "must be " + std::string(expected) + ", not " + std::string(kindOf(found)));
}

const rapidjson::Value* ObjectReader::find(std::string_view key) {
  known_.emplace(key);
  if (!value_) return nullptr;
  const rapidjson::Value name(rapidjson::StringRef(key.data(), key.size()));
  const auto member = value_->FindMember(name);
  if (member == value_->MemberEnd() || member->value.IsNull()) return nullptr;
  return &member->value;
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
  const auto* found = find(key);
  if (!found) return;
  if (!found->IsNumber()) return refuseType(key, "a whole number", *found);
  if (!found->IsInt()) return refuse(key, "must be a whole number of at most 9 digits");
  into = found->GetInt();
}

void ObjectReader::read(std::string_view key, std::int64_t& into) {
  const auto* found = find(key);
  if (!found) return;
  if (!found->IsNumber()) return refuseType(key, "a whole number", *found);
  if (!found->IsInt64()) return refuse(key, "must be a whole number of at most 18 digits");
  into = found->GetInt64();
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
    if (element.IsInt()) {
      into.emplace_back(element.GetInt());
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
