// Kubeconfigs, and what the programs that they name write. Those that name other files or a program are left
// out: the target would read or run them.
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/clock.h"
#include "fuzz/checks.h"
#include "fuzz/memory_file.h"
#include "kube/auth/exec_credential.h"
#include "kube/auth/files.h"
#include "kube/auth/kubeconfig.h"
#include "yaml/read_yaml.h"

namespace slaq::fuzz {
namespace {

bool namesOthers(const rapidjson::Value& value) {
  static constexpr std::array<std::string_view, 5> kOthers = {"exec", "tokenFile", "certificate-authority",
                                                              "client-certificate", "client-key"};
  if (value.IsArray())
    return std::any_of(value.Begin(), value.End(), [](const auto& each) { return namesOthers(each); });
  if (!value.IsObject()) return false;
  return std::any_of(value.MemberBegin(), value.MemberEnd(), [](const auto& member) {
    return std::ranges::find(kOthers, std::string_view(member.name.GetString())) != kOthers.end() ||
           namesOthers(member.value);
  });
}

bool isHarmless(std::string_view text) {
  const auto documents = yaml::readYaml("kubeconfig", text);
  if (!documents) return true;
  return std::ranges::none_of(*documents, [](const auto& each) { return namesOthers(each.value); });
}

void readAsCredential(std::string_view text) {
  const auto credential = kube::auth::readCredential(std::string(text), "aws");
  if (!credential) return checkSentence(credential.error().message);
  check(!credential->token.empty() || !credential->clientKeyPem.empty(), "a credential is not empty");
}

void readAsBase64(std::string_view text) {
  const auto bytes = kube::auth::decodeBase64(text);
  if (bytes)
    check(kube::auth::decodeBase64(kube::auth::encodeBase64(*bytes)) == bytes, "base64 goes both ways");
}

}  // namespace
}  // namespace slaq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const auto text = fuzz::textOf(data, size);
  fuzz::readAsBase64(text);
  fuzz::readAsCredential(text);
  if (!fuzz::isHarmless(text)) return 0;
  const SystemClock clock;
  const fuzz::MemoryFile file(text);
  for (const char* context : {"", "other"}) {
    const auto access = kube::auth::kubeconfigAccess(file.path(), context, clock);
    if (access) {
      fuzz::check(!access->endpoint.url.empty() && !access->ns.empty(),
                  "an access has a server and a namespace");
    } else {
      fuzz::checkSentence(access.error().message);
    }
  }
  return 0;
}
