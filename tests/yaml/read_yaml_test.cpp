// Whole documents: what is read, where it stands, and what is refused with which sentence.
#include "yaml/read_yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace slaq::yaml {
namespace {

std::string jsonOf(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer writer(buffer);
  value.Accept(writer);
  return buffer.GetString();
}

// All documents of a text as JSON, one a line, or the error.
std::string read(std::string_view text) {
  const auto documents = readYaml("f.yaml", text);
  if (!documents) return documents.error().message;
  std::string lines;
  for (const auto& each : *documents) lines += jsonOf(each.value) + "\n";
  return lines;
}

TEST(ReadYaml, GivesDocumentsAsJson) {
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"# nothing\n", ""},
      {"---\n---\n", ""},
      {"a: 1\nb: [x, 'y', ~]\n", "{\"a\":1,\"b\":[\"x\",\"y\",null]}\n"},
      {"a: 1\n---\nb: 2\n---\n", "{\"a\":1}\n{\"b\":2}\n"},
      {"a: 1\r\n---\r\nb: 2\r\n", "{\"a\":1}\n{\"b\":2}\n"},
      {"\xEF\xBB\xBF"
       "a: 1\n---\nb: 2\n",
       "{\"a\":1}\n{\"b\":2}\n"},
      {"a: 1\n...\n---\nb: 2\n", "{\"a\":1}\n{\"b\":2}\n"},
      {"%YAML 1.2\n---\na: 1\n", "{\"a\":1}\n"},
      {"a: 'null'\nb: \"5\"\nc: !!str 5\nd: 'yes'\n",
       "{\"a\":\"null\",\"b\":\"5\",\"c\":\"5\",\"d\":\"yes\"}\n"},
      {"a: |\n  x\n  y\nb: >-\n  010\n", "{\"a\":\"x\\ny\\n\",\"b\":\"010\"}\n"},
      {"on: 1\n5: 2\ntrue: 3\n", "{\"on\":1,\"5\":2,\"true\":3}\n"},
      {"a: &x {b: [1]}\nc: *x\n", "{\"a\":{\"b\":[1]},\"c\":{\"b\":[1]}}\n"},
      {"a: &x 5\nb: [*x, *x]\n", "{\"a\":5,\"b\":[5,5]}\n"},
      {"plain", "\"plain\"\n"},
      {"a: {}\nb: []\nc:\n", "{\"a\":{},\"b\":[],\"c\":null}\n"},
  };
  for (const auto& [text, json] : cases) EXPECT_EQ(read(text), json) << text;
}

TEST(ReadYaml, MergesWhatAMapDoesNotSayItself) {
  const std::pair<const char*, const char*> cases[] = {
      {"a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n", "{\"a\":{\"b\":1,\"c\":2},\"d\":{\"c\":3,\"b\":1}}\n"},
      {"a: &x {b: 1}\nc: &y {b: 2, d: 3}\ne: {<<: [*x, *y]}\n",
       "{\"a\":{\"b\":1},\"c\":{\"b\":2,\"d\":3},\"e\":{\"b\":1,\"d\":3}}\n"},
      {"a: &x {b: 1}\nc: &y {<<: *x}\nd: {<<: *y}\n", "{\"a\":{\"b\":1},\"c\":{\"b\":1},\"d\":{\"b\":1}}\n"},
      {"'<<': 1\n", "{\"<<\":1}\n"},
  };
  for (const auto& [text, json] : cases) EXPECT_EQ(read(text), json) << text;
}

TEST(ReadYaml, RefusesTheCharacterThatEndsTextsInC) {
  const std::string sentence = "f.yaml:1: text can't hold the character \\0; leave it out";
  for (const char* text : {"a: \"x\\0y\"\n", "\"x\\0y\": 1\n", "[\"\\x00\"]\n", "a: !!str \"\\u0000\"\n"})
    EXPECT_EQ(read(text), sentence) << text;
}

TEST(ReadYaml, RefusesInOneLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"\"a\\nb\": 1\n\"a\\nb\": 2\n", "f.yaml:2: duplicate key 'a\\x0ab'; the first is on line 1"},
      {"\"\\e[m\": [1\n", "f.yaml:2: a [ or a quote is not closed"},
  };
  for (const auto& [text, error] : cases) EXPECT_EQ(read(text), error) << text;
}

