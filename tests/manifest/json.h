// JSON for tests, which is written with single quotes, and mistakes in it.
#pragma once

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/pointer.h>

#include <algorithm>
#include <ostream>
#include <string>

namespace slaq::manifest {

inline rapidjson::Document json(std::string text) {
  std::ranges::replace(text, '\'', '"');
  rapidjson::Document document;
  document.Parse(text.data(), text.size());
  EXPECT_FALSE(document.HasParseError()) << text;
  return document;
}

// The object with another value in one field, or without the field where `value` is empty.
inline rapidjson::Document jsonWith(const char* object, const char* pointer, const char* value) {
  auto document = json(object);
  if (*value == 0) {
    EXPECT_TRUE(rapidjson::Pointer(pointer).Erase(document)) << pointer;
  } else {
    rapidjson::Pointer(pointer).Set(document, json(value));
  }
  return document;
}

// A wrong value of one field, and the violation that a reader finds in an object that has it.
struct Mistake {
  const char* pointer;
  const char* value;  // empty: the field is removed
  const char* path;
  const char* message;
};

inline std::ostream& operator<<(std::ostream& out, const Mistake& each) {
  return out << each.pointer << " = " << each.value;
}

}  // namespace slaq::manifest
