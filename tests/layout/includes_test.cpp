// The layout of docs/design.md, enforced: which folder may include from which, and which library stays in
// which folder.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>

#include "layout/rooms.h"
#include "layout/sources.h"

namespace slaq::layout {
namespace {

using Edges = std::map<std::string, std::set<std::string>>;

// A cycle among the edges as "a -> b -> a"; empty if there is none.
std::string cycleIn(const Edges& edges) {
  std::set<std::string> done;
  std::vector<std::string> way;
  const std::function<std::string(const std::string&)> visit = [&](const std::string& node) -> std::string {
    for (std::size_t i = 0; i < way.size(); ++i) {
      if (way[i] != node) continue;
      std::string text;
      for (; i < way.size(); ++i) text += way[i] + " -> ";
      return text + node;
    }
    if (done.contains(node)) return "";
    way.push_back(node);
    if (const auto found = edges.find(node); found != edges.end()) {
      for (const auto& each : found->second) {
        if (auto cycle = visit(each); !cycle.empty()) return cycle;
      }
    }
    way.pop_back();
    done.insert(node);
    return "";
  };
  for (const auto& [node, targets] : edges) {
    if (auto cycle = visit(node); !cycle.empty()) return cycle;
  }
  return "";
}

TEST(Layout, FindsCycles) {
  EXPECT_EQ(cycleIn({{"a", {"b", "c"}}, {"b", {"c"}}}), "");
  EXPECT_EQ(cycleIn({{"a", {"b"}}, {"b", {"c"}}, {"c", {"b"}}}), "b -> c -> b");
}

TEST(Layout, EveryFolderIncludesOnlyWhatItMay) {
  ASSERT_GT(sources().size(), 200u);
  for (const auto& source : sources()) {
    ASSERT_TRUE(kMayInclude.contains(source.folder))
        << source.folder << " is missing from the table in rooms.h";
    for (const auto& include : source.includes) {
      if (!include.ours || include.folder == source.folder) continue;
      EXPECT_TRUE(kMayInclude.at(source.folder).contains(include.folder))
          << source.path << " includes " << include.target << ": " << source.folder << " may not know "
          << include.folder;
    }
  }
}

TEST(Layout, FoldersHaveNoCycle) { EXPECT_EQ(cycleIn(kMayInclude), ""); }

TEST(Layout, FilesHaveNoCycle) {
  Edges edges;  // between pairs of a header and its source
  for (const auto& source : sources()) {
    for (const auto& include : source.includes) {
      const auto target = include.target.substr(0, include.target.rfind('.'));
      if (include.ours && target != source.pair()) edges[source.pair()].insert(target);
    }
  }
  EXPECT_EQ(cycleIn(edges), "");
}

TEST(Layout, LibrariesStayInTheirFolder) {
  for (const auto& source : sources()) {
    for (const auto& include : source.includes) {
      for (const auto& [library, homes] : kLibraryHomes) {
        if (include.ours || !include.target.starts_with(library)) continue;
        EXPECT_TRUE(homes.contains(source.folder)) << source.path << " includes " << include.target;
        EXPECT_FALSE(source.isHeader()) << source.path << " passes " << include.target << " on";
      }
    }
  }
}

}  // namespace
}  // namespace slaq::layout
