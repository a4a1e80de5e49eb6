#include "kube/records/config_map_records.h"

#include <openssl/evp.h>

#include <array>

#include "kube/json/json_fields.h"
#include "manifest/object_writer.h"
#include "manifest/record_codec.h"

namespace slaq::kube::records {
namespace {

using rapidjson::Value;

// The name of a kind may hold any character, the key of a ConfigMap only few.
std::string keyOf(const std::string& kind) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  EVP_Digest(kind.data(), kind.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  static constexpr std::string_view kHex = "0123456789abcdef";
  static constexpr std::size_t kBytes = 10;
  std::string key = "kind-";
  for (std::size_t i = 0; i < kBytes; ++i) {
    key += kHex[digest[i] >> 4U];
    key += kHex[digest[i] & 0xfU];
  }
  return key;
}

}  // namespace

ConfigMapRecords::ConfigMapRecords(client::Api& api, std::string ns, std::string name)
    : api_(api), target_{client::kConfigMaps, std::move(ns), std::move(name)} {}

Result<std::vector<KindRecord>> ConfigMapRecords::read() {
  std::vector<KindRecord> kinds;
  const auto found = api_.get(target_);
  if (!found && found.error().kind == ErrorKind::NotFound) return kinds;
  if (!found) return failure(found.error());
  const Value* data = json::at(*found, {"data"});
  if (data == nullptr || !data->IsObject()) return kinds;
  for (const auto& entry : data->GetObject()) {
    if (!entry.value.IsString()) continue;
    auto kind = manifest::readKindRecord({entry.value.GetString(), entry.value.GetStringLength()});
    if (kind) kinds.push_back(*std::move(kind));
  }
  return kinds;
}

Result<void> ConfigMapRecords::write(std::span<const KindRecord> kinds) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  Value data(rapidjson::kObjectType);
  Value patch(rapidjson::kObjectType);
  for (const KindRecord& each : kinds) {
    const std::string key = keyOf(each.kind);
    const Value text = each.newest.empty() ? Value() : Value(manifest::toText(each).c_str(), allocator);
    patch.AddMember(Value(key.c_str(), allocator), Value(text, allocator), allocator);
    if (!text.IsNull()) data.AddMember(Value(key.c_str(), allocator), Value(text, allocator), allocator);
  }
  const auto written = api_.patch(
      target_, manifest::toText(manifest::ObjectWriter(allocator).add("data", std::move(patch)).take()));
  if (written) return {};
  if (written.error().kind != ErrorKind::NotFound) return failure(written.error());
  const auto metadata = [&] {
    return manifest::ObjectWriter(allocator).add("name", target_.name).add("namespace", target_.ns).take();
  };
  return create(manifest::toText(manifest::ObjectWriter(allocator)
                                     .add("apiVersion", "v1")
                                     .add("kind", "ConfigMap")
                                     .add("metadata", metadata())
                                     .add("data", std::move(data))
                                     .take()));
}

Result<void> ConfigMapRecords::create(const std::string& body) {
  const auto created = api_.create(target_, body);
  if (!created) return failure(created.error());
  if (!*created) return failure(ErrorKind::Conflict, toString(target_) + " was created by somebody else");
  return {};
}

}  // namespace slaq::kube::records
