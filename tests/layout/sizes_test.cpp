// Files, folders and functions that a reader takes in at once; names that are where they belong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <string>

#include "layout/functions.h"
#include "layout/rooms.h"
#include "layout/sources.h"

namespace slaq::layout {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Layout, FoldersHoldFewPairs) {
  std::map<std::string, std::set<std::string>> pairs;
  for (const auto& source : sources()) pairs[source.folder].insert(source.pair());
  for (const auto& [folder, all] : pairs) {
    EXPECT_LE(all.size(), kMostPairsInAFolder) << folder << ": divide it by purpose";
  }
}

TEST(Layout, EverySourceHasItsHeader) {
  std::set<std::string> headers;
  for (const auto& source : sources()) {
    if (source.isHeader()) headers.insert(source.pair());
  }
  for (const auto& source : sources()) {
    if (source.path.ends_with("main.cpp")) continue;
    EXPECT_TRUE(headers.contains(source.pair())) << source.path << " has no header of its name";
  }
}

TEST(Layout, FilesAreShort) {
  for (const auto& source : sources()) {
    EXPECT_LE(linesOf(source.text), kMostLinesOfAFile) << source.path;
  }
}

TEST(Layout, FunctionsAreShort) {
  for (const auto& source : sources()) {
    for (const auto& function : functionsOf(source.text)) {
      EXPECT_LE(function.lines, kMostLinesOfAFunction)
          << source.path << ":" << function.line << ": " << function.head;
    }
  }
}

std::string namespaceOf(const std::string& folder) {
  const auto own = kNamespace.find(folder.substr(0, folder.find('/')));
  const auto below =
      own == kNamespace.end() ? std::regex_replace(folder, std::regex("/"), "::") : own->second;
  return below.empty() ? "slaq" : "slaq::" + below;
}

TEST(Layout, SourcesAreInTheNamespaceOfTheirFolder) {
  for (const auto& source : sources()) {
    if (source.path.ends_with("main.cpp")) continue;
    EXPECT_NE(source.text.find("namespace " + namespaceOf(source.folder) + " {"), std::string::npos)
        << source.path << " does not open " << namespaceOf(source.folder);
  }
}

TEST(Layout, OnlyThePoliciesAndTheConfigurationNamePolicies) {
  const std::regex policy(
      R"re(\b(TotalQuality|MinQuality|LeastAttainedService|FinishTime|LookAhead|Oracle)\b)re");
  for (const auto& source : sources()) {
    const bool program = names({"cli", "trainer", "report", "controller"}, source.folder);
    if (program || names(kMayNamePolicies, source.folder)) continue;
    EXPECT_FALSE(std::regex_search(source.text, policy)) << source.path;
  }
}

// The beginnings and the lengths of functions.
std::vector<std::string> found(const std::string& source) {
  std::vector<std::string> out;
  for (const auto& each : functionsOf(source)) {
    out.push_back(each.head + " @" + std::to_string(each.line) + "+" + std::to_string(each.lines));
  }
  return out;
}

TEST(Functions, AreFoundInNamespacesAndClasses) {
  EXPECT_THAT(found("namespace a {\nint f(int x,\n      int y) {\n  return x;\n}\n}\n"),
              ElementsAre("int f(int x, int y) @2+4"));
  EXPECT_THAT(found("struct S final : Base {\n  int f() const { return {}; }\n};\n"),
              ElementsAre("int f() const @2+1"));
  EXPECT_THAT(found("template <class T>\nvoid f() {\n}\ntemplate <class T>\nstruct S {};\n"),
              ElementsAre("template <class T> void f() @1+3"));
}

TEST(Functions, HoldTheirLambdasAndBlocks) {
  EXPECT_THAT(found("void f() {\n  const auto g = [] {\n    if (true) {\n    }\n  };\n}\n"),
              ElementsAre("void f() @1+6"));
}

TEST(Functions, OfConstructorsBeginBehindTheMembers) {
  EXPECT_THAT(found("S::S() : a_{1} {\n\n}\n"), ElementsAre("S::S() : a_ @1+1", " @1+3"));
}

TEST(Functions, AreNotTablesTextsOrComments) {
  EXPECT_THAT(found("const std::vector<int (*)()> kAll = {\n};\n"), IsEmpty());
  EXPECT_THAT(found("// f() {\n/* g() { */\nconst char* kText = \"h() {\";\nconstexpr int kN = 1'000;\n"),
              IsEmpty());
  EXPECT_THAT(found("const char* kText = R\"x(f() { \")\" )x\";\nchar c = '{';\n"), IsEmpty());
  EXPECT_THAT(found("#define F() \\\n  {\nvoid f() {}\n"), ElementsAre("void f() @3+1"));
}

}  // namespace
}  // namespace slaq::layout
