// Reads the fields of one JSON object with their types checked. Whatever is wrong becomes a violation with
// its path; the value that was there before stays. A null counts as absent, as the API server has it.
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "job/validate.h"

namespace slaq::manifest {

using Violations = std::vector<Violation>;

// Adds the violations of places about which nothing was said before. A part that could not be read breaks the
// rules about its contents too, and one sentence is enough, so a place counts with all that it contains and
// is contained in.
void addUnsaid(Violations violations, Violations& said);

class ObjectReader {
 public:
  // REQUIRES: `value` and `out` outlive the reader. A value that is no object is a violation and reads as {}.
  ObjectReader(const rapidjson::Value& value, std::string path, Violations& out);

  const std::string& path() const { return path_; }
  std::string pathOf(std::string_view key) const;
  void refuse(std::string_view key, std::string message);

  // The value under `key`, or nullptr when it is absent or null. The key becomes a known one.
  const rapidjson::Value* find(std::string_view key);
  // As find, but an absent key is a violation with the advice `whatToWrite`.
  const rapidjson::Value* require(std::string_view key, std::string_view whatToWrite);

  void read(std::string_view key, std::string& into);
  void read(std::string_view key, bool& into);
  void read(std::string_view key, std::int32_t& into);
  void read(std::string_view key, std::int64_t& into);
  void read(std::string_view key, Workers& into);
  void read(std::string_view key, Time& into);
  void read(std::string_view key, std::vector<std::string>& into);
  void read(std::string_view key, std::vector<Workers>& into);

  // Calls `each` for the object under `key`, if there is one.
  void readObject(std::string_view key, const std::function<void(ObjectReader&)>& each);
  // Calls `each` for every element of the list under `key`, which must be objects.
  void readObjects(std::string_view key, const std::function<void(ObjectReader&)>& each);

  // Reports every unknown key as a violation, with the nearest known key as a hint.
  void refuseUnknown();
  // Makes keys known without reading them.
  void allow(std::initializer_list<std::string_view> keys);

 private:
  void refuseType(std::string_view key, std::string_view expected, const rapidjson::Value& found);
  const rapidjson::Value* findArray(std::string_view key);

  const rapidjson::Value* value_;  // an object, or nullptr
  std::string path_;
  Violations& out_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace slaq::manifest
