// The schema by which Helm checks the value `config` says what the controller's reader says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/pointer.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <memory>
#include <set>
#include <string>
#include <valijson/adapters/rapidjson_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "base/text_file.h"
#include "config/read_configuration.h"

namespace slaq::config {
namespace {

using rapidjson::Document;
using rapidjson::Pointer;
using rapidjson::Value;

// Each field beside others with which all its values go together.
constexpr const char* kPrometheus = R"({"epochSeconds": 3600, "capacity": {"cores": 4},
    "loss": {"prometheus": {"serverAddress": "http://p:9090", "scrapeSeconds": 0.1,
                            "usernameFile": "/u", "passwordFile": "/p",
                            "clientCertificateFile": "/c", "clientKeyFile": "/k"}},
    "resize": {"growSeconds": 0, "horizonSeconds": 3600},
    "telemetry": {"certificateFile": "/c", "keyFile": "/k"}})";
constexpr const char* kPods = R"({"epochSeconds": 3600, "capacity": {"cores": 4}, "loss": {"pods": {}}})";
constexpr const char* kLeast =
    R"({"capacity": {"cores": 4}, "loss": {"prometheus": {"serverAddress": "http://p:9090"}}})";

// What the reader refuses and the schema takes: it is wrong beside another field, or no port.
const std::set<std::string> kBeyondTheSchema = {
    "/capacity/automatic true",
    "/resize/growSeconds 3600",
    "/loss/prometheus/clientCertificateFile \"\"",
    "/loss/prometheus/clientKeyFile \"\"",
    "/telemetry/certificateFile \"\"",
    "/telemetry/keyFile \"\"",
    "/telemetry/address \"127.0.0.1:99999\"",
    "/telemetry/probeAddress \"127.0.0.1:99999\"",
    "/loss/prometheus/usernameFile \"\"",
    "/loss/prometheus/passwordFile \"\"",
};

std::string textOf(const Value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return buffer.GetString();
}

class ConfigurationSchema : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto text = readTextFile(SLAQ_SOURCE_DIR "/charts/slaq/values.schema.json");
    ASSERT_TRUE(text) << text.error().message;
    values_.Parse(text->c_str());
    ASSERT_FALSE(values_.HasParseError());
    // The part of the values that is the configuration, as a schema of its own.
    whole_.CopyFrom(definitions()["configuration"], whole_.GetAllocator());
    whole_.AddMember("definitions", Value(definitions(), whole_.GetAllocator()), whole_.GetAllocator());
    valijson::SchemaParser(valijson::SchemaParser::kDraft4)
        .populateSchema(valijson::adapters::RapidJsonAdapter(whole_), schema_);
  }

  const Value& definitions() const { return values_["definitions"]; }

  bool schemaTakes(const Value& configuration) const {
    return valijson::Validator().validate(schema_, valijson::adapters::RapidJsonAdapter(configuration),
                                          nullptr);
  }

  // The fields of the schema that are no sections, and the sections, by their JSON pointers.
  void walk(const Value& section, const std::string& path) {
    sections_.push_back(path);
    for (const auto& [name, field] : section["properties"].GetObject()) {
      const std::string to = path + "/" + name.GetString();
      if (field.HasMember("properties")) {
        walk(field, to);
      } else {
        fields_.emplace_back(to, &field);
      }
    }
  }

  std::vector<std::string> sections_;
  std::vector<std::pair<std::string, const Value*>> fields_;
  Document values_;
  Document whole_;
  valijson::Schema schema_;
};

Document base(const std::string& path) {
  Document document;
  const bool isToken = path == "/loss/prometheus/bearerTokenFile";  // it goes without a user
  document.Parse(path.starts_with("/loss/pods") ? kPods : isToken ? kLeast : kPrometheus);
  return document;
}

bool readerTakes(const Value& configuration) {
  return readConfiguration("c.yaml", textOf(configuration)).operator bool();
}

