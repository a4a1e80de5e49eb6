// JSON for tests: written with single quotes, parsed or the test fails.
#pragma once

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <string>

namespace slaq::manifest {

inline rapidjson::Document json(std::string text) {
  std::ranges::replace(text, '\'', '"');
  rapidjson::Document document;
  document.Parse(text.data(), text.size());
  EXPECT_FALSE(document.HasParseError()) << text;
  return document;
}

}  // namespace slaq::manifest
