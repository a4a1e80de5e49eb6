#include "config/read_scheduling.h"

#include <algorithm>
#include <cctype>

#include "base/dns_name.h"
#include "config/limits.h"
#include "forecast/predictors/registry.h"

namespace slaq::config {
namespace {

constexpr int kHeaviest = 1000;
constexpr const char* kCpu = "cpu";

scheduler::ResizePrice readResize(yaml::Fields fields) {
  scheduler::ResizePrice resize;
  resize.grow = fields.seconds("growSeconds", resize.grow, Seconds(0), kHour);
  resize.shrink = fields.seconds("shrinkSeconds", resize.shrink, Seconds(0), kHour);
  resize.horizon = fields.seconds("horizonSeconds", resize.horizon, Seconds(1), kHour);
  fields.refuseOthers();
  return resize;
}

// Accepts "cpu" and what a device plugin counts, such as "nvidia.com/gpu". Memory and disk are counted in
// bytes, not in pieces.
bool isCountable(const std::string& resource) {
  const auto slash = resource.find('/');
  const auto allowed = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_' || c == '/';
  };
  return resource == kCpu ||
         (slash != std::string::npos && slash > 0 && slash + 1 < resource.size() &&
          resource.find('/', slash + 1) == std::string::npos && std::ranges::all_of(resource, allowed));
}

std::string readResource(yaml::Fields& capacity) {
  const auto resource = capacity.text("resource", kCpu);
  if (!isCountable(resource)) {
    capacity.mistake("resource",
                     "must be cpu or a resource that is counted in pieces, such as nvidia.com/gpu");
  }
  return resource;
}

void checkWhole(yaml::Fields& fields, std::optional<Cores> cores, const std::string& resource) {
  if (resource == kCpu || !cores || cores->value() % 1000 == 0) return;
  fields.mistake("cores", "must be a whole number where capacity is counted in " + printable(resource));
}

void readCapacity(yaml::Fields fields, scheduler::Settings& into) {
  into.resource = readResource(fields);
  into.capacity = fields.cores("cores");
  checkWhole(fields, into.capacity, into.resource);
  const bool automatic = fields.flag("automatic", false);
  if (fields.has("cores") && automatic) {
    fields.mistake("automatic", "can't be true beside cores; remove one of the two");
  } else if (!fields.has("cores") && !automatic) {
    fields.mistake(
        "cores",
        "is missing; give the cores that training jobs may share, such as cores: 16, or automatic: "
        "true to take what the nodes have");
  }
  fields.refuseOthers();
}

scheduler::NamespaceLimit readLimit(yaml::Fields fields, const std::string& resource) {
  scheduler::NamespaceLimit limit;
  limit.cores = fields.cores("cores");
  checkWhole(fields, limit.cores, resource);
  limit.weight = fields.whole("weight", 1, kHeaviest);
  if (!fields.has("cores") && !fields.has("weight")) {
    fields.mistake("must give cores, weight or both, such as {cores: 8, weight: 10}");
  }
  fields.refuseOthers();
  return limit;
}

std::map<std::string, scheduler::NamespaceLimit> readLimits(yaml::Fields fields,
                                                            const std::string& resource) {
  std::map<std::string, scheduler::NamespaceLimit> limits;
  for (const auto& ns : fields.keys()) {
    if (ns != "*" && !isDnsLabel(ns)) {
      fields.mistake(ns.c_str(), "must be the name of a namespace, or \"*\" for each that is not named");
    }
    limits[ns] = readLimit(fields.section(ns.c_str()), resource);
  }
  return limits;
}

}  // namespace

scheduler::Settings readScheduling(yaml::Fields& root) {
  scheduler::Settings settings;
  settings.mode = root.choice("mode", settings.mode, {Mode::Schedule, Mode::Observe});
  settings.epoch = root.seconds("epochSeconds", settings.epoch, kTenth, kHour);
  settings.policy = root.choice("policy", settings.policy, scheduler::clusterPolicies());
  settings.predictor = root.choice("predictor", settings.predictor, forecast::predictorNames());
  readCapacity(root.section("capacity"), settings);
  settings.limits = readLimits(root.section("limits"), settings.resource);
  settings.price = readResize(root.section("resize"));
  return settings;
}

}  // namespace slaq::config
