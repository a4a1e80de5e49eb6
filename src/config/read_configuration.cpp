#include "config/read_configuration.h"

#include <arpa/inet.h>

#include <array>
#include <charconv>

#include "base/dns_name.h"
#include "config/http_url.h"
#include "config/read_loss.h"
#include "config/read_scheduling.h"
#include "config/read_targets.h"
#include "yaml/fields.h"
#include "yaml/read_yaml.h"

namespace slaq::config {
namespace {

// The bounds of the lease's duration, in seconds.
constexpr int kLeastLease = 2;
constexpr int kLongestLease = 3600;

// slaq scrapes the pods itself, so it can scrape them at least once in each epoch.
void checkPace(const Configuration& configuration, yaml::Mistakes& mistakes) {
  const auto* pods = std::get_if<PodsLoss>(&configuration.loss);
  if (pods == nullptr || pods->interval <= configuration.scheduling.epoch) return;
  mistakes.add("loss.pods.intervalSeconds",
               "must be at most epochSeconds (" + toDecimal(configuration.scheduling.epoch.count()) + ")");
}

// A growth whose cost exceeds the horizon would never pay off.
void checkResize(const Configuration& configuration, yaml::Mistakes& mistakes) {
  const scheduler::ResizePrice& price = configuration.scheduling.price;
  if (price.grow < price.horizon) return;
  mistakes.add("resize.growSeconds", "must be less than horizonSeconds (" + toDecimal(price.horizon.count()) +
                                         "), or more workers would never pay");
}

std::string readNamespace(yaml::Fields& fields, const std::string& whatElse) {
  std::string ns = fields.text("namespace", "");
  if (ns.empty() || isDnsLabel(ns)) return ns;
  fields.mistake("namespace", "must be the name of a namespace, such as team-a, or left out for " + whatElse);
  return ns;
}

LeaderElection readLeaderElection(yaml::Fields fields) {
  LeaderElection election;
  election.enabled = fields.flag("enabled", election.enabled);
  election.ns = readNamespace(fields, "the controller's own");
  election.name = fields.text("name", election.name);
  if (!isDnsSubdomain(election.name)) {
    fields.mistake("name", "must be the name of a Lease, such as slaq-controller");
  }
  if (const auto lease = fields.whole("leaseSeconds", kLeastLease, kLongestLease))
    election.lease = Seconds(*lease);
  fields.refuseOthers();
  return election;
}

// Accepts an empty text for all addresses, or an IP address, where one of IPv6 is in brackets.
bool isHost(const std::string& text) {
  const bool inBrackets = text.starts_with('[') && text.ends_with(']');
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  if (inBrackets) return ::inet_pton(AF_INET6, text.substr(1, text.size() - 2).c_str(), bytes.data()) == 1;
  return text.empty() || ::inet_pton(AF_INET, text.c_str(), bytes.data()) == 1;
}

bool isAddress(const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || !isHost(text.substr(0, colon))) return false;
  unsigned port = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + colon + 1, last, port);
  return error == std::errc() && end == last && port <= 65535;
}

std::string readAddress(yaml::Fields& fields, const char* key, const std::string& fallback) {
  std::string address = fields.text(key, fallback);
  if (!isAddress(address))
    fields.mistake(key, "must be ADDRESS:PORT, such as 127.0.0.1" + fallback + ", [::1]" + fallback +
                            " or, for all addresses, " + fallback);
  return address;
}

Telemetry readTelemetry(yaml::Fields fields) {
  Telemetry read;
  read.address = readAddress(fields, "address", read.address);
  read.probeAddress = readAddress(fields, "probeAddress", read.probeAddress);
  read.certificateFile = fields.text("certificateFile", "");
  read.keyFile = fields.text("keyFile", "");
  read.authorize = fields.flag("authorize", false);
  if (read.certificateFile.empty() != read.keyFile.empty())
    fields.mistake(read.keyFile.empty() ? "certificateFile" : "keyFile",
                   "needs the other of certificateFile and keyFile too");
  if (read.authorize && read.certificateFile.empty())
    fields.mistake("authorize", "needs certificateFile and keyFile: tokens are not sent without encryption");
  fields.refuseOthers();
  return read;
}