// A value of each type and at each bound that the configuration has.
Document samples() {
  Document samples;
  samples.Parse(
      R"([true, false, -1, 0, 0.05, 0.1, 1, 1.5, 2, 1000, 1001, 3600, 3601, 1000000, 1000001, 1e300, "",
      "some text", "0", "0.0", "00.5", "1.", ".5", "500m", "3x", "-1", "1e3", "cpu", "nvidia.com/gpu", "nvidia.com/", "a/b/c", "0.0.0.0:8080",
      "[::]:1", "a:", ":80", "127.0.0.1:99999", "127.0.0.1:100000", "localhost:80", "http://u:p@h", "team-a", "Team", "-a", "a.b", "http://p", "https://p:1/x", "http://",
      "http://a b", "http://p?q", "ftp://p", "a_b", "1a", "Schedule", "Observe", "LookAhead", "TotalQuality", "MinQuality", "Fair",
      "LeastAttainedService", "FinishTime", "Oracle", "Ensemble", "Published", "Strawman", "debug", "info", "warn", "error", [], [1], {},
      {"a": 1}, {"a": "b"}, {"a b": "c"}, {"Authorization": "c"}, {"AUTHORIZATION": "c"}, {"X-Scope-OrgID": "1"}, {"a": "b\nc"},
      {"team-a": {}}, {"team-a": {"cores": 4}}, {"*": {"weight": 10}}, {"*": {"weight": 0}}, {"Team": {"weight": 1}}, {"a": {"core": 1}}, ["Deployment"], ["JobSet", "RayCluster"], ["Pod"],
      [{"apiVersion": "a/v1", "kind": "K", "plural": "ks", "specReplicasPath": "/s/a", "readyReplicasPath": "/s/b", "templatePath": "/s/c"}],
      [{"apiVersion": "a/v1", "kind": "K", "plural": "ks", "specReplicasPath": "/s/a", "readyReplicasPath": "/s/b", "templatePath": "/s/c",
        "statusReplicasPath": "/s/d", "minReplicasPath": "/e/[f]/g", "maxReplicasPath": "/s/h", "suspendPath": "/s/i", "completeCondition": "J",
        "scale": true}],
      [{"apiVersion": "v1", "kind": "K", "plural": "ks", "specReplicasPath": "/s/a", "readyReplicasPath": "/s/b", "templatePath": "/s/c"}],
      [{"apiVersion": "a/v1", "kind": "K", "plural": "ks", "specReplicasPath": "a", "readyReplicasPath": "/s/b", "templatePath": "/s/c"}],
      [{"apiVersion": "a/v1", "kind": "K", "plural": "ks", "specReplicasPath": "/s/a", "readyReplicasPath": "/s/b", "templatePath": "/t"}],
      [{"apiVersion": "a/v1", "kind": "", "plural": "ks", "specReplicasPath": "/s/a", "readyReplicasPath": "/s/b", "templatePath": "/s/c"}],
      [{"apiVersion": "a/v1", "kind": "K", "plural": "ks", "readyReplicasPath": "/s/b", "templatePath": "/s/c"}],
      [{"apiVersion": "a/v1", "kind": "K", "plural": "ks", "specReplicasPath": "/s/a", "readyReplicasPath": "/s/b", "templatePath": "/s/c", "z": 1}]])");
  return samples;
}

TEST_F(ConfigurationSchema, TakesWhatTheReaderTakes) {
  walk(definitions()["configuration"], "");
  std::set<std::string> beyond = kBeyondTheSchema;
  const Document all = samples();
  ASSERT_TRUE(all.IsArray());
  for (const auto& [path, field] : fields_) {
    for (const auto& sample : all.GetArray()) {
      Document document = base(path);
      Pointer(path.c_str()).Set(document, Value(sample, document.GetAllocator()));
      const std::string what = path + " " + textOf(sample);
      const bool taken = schemaTakes(document) && beyond.erase(what) == 0;
      EXPECT_EQ(taken, readerTakes(document)) << what;
    }
  }
  EXPECT_THAT(beyond, ::testing::IsEmpty()) << "these are not refused";
}

TEST_F(ConfigurationSchema, RefusesUnknownKeysInEachSection) {
  walk(definitions()["configuration"], "");
  for (const auto& path : sections_) {
    Document document = base(path);
    Pointer((path + "/unknown").c_str()).Set(document, 1);
    EXPECT_FALSE(schemaTakes(document)) << path;
    EXPECT_FALSE(readerTakes(document)) << path;
  }
}

TEST_F(ConfigurationSchema, HasTheReadersDefaults) {
  walk(definitions()["configuration"], "");
  Document document;
  document.Parse(kLeast);
  for (const auto& [path, field] : fields_) {
    ASSERT_TRUE(field->HasMember("default") || path == "/loss/pods/intervalSeconds") << path;
    if (path == "/loss/prometheus/serverAddress" || path.starts_with("/loss/pods") ||
        (*field)["default"].IsNull())
      continue;
    Pointer(path.c_str()).Set(document, Value((*field)["default"], document.GetAllocator()));
  }
  const auto explicitly = readConfiguration("c.yaml", textOf(document));
  ASSERT_TRUE(explicitly) << explicitly.error().message;
  EXPECT_EQ(*explicitly, *readConfiguration("c.yaml", kLeast));
}

}  // namespace
}  // namespace slaq::config
