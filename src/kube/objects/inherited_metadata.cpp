#include "kube/objects/inherited_metadata.h"

#include <algorithm>
#include <array>

#include "kube/json/json_fields.h"

namespace slaq::kube::objects {
namespace {

// The domains of Kubernetes and Kueue, of slaq, and of programs that install: Helm, Argo CD, Flux.
constexpr std::array<std::string_view, 7> kDomains = {"kubernetes.io", "k8s.io",      "x-k8s.io", "slaq.io",
                                                      "helm.sh",       "argoproj.io", "fluxcd.io"};

bool isWithin(std::string_view name, std::string_view domain) {
  return name == domain || (name.ends_with(domain) && name[name.size() - domain.size() - 1] == '.');
}

}  // namespace

bool isInherited(std::string_view key) {
  const auto slash = key.find('/');
  if (slash == std::string_view::npos) return true;
  const auto prefix = key.substr(0, slash);
  return std::ranges::none_of(kDomains, [&](std::string_view domain) { return isWithin(prefix, domain); });
}

std::map<std::string, std::string> inheritedMetadata(const rapidjson::Value& object, std::string_view field) {
  std::map<std::string, std::string> inherited;
  const auto* all = json::at(object, {"metadata", field});
  if (!all || !all->IsObject()) return inherited;
  for (const auto& [key, value] : all->GetObject()) {
    const std::string_view name(key.GetString(), key.GetStringLength());
    if (value.IsString() && isInherited(name))
      inherited.emplace(name, std::string(value.GetString(), value.GetStringLength()));
  }
  return inherited;
}

}  // namespace slaq::kube::objects