LogLevel readLog(yaml::Fields fields) {
  const auto level = fields.choice("level", LogLevel::Info,
                                   {LogLevel::Debug, LogLevel::Info, LogLevel::Warn, LogLevel::Error});
  fields.refuseOthers();
  return level;
}

// The base address of the runbooks. Where it is empty, messages leave out the addresses of runbooks.
std::string readDocsUrl(yaml::Fields& root, const std::string& fallback) {
  const std::string url = root.text("docsUrl", fallback);
  if (url.empty()) return url;
  return checkedHttpUrl(root, "docsUrl", url, "https://github.com/you/slaq/blob/main/docs");
}

// The free capacity of nodes is only known if the pods of all namespaces are watched.
void checkCapacity(const Configuration& configuration, yaml::Mistakes& mistakes) {
  if (configuration.scheduling.capacity || configuration.ns.empty()) return;
  mistakes.add("capacity.automatic",
               "needs to see the pods of all namespaces; give capacity.cores, or leave namespace out");
}

void readKueue(yaml::Fields fields, Configuration& into, yaml::Mistakes& mistakes) {
  into.queues = fields.flag("enabled", false);
  into.priorityBoost = fields.flag("priorityBoost", false);
  if (into.priorityBoost && !into.queues)
    mistakes.add("kueue.priorityBoost", "is about jobs in queues; add kueue.enabled: true");
  fields.refuseOthers();
}

Configuration readFields(const yaml::LocatedDocument& document, yaml::Mistakes& mistakes) {
  Configuration read;
  yaml::Fields root(document.value, "", mistakes);
  read.scheduling = readScheduling(root);
  read.ns = readNamespace(root, "all of them");
  read.loss = readLoss(root);
  read.leaderElection = readLeaderElection(root.section("leaderElection"));
  read.telemetry = readTelemetry(root.section("telemetry"));
  read.logLevel = readLog(root.section("log"));
  read.docsUrl = readDocsUrl(root, read.docsUrl);
  read.reportImage = root.text("reportImage", read.reportImage);
  read.targets = readTargets(root);
  readKueue(root.section("kueue"), read, mistakes);
  root.refuseOthers();
  if (!mistakes.none()) return read;
  checkPace(read, mistakes);
  checkResize(read, mistakes);
  checkCapacity(read, mistakes);
  return read;
}

}  // namespace

std::vector<std::string> hintsOn(const Configuration& configuration) {
  const auto* loss = std::get_if<PrometheusLoss>(&configuration.loss);
  const Seconds epoch = configuration.scheduling.epoch;
  if (loss == nullptr || loss->scrapeInterval <= epoch) return {};
  return {"loss.prometheus.scrapeSeconds (" + toDecimal(loss->scrapeInterval.count()) +
          ") is more than epochSeconds (" + toDecimal(epoch.count()) +
          "), so that most decisions see no new loss; scrape the trainers more often, or raise epochSeconds"};
}

Result<Configuration> readConfiguration(const std::string& file, std::string_view text) {
  auto documents = yaml::readYaml(file, text);
  if (!documents) return failure(std::move(documents).error());
  if (documents->size() > 1) {
    const auto line = std::to_string(lineOf((*documents)[1], ""));
    return failure(ErrorKind::Invalid,
                   file + ":" + line + ": a configuration is one document; remove this one");
  }
  yaml::LocatedDocument document;
  document.file = file;
  if (!documents->empty()) document = std::move(documents->front());
  yaml::Mistakes mistakes(document);
  Configuration configuration = readFields(document, mistakes);
  if (!mistakes.none()) return failure(ErrorKind::Invalid, mistakes.text());
  return configuration;
}

}  // namespace slaq::config
