// The layout of docs/design.md, enforced: which folder may include from which, and which library stays in
// which folder.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace slaq {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"base", {}},
    {"job", {"base"}},
    {"forecast", {"base", "job"}},
    {"schedule", {"base", "job", "forecast"}},
    {"loop", {"base", "job", "forecast", "schedule"}},
    {"http", {"base"}},
    {"yaml", {"base"}},
    {"manifest", {"base", "job", "yaml"}},
    {"config", {"base", "job", "forecast", "schedule", "yaml"}},
    {"prometheus", {"base", "job", "loop", "http"}},
    {"kube", {"base", "job", "loop", "http", "yaml", "manifest"}},
    {"local", {"base", "job", "loop", "manifest"}},
    {"telemetry", {"base", "job", "forecast", "schedule", "loop"}},
    {"simulate", {"base", "job", "forecast", "schedule", "loop", "yaml"}},
};

// Of the loop, adapters see the ports only.
const std::set<std::string> kSeesOnlyPorts = {"prometheus", "kube", "local"};

// Libraries that must be replaceable in one place.
const std::map<std::string, std::string> kLibraryHome = {
    {"cpprest/", "http"}, {"pplx/", "http"}, {"yaml-cpp/", "yaml"}, {"CivetServer.h", "telemetry"}};

struct Include {
  fs::path file;
  std::string folder;
  std::string target;
  bool ours = false;  // in quotes; libraries come in angle brackets
};

std::vector<Include> includesOf(const fs::path& root) {
  const std::regex pattern(R"re(^\s*#include\s*(["<])([^">]+)[">])re");
  std::vector<Include> found;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
    const auto folder = fs::relative(entry.path(), root).begin()->string();
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      std::smatch match;
      if (std::regex_search(line, match, pattern))
        found.push_back({entry.path(), folder, match[2], match[1] == "\""});
    }
  }
  return found;
}

const std::vector<Include>& sources() {
  static const auto all = includesOf(fs::path(SLAQ_SOURCE_DIR) / "src");
  return all;
}

TEST(Layout, EveryFolderIncludesOnlyFromBelow) {
  ASSERT_GT(sources().size(), 100u);
  for (const auto& include : sources()) {
    const auto slash = include.target.find('/');
    const auto target = include.target.substr(0, slash);
    if (!include.ours || slash == std::string::npos || !kMayInclude.contains(target) ||
        target == include.folder)
      continue;
    ASSERT_TRUE(kMayInclude.contains(include.folder))
        << include.folder << " is missing from this test's table";
    EXPECT_TRUE(kMayInclude.at(include.folder).contains(target))
        << include.file << " includes " << include.target << ": " << include.folder << " may not know "
        << target;
  }
}

TEST(Layout, AdaptersSeeOnlyTheLoopsPorts) {
  for (const auto& include : sources()) {
    if (!kSeesOnlyPorts.contains(include.folder) || !include.target.starts_with("loop/")) continue;
    EXPECT_EQ(include.target, "loop/ports.h") << include.file;
  }
}

TEST(Layout, LibrariesStayInTheirFolder) {
  for (const auto& include : sources()) {
    for (const auto& [library, home] : kLibraryHome) {
      if (include.target.starts_with(library)) {
        EXPECT_EQ(include.folder, home) << include.file << " includes " << include.target;
      }
    }
  }
}

TEST(Layout, AdaptersKeepTheirLibrariesOutOfTheirHeaders) {
  for (const auto& include : sources()) {
    if (include.file.extension() != ".h") continue;
    for (const auto& [library, home] : kLibraryHome) {
      EXPECT_FALSE(include.target.starts_with(library)) << include.file << " leaks " << include.target;
    }
  }
}

}  // namespace
}  // namespace slaq
