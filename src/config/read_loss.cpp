#include "config/read_loss.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "config/http_url.h"
#include "config/limits.h"

namespace slaq::config {
namespace {

bool isLabelName(const std::string& text) {
  const auto allowed = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !text.empty() && std::ranges::all_of(text, allowed) &&
         !std::isdigit(static_cast<unsigned char>(text.front()));
}

std::string readLabel(yaml::Fields& fields, const char* key, const std::string& fallback) {
  std::string label = fields.text(key, fallback);
  if (!isLabelName(label)) {
    fields.mistake(key, "must be a label as Prometheus has it: letters, digits and _");
  }
  return label;
}

TargetLabels readLabels(yaml::Fields fields) {
  TargetLabels labels;
  labels.ns = readLabel(fields, "namespace", labels.ns);
  labels.job = readLabel(fields, "job", labels.job);
  labels.uid = readLabel(fields, "uid", labels.uid);
  if (std::set{labels.ns, labels.job, labels.uid}.size() < 3) {
    fields.mistake("namespace, job and uid must be three different labels; they are " + printable(labels.ns) +
                   ", " + printable(labels.job) + " and " + printable(labels.uid));
  }
  fields.refuseOthers();
  return labels;
}

std::map<std::string, std::string> readHeaders(yaml::Fields& fields) {
  auto headers = fields.texts("headers");
  for (const auto& [name, text] : headers) {
    const bool token = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
      return std::isalnum(c) || c == '-' || c == '_';
    });
    const std::string lower = lowerCase(name);
    if (!token || text.find_first_of("\r\n") != std::string::npos) {
      fields.mistake("headers", "'" + printable(name) + "' must be the name of a header, its value one line");
    } else if (lower == "host") {
      fields.mistake("headers", "Host is not set here; give the name of the host in serverAddress");
    } else if (lower == "authorization") {
      fields.mistake(
          "headers",
          "Authorization is not set here; give the token's file as bearerTokenFile, or usernameFile and "
          "passwordFile");
    }
  }
  return headers;
}

// Reads the names of two files that are only useful together.
std::pair<std::string, std::string> readPair(yaml::Fields& fields, const char* one, const char* other) {
  std::pair<std::string, std::string> files = {fields.text(one, ""), fields.text(other, "")};
  if (files.first.empty() != files.second.empty()) {
    fields.mistake(files.second.empty() ? one : other,
                   std::string(one) + " and " + other + " go together; give both or none");
  }
  return files;
}

// Reads the credentials. They may not be in the URL, since everyone who may read the configuration could read
// the password there.
void readCredentials(yaml::Fields& fields, PrometheusLoss& loss) {
  const std::string host =
      loss.serverAddress.substr(0, loss.serverAddress.find('/', loss.serverAddress.find("//") + 2));
  if (host.find('@') != std::string::npos) {
    fields.mistake(
        "serverAddress",
        "must be without a user and a password, which everybody could read there; put them into the "
        "files usernameFile and passwordFile");
  }
  loss.bearerTokenFile = fields.text("bearerTokenFile", "");
  std::tie(loss.usernameFile, loss.passwordFile) = readPair(fields, "usernameFile", "passwordFile");
  if (!loss.bearerTokenFile.empty() && !loss.usernameFile.empty()) {
    fields.mistake("usernameFile", "goes without bearerTokenFile: one request can't have both; remove one");
  }
}

PrometheusLoss readPrometheus(yaml::Fields fields) {
  PrometheusLoss loss;
  loss.serverAddress = checkedHttpUrl(fields, "serverAddress", fields.text("serverAddress", ""),
                                      "http://prometheus.monitoring:9090");
  readCredentials(fields, loss);
  loss.caFile = fields.text("caFile", "");
  std::tie(loss.clientCertificateFile, loss.clientKeyFile) =
      readPair(fields, "clientCertificateFile", "clientKeyFile");
  loss.headers = readHeaders(fields);
  loss.scrapeInterval = fields.seconds("scrapeSeconds", loss.scrapeInterval, kTenth, kHour);
  loss.labels = readLabels(fields.section("labels"));
  yaml::Fields queries = fields.section("queries");
  loss.queriesAllowed = queries.flag("allowed", loss.queriesAllowed);
  queries.refuseOthers();
  fields.refuseOthers();
  return loss;
}

PodsLoss readPods(yaml::Fields fields) {
  PodsLoss loss;
  loss.interval = fields.seconds("intervalSeconds", loss.interval, kTenth, kHour);
  fields.refuseOthers();
  return loss;
}

}  // namespace

LossSettings readLoss(yaml::Fields& root) {
  yaml::Fields fields = root.section("loss");
  if (fields.has("prometheus") == fields.has("pods")) {
    root.mistake("loss", "must name one source of loss: either prometheus or pods");
  }
  LossSettings loss;
  if (fields.has("prometheus")) loss = readPrometheus(fields.section("prometheus"));
  if (fields.has("pods")) loss = readPods(fields.section("pods"));
  fields.know({"prometheus", "pods"});
  fields.refuseOthers();
  return loss;
}

}  // namespace slaq::config
