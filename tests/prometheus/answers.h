// Answers of Prometheus's API, written by tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace slaq::test {

struct WrittenSeries {
  std::string metric;
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<std::pair<double, std::string>> points;  // seconds, and the value as text
};

inline std::string answerOf(const std::vector<WrittenSeries>& all) {
  std::string json = R"({"status":"success","data":{"resultType":"matrix","result":[)";
  for (const auto& series : all) {
    if (json.back() != '[') json += ',';
    json += R"({"metric":{"__name__":")" + series.metric + '"';
    for (const auto& [name, value] : series.labels) json += ",\"" + name + "\":\"" + value + '"';
    json += R"(},"values":[)";
    for (const auto& [time, value] : series.points) {
      if (json.back() != '[') json += ',';
      json += "[" + std::to_string(time) + ",\"" + value + "\"]";
    }
    json += "]}";
  }
  return json + "]}}";
}

}  // namespace slaq::test
