// The status of a TrainingJob, which an administrator may have edited.
#include <string>

#include "fuzz/checks.h"
#include "kube/json/json_fields.h"
#include "manifest/object_writer.h"
#include "manifest/status_codec.h"

namespace slaq::fuzz {
namespace {

std::string written(const JobStatus& status) {
  rapidjson::Document document;
  return manifest::toText(manifest::writeStatus(status, document.GetAllocator()));
}

}  // namespace
}  // namespace slaq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const auto document = kube::json::parseJson(fuzz::textOf(data, size));
  if (document.HasParseError()) return 0;
  const std::string once = fuzz::written(manifest::readStatus(document));
  const auto first = kube::json::parseJson(once);
  fuzz::check(!first.HasParseError(), "a status is written as JSON");
  const std::string twice = fuzz::written(manifest::readStatus(first));
  fuzz::check(once == twice, "a status is the same after it is written and read: " + once + " and " + twice);
  return 0;
}
