// Reads one YAML mapping strictly, field by field. A mistake is recorded with its line and the reading
// continues, so that all mistakes of a file are reported at once.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.h"
#include "yaml/located_document.h"

namespace slaq::yaml {

// The mistakes in a document that were found so far.
class Mistakes {
 public:
  explicit Mistakes(const LocatedDocument& document) : document_(document) {}

  // Only the first mistake at each path is recorded.
  void add(const std::string& path, const std::string& message);
  bool none() const { return lines_.empty(); }
  // One line per mistake, in the order of the file.
  std::string text() const;

 private:
  const LocatedDocument& document_;
  std::multimap<int, std::string> lines_;
  std::set<std::string> told_;
};

class Fields {
 public:
  // `value` is a mapping or null (a section with nothing in it); else that is a mistake.
  Fields(const rapidjson::Value& value, std::string path, Mistakes& mistakes);

  bool has(const char* key) const;
  // All keys, in the order of the file: for a mapping of names to sections.
  std::vector<std::string> keys() const;
  std::string text(const char* key, std::string fallback);
  bool flag(const char* key, bool fallback);
  std::optional<double> number(const char* key, double least, double most);
  // A list of `count` numbers; empty where it is left out or mistaken.
  std::vector<double> numbers(const char* key, std::size_t count, double least, double most);
  // A list of whole numbers, each once; empty where it is left out or mistaken.
  std::vector<int> wholes(const char* key, int least, int most);
  // A list of some of these names, each once; empty where it is left out or mistaken.
  std::vector<std::string> names(const char* key, const std::vector<std::string_view>& all);
  // A number, also one in quotes; an empty text counts as absent.
  std::optional<double> decimal(const char* key);
  Seconds seconds(const char* key, Seconds fallback, Seconds least, Seconds most);
  std::optional<Cores> cores(const char* key);
  std::optional<int> whole(const char* key, int least, int most);
  std::map<std::string, std::string> texts(const char* key);
  // A section that is absent reads as an empty one, with all defaults.
  Fields section(const char* key);
  // A list of sections; an absent list is empty.
  std::vector<Fields> sections(const char* key);

  // One of the values, by name(value).
  template <class Value>
  Value choice(const char* key, Value fallback, std::span<const Value> all);
  template <class Value>
  Value choice(const char* key, Value fallback, std::initializer_list<Value> all) {
    return choice(key, fallback, std::span<const Value>(all));
  }

  // One of the names.
  std::string choice(const char* key, const std::string& fallback, const std::vector<std::string_view>& all);

  // Makes keys known without reading them.
  void know(std::initializer_list<const char*> keys);
  // Reports every key that was not read as a mistake. Must be called last.
  void refuseOthers();

  // About the mapping as a whole, and about one key.
  void mistake(const std::string& message);
  void mistake(const char* key, const std::string& message);

 private:
  const rapidjson::Value* find(const char* key);
  std::string pathOf(std::string_view key) const;

  const rapidjson::Value* object_ = nullptr;
  bool refused_ = false;  // it is no mapping, which was reported
  std::string path_;
  Mistakes* mistakes_;
  std::vector<std::string> known_;
};

template <class Value>
Value Fields::choice(const char* key, Value fallback, std::span<const Value> all) {
  const auto* value = find(key);
  if (value == nullptr) return fallback;
  std::string names;
  for (const auto each : all) {
    if (value->IsString() && name(each) == value->GetString()) return each;
    names.append(names.empty() ? "" : ", ").append(name(each));
  }
  mistake(key, "must be one of " + names);
  return fallback;
}

}  // namespace slaq::yaml