TEST(ReadYaml, RefusesWithFileAndLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"a: 1\nb:\n  c: 1\n  c: 2\n", "f.yaml:4: duplicate key 'c'; the first is on line 3"},
      {"a: 1\n'a': 2\n", "f.yaml:2: duplicate key 'a'; the first is on line 1"},
      {"a: 1\n---\nb: .inf\n", "f.yaml:3: '.inf' is not a finite number; write one, or quote it"},
      {"a: !secret x\n", "f.yaml:1: the tag '!secret' is not supported; leave it out"},
      {"a: !!int 5\n", "f.yaml:1: the tag 'tag:yaml.org,2002:int' is not supported; leave it out"},
      {"a: !!set {b, c}\n", "f.yaml:1: the tag 'tag:yaml.org,2002:set' is not supported; leave it out"},
      {"a: &x 1\nc:\n  <<: *x\n", "f.yaml:3: '<<' takes the alias of a map, or a list of them"},
      {"a: &x {b: 1}\nc:\n  '<<': *x\n  '<<': 2\n", "f.yaml:4: duplicate key '<<'; the first is on line 3"},
      {"a: &x [*x]\n", "f.yaml:1: the alias stands inside of what it names"},
      {"a: *x\n", "f.yaml:1: the referenced anchor is not defined"},
      {"? [a]\n: 1\n", "f.yaml:1: a key must be text"},
      {"null: 1\n", "f.yaml:1: a key must be text; quote it"},
      {"a: &x b\n*x : c\n", "f.yaml:2: a key must be text, not an alias"},
      {"[a]\n[b]\n", "f.yaml:2: text after the end of the document; start another one with ---"},
      {"a: 1\n...\nb: 2\n", "f.yaml:3: text after the end of the document; start another one with ---"},
      {"a: b: c\n",
       "f.yaml:1: a field can't begin here; quote a text that has a colon in it, or mend the indentation"},
      {"a: 1\n\tb: 2\n", "f.yaml:2: the line is indented with a tab; write spaces"},
      {"a: [1\n", "f.yaml:2: a [ or a quote is not closed"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(read(text), message) << text;
  EXPECT_EQ(read(std::string_view("a\0b", 3)), "f.yaml:1: the file is not UTF-8 text");
}

TEST(ReadYaml, BoundsAliasBombs) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + alias;
    for (int j = 0; j < 8; ++j) text += ", " + alias;
    text += "]\n";
  }
  EXPECT_THAT(read(text), testing::HasSubstr("more than 100000 values once aliases are expanded"));
}

TEST(ReadYaml, BoundsDepth) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(read(nested(kDeepestYaml)), nested(kDeepestYaml) + "\n");
  EXPECT_EQ(read(nested(kDeepestYaml + 2)), "f.yaml:1: nested deeper than 64 levels");
  EXPECT_EQ(read(nested(100'000)), "f.yaml:1: nested deeper than 64 levels");
}

TEST(ReadYaml, BoundsDepthThroughAliases) {
  std::string text = "a0: &a0 [x]\n";
  for (int i = 1; i < 100; ++i) {
    const auto name = "a" + std::to_string(i);
    text += name + ": &" + name + " [*a" + std::to_string(i - 1) + "]\n";
  }
  EXPECT_THAT(read(text), testing::HasSubstr("nested deeper than 64 levels"));
}

TEST(ReadYaml, BoundsSize) {
  EXPECT_EQ(read("a: " + std::string(kMostYamlBytes, 'x')), "f.yaml:1: the file is larger than 4 MiB");
}

TEST(MemberPath, QuotesWhatIsNoPlainWord) {
  EXPECT_EQ(memberPath("", "a"), "a");
  EXPECT_EQ(memberPath("a", "b-2"), "a.b-2");
  EXPECT_EQ(memberPath("a", "x.y/z"), "a[\"x.y/z\"]");
  EXPECT_EQ(memberPath("", ""), "[\"\"]");
  EXPECT_EQ(memberPath("a", "\"\\"), "a[\"\\\"\\\\\"]");
}

TEST(LineOf, IsTheLineOfTheKeyOrOfTheNearestPartThatEncloses) {
  const auto documents = readYaml("f.yaml",
                                  "# a comment\n"
                                  "spec:\n"
                                  "  workers:\n"
                                  "    min:\n"
                                  "      5\n"
                                  "  list:\n"
                                  "  - name: x\n"
                                  "    port: 1\n"
                                  "  - [7,\n"
                                  "     8]\n"
                                  "  labels:\n"
                                  "    a.b/c: x\n"
                                  "---\n"
                                  "second: 1\n");
  ASSERT_TRUE(documents) << documents.error().message;
  const std::pair<const char*, int> cases[] = {
      {"", 2},
      {"spec.workers.min", 4},
      {"spec.workers.max", 3},
      {"spec.workers.max.deep[3].x", 3},
      {"spec.list[0]", 7},
      {"spec.list[0].port", 8},
      {"spec.list[1][1]", 10},
      {"spec.list[2]", 6},
      {"spec.labels[\"a.b/c\"]", 12},
      {"spec.labels[\"a.b/d\"]", 11},
      {"nothing", 2},
  };
  for (const auto& [path, line] : cases) EXPECT_EQ(lineOf(documents->at(0), path), line) << path;
  EXPECT_EQ(lineOf(documents->at(1), "second"), 14);
  EXPECT_EQ(describe(documents->at(0), "spec.workers.min", "must be less"),
            "f.yaml:4: spec.workers.min: must be less");
}

}  // namespace
}  // namespace slaq::yaml
