#include "yaml/fields.h"

#include <algorithm>
#include <cmath>

#include "base/nearest.h"
#include "yaml/value.h"

namespace slaq::yaml {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

}  // namespace

void Mistakes::add(const std::string& path, const std::string& message) {
  if (told_.insert(path).second) lines_.emplace(lineOf(document_, path), describe(document_, path, message));
}

std::string Mistakes::text() const {
  std::string text;
  for (const auto& [line, sentence] : lines_) text.append(text.empty() ? "" : "\n").append(sentence);
  return text;
}

Fields::Fields(const rapidjson::Value& value, std::string path, Mistakes& mistakes)
    : path_(std::move(path)), mistakes_(&mistakes) {
  if (value.IsObject()) object_ = &value;
  if (value.IsObject() || value.IsNull()) return;
  refused_ = true;
  mistakes.add(path_, "must be a mapping of keys to values");
}

void Fields::mistake(const std::string& message) {
  if (!refused_) mistakes_->add(path_, message);
}

void Fields::mistake(const char* key, const std::string& message) {
  if (!refused_) mistakes_->add(pathOf(key), message);
}

std::string Fields::pathOf(std::string_view key) const { return memberPath(path_, key); }

bool Fields::has(const char* key) const { return object_ != nullptr && object_->HasMember(key); }

std::vector<std::string> Fields::keys() const {
  std::vector<std::string> keys;
  if (object_ == nullptr) return keys;
  for (const auto& [key, value] : object_->GetObject()) keys.emplace_back(key.GetString());
  return keys;
}

const rapidjson::Value* Fields::find(const char* key) {
  known_.emplace_back(key);
  return has(key) ? &(*object_)[key] : nullptr;
}

std::string Fields::text(const char* key, std::string fallback) {
  const auto* value = find(key);
  if (value == nullptr) return fallback;
  if (value->IsString()) return {value->GetString(), value->GetStringLength()};
  mistake(key, "must be text; quote it");
  return fallback;
}

bool Fields::flag(const char* key, bool fallback) {
  const auto* value = find(key);
  if (value == nullptr) return fallback;
  if (value->IsBool()) return value->GetBool();
  mistake(key, "must be true or false");
  return fallback;
}

std::optional<double> Fields::number(const char* key, double least, double most) {
  const auto* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->IsNumber() && value->GetDouble() >= least && value->GetDouble() <= most)
    return value->GetDouble();
  mistake(key, "must be a number from " + toDecimal(least) + " to " + toDecimal(most));
  return std::nullopt;
}

std::vector<double> Fields::numbers(const char* key, std::size_t count, double least, double most) {
  const auto* value = find(key);
  if (value == nullptr) return {};
  std::vector<double> numbers;
  const auto isInRange = [&](const rapidjson::Value& each) {
    return each.IsNumber() && each.GetDouble() >= least && each.GetDouble() <= most;
  };
  if (value->IsArray() && value->Size() == count && std::all_of(value->Begin(), value->End(), isInRange)) {
    for (const auto& each : value->GetArray()) numbers.push_back(each.GetDouble());
    return numbers;
  }
  mistake(key, "must be a list of " + std::to_string(count) + " numbers from " + toDecimal(least) + " to " +
                   toDecimal(most));
  return {};
}

std::vector<int> Fields::wholes(const char* key, int least, int most) {
  const auto* value = find(key);
  if (value == nullptr) return {};
  std::set<int> numbers;
  if (value->IsArray()) {
    for (const auto& each : value->GetArray()) {
      if (each.IsInt() && each.GetInt() >= least && each.GetInt() <= most) numbers.insert(each.GetInt());
    }
    if (!numbers.empty() && numbers.size() == value->Size()) return {numbers.begin(), numbers.end()};
  }
  mistake(key, "must be a list of whole numbers from " + std::to_string(least) + " to " +
                   std::to_string(most) + ", each of them once");
  return {};
}

