// The chart's Grafana dashboard: JSON that Grafana can draw, about metrics that exist.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace slaq::telemetry {
namespace {

std::string textOf(const std::string& file) {
  std::ifstream in(std::string(SLAQ_SOURCE_DIR) + "/" + file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::set<std::string> metricsIn(const std::string& text) {
  static const std::regex kName("slaq_[a-z_]+");
  std::set<std::string> names;
  for (std::sregex_iterator each(text.begin(), text.end(), kName), end; each != end; ++each) {
    std::string name = each->str();
    if (name.ends_with("_bucket")) name.resize(name.size() - 7);  // of a histogram
    names.insert(name);
  }
  return names;
}

struct Place {
  int x, y, w, h;

  bool overlaps(const Place& other) const {
    return x < other.x + other.w && other.x < x + w && y < other.y + other.h && other.y < y + h;
  }
};

class Dashboard : public ::testing::Test {
 protected:
  void SetUp() override {
    document.Parse(textOf("charts/slaq/files/dashboards/slaq.json").c_str());
    ASSERT_FALSE(document.HasParseError());
    ASSERT_GT(document["panels"].Size(), 10u);
  }

  rapidjson::Document document;
};

TEST_F(Dashboard, GivesEachPanelAnIdAndAPlaceOfItsOwn) {
  std::set<int> ids;
  std::vector<Place> places;
  for (const auto& panel : document["panels"].GetArray()) {
    EXPECT_TRUE(ids.insert(panel["id"].GetInt()).second) << panel["title"].GetString();
    const auto& at = panel["gridPos"];
    const Place place{at["x"].GetInt(), at["y"].GetInt(), at["w"].GetInt(), at["h"].GetInt()};
    EXPECT_LE(place.x + place.w, 24) << panel["title"].GetString();
    for (const auto& other : places) EXPECT_FALSE(place.overlaps(other)) << panel["title"].GetString();
    places.push_back(place);
  }
}

TEST_F(Dashboard, AsksOnlyForMetricsThatAreExportedAndDocumented) {
  const auto exported =
      metricsIn(textOf("src/telemetry/job_metrics.cpp") + textOf("src/telemetry/cluster_metrics.cpp") +
                textOf("src/telemetry/self_metrics.cpp"));
  const auto documented = metricsIn(textOf("docs/metrics.md"));
  for (const auto& panel : document["panels"].GetArray()) {
    for (const auto& target : panel["targets"].GetArray()) {
      for (const auto& name : metricsIn(target["expr"].GetString())) {
        EXPECT_TRUE(exported.contains(name)) << name;
        EXPECT_TRUE(documented.contains(name)) << name;
      }
    }
  }
}

TEST_F(Dashboard, SelectsByTheChosenNamespaceAndJob) {
  for (const auto& panel : document["panels"].GetArray()) {
    for (const auto& target : panel["targets"].GetArray()) {
      const std::string expression = target["expr"].GetString();
      if (expression.find("slaq_job_") == std::string::npos) continue;
      EXPECT_NE(expression.find("training_namespace=~\"$namespace\",training_job=~\"$job\""),
                std::string::npos)
          << expression;
    }
  }
}

}  // namespace
}  // namespace slaq::telemetry
