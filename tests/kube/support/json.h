// JSON for tests: written with single quotes, parsed or the test fails.
#pragma once

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <algorithm>
#include <string>

namespace slaq::kube {

inline std::string quoted(std::string text) {
  std::ranges::replace(text, '\'', '"');
  return text;
}

inline rapidjson::Document parse(const std::string& text) {
  rapidjson::Document document;
  document.Parse(text.data(), text.size());
  EXPECT_FALSE(document.HasParseError()) << text;
  return document;
}

inline rapidjson::Document jsonOf(const std::string& text) { return parse(quoted(text)); }

inline std::string pretty(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 1);
  writer.SetFormatOptions(rapidjson::kFormatSingleLineArray);
  value.Accept(writer);
  return buffer.GetString();
}

}  // namespace slaq::kube
