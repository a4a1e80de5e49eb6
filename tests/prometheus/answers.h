// Answers of Prometheus's API, written by tests, and the samples that are read from them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ports/loss_source.h"

namespace slaq::test {

inline constexpr Time kNow{Seconds(1'000'000)};

inline LossSample sample(double time, double iteration, double loss) {
  return {Time(Seconds(time)), Iterations(iteration), Loss(loss)};
}

using Points = std::vector<std::pair<double, std::string>>;  // seconds, and the value as text

struct WrittenSeries {
  std::string metric;
  std::vector<std::pair<std::string, std::string>> labels;
  Points points;
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