std::vector<std::string> Fields::names(const char* key, const std::vector<std::string_view>& all) {
  const auto* value = find(key);
  if (value == nullptr) return {};
  std::set<std::string> chosen;
  if (value->IsArray()) {
    for (const auto& each : value->GetArray()) {
      if (each.IsString() && std::ranges::find(all, each.GetString()) != all.end())
        chosen.insert(each.GetString());
    }
    if (chosen.size() == value->Size()) return {chosen.begin(), chosen.end()};
  }
  std::string known;
  for (const auto name : all) known += (known.empty() ? "" : ", ") + std::string(name);
  mistake(key, "must be a list of some of " + known + ", each of them once");
  return {};
}

std::optional<double> Fields::decimal(const char* key) {
  const auto* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->IsNumber()) return value->GetDouble();
  if (value->IsString() && value->GetStringLength() == 0) return std::nullopt;
  const auto number = value->IsString() ? decimalFrom(value->GetString()) : std::nullopt;
  if (number && std::isfinite(*number)) return number;
  mistake(key, "must be a number, such as 0.25, or left out");
  return std::nullopt;
}

Seconds Fields::seconds(const char* key, Seconds fallback, Seconds least, Seconds most) {
  return Seconds(number(key, least.count(), most.count()).value_or(fallback.count()));
}

std::optional<Cores> Fields::cores(const char* key) {
  const auto* value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto cores = readCores(*value);
  if (cores && *cores > Cores()) return *cores;
  mistake(key, cores ? "must be more than 0" : cores.error().message);
  return std::nullopt;
}

std::optional<int> Fields::whole(const char* key, int least, int most) {
  const auto* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->IsInt() && value->GetInt() >= least && value->GetInt() <= most) return value->GetInt();
  mistake(key, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return std::nullopt;
}

std::string Fields::choice(const char* key, const std::string& fallback,
                           const std::vector<std::string_view>& all) {
  const auto* value = find(key);
  if (value == nullptr) return fallback;
  std::string names;
  for (const auto each : all) {
    if (value->IsString() && each == value->GetString()) return std::string(each);
    names.append(names.empty() ? "" : ", ").append(each);
  }
  mistake(key, "must be one of " + names);
  return fallback;
}

std::map<std::string, std::string> Fields::texts(const char* key) {
  std::map<std::string, std::string> texts;
  const auto* value = find(key);
  if (value == nullptr || value->IsNull()) return texts;
  if (!value->IsObject()) {
    mistake(key, "must be a mapping of names to texts");
    return texts;
  }
  for (const auto& [name, text] : value->GetObject()) {
    if (text.IsString()) {
      texts.emplace(name.GetString(), text.GetString());
    } else {
      mistakes_->add(memberPath(pathOf(key), name.GetString()), "must be text; quote it");
    }
  }
  return texts;
}

Fields Fields::section(const char* key) {
  static const rapidjson::Value nothing;
  const auto* value = find(key);
  return Fields(value == nullptr ? nothing : *value, pathOf(key), *mistakes_);
}

std::vector<Fields> Fields::sections(const char* key) {
  std::vector<Fields> sections;
  const auto* value = find(key);
  if (value == nullptr) return sections;
  if (!value->IsArray()) {
    mistake(key, "must be a list, each entry a mapping of keys to values");
    return sections;
  }
  for (rapidjson::SizeType i = 0; i < value->Size(); ++i) {
    sections.emplace_back((*value)[i], pathOf(key) + "[" + std::to_string(i) + "]", *mistakes_);
  }
  return sections;
}

void Fields::know(std::initializer_list<const char*> keys) {
  known_.insert(known_.end(), keys.begin(), keys.end());
}

void Fields::refuseOthers() {
  if (object_ == nullptr) return;
  for (const auto& [key, value] : object_->GetObject()) {
    const std::string name = key.GetString();
    if (std::ranges::find(known_, name) != known_.end()) continue;
    const auto meant = nearest(name, known_);
    mistakes_->add(pathOf(name), meant ? "unknown key; did you mean " + *meant + "?"
                                       : "unknown key; known here are " + joined(known_));
  }
}

}  // namespace slaq::yaml
