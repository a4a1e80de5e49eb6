#include "operated_prometheus.h"

#include <gtest/gtest.h>

#include <iostream>

#include "http/client.h"
#include "kube/client/resource.h"
#include "kube/json/json_fields.h"

namespace slaq::e2e {
namespace {

const std::string kRefresh = "-n monitoring annotate pod prometheus-rig-0 --overwrite refreshed=";

using kube::json::at;
using kube::json::parseJson;
using kube::json::stringAt;

// Calls `use` for each element of the array at a path; for none where there is no array.
template <class Use>
void forEach(const rapidjson::Value& document, std::initializer_list<std::string_view> path, Use use) {
  const auto* found = at(document, path);
  if (!found || !found->IsArray()) return;
  for (const auto& each : found->GetArray()) use(each);
}

}  // namespace

OperatedPrometheus::OperatedPrometheus(const Operator& cluster)
    : cluster_(cluster),
      url_("http://" + cluster.kubectl("-n monitoring get pod prometheus-rig-0 -o jsonpath={.status.podIP}") +
           ":9090") {}

std::string OperatedPrometheus::get(const std::string& path) const {
  http::HttpRequest request;
  request.path = path;
  const auto answer = http::makeHttpClient({.url = url_})->send(request);
  if (!answer) std::cerr << answer.error().message << '\n';
  return answer ? answer->body : "{}";
}

std::vector<Labels> OperatedPrometheus::ask(const std::string& query) const {
  std::vector<Labels> found;
  forEach(parseJson(get("/api/v1/query?query=" + kube::client::percentEncoded(query))), {"data", "result"},
          [&](const rapidjson::Value& series) {
            auto& labels = found.emplace_back();
            for (const auto& label : series["metric"].GetObject())
              labels[label.name.GetString()] = label.value.GetString();
          });
  return found;
}

std::map<std::string, std::string> OperatedPrometheus::alerts() const {
  std::map<std::string, std::string> found;
  forEach(parseJson(get("/api/v1/rules?type=alert")), {"data", "groups"}, [&](const rapidjson::Value& group) {
    forEach(group, {"rules"}, [&](const rapidjson::Value& rule) {
      found[stringAt(rule, {"name"})] = stringAt(rule, {"health"});
    });
  });
  return found;
}

void OperatedPrometheus::refresh() const {
  static int times = 0;
  cluster_.kubectl(kRefresh + std::to_string(++times));
}

}  // namespace slaq::e2e
