#include "kube/objects/status_patch.h"

#include "kube/objects/names.h"
#include "kube/objects/runbooks.h"
#include "manifest/object_writer.h"
#include "manifest/status_codec.h"

namespace slaq::kube::objects {
namespace {

using rapidjson::Value;
using Allocator = rapidjson::Document::AllocatorType;

// A merge patch removes a field only if it sets the field to null.
void removeAbsent(Value& object, std::initializer_list<const char*> keys, Allocator& allocator) {
  for (const char* key : keys) {
    if (!object.HasMember(key)) object.AddMember(rapidjson::StringRef(key), Value(), allocator);
  }
}

std::string textOf(const JobStatus& status) {
  rapidjson::Document document;
  return manifest::toText(manifest::writeStatus(status, document.GetAllocator()));
}

}  // namespace

std::string statusPatch(const StoredJob& stored, JobStatus status, const std::string& docsUrl) {
  for (auto& condition : status.conditions) {
    if (needsRunbook(condition))
      condition.message = withRunbook(std::move(condition.message), condition.reason, docsUrl);
  }
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  Value body = manifest::writeStatus(status, allocator);
  body.AddMember("selector", Value(workerSelector(stored.key.name).c_str(), allocator), allocator);
  if (body.HasMember("progress")) {
    removeAbsent(body["progress"],
                 {"level", "progressPercentage", "estimatedRemainingSeconds", "convergence",
                  "forecastFinalLoss", "iterationsTo"},
                 allocator);
  }
  if (body.HasMember("decision")) {
    removeAbsent(body["decision"], {"price", "forecastLoss", "workerCpu"}, allocator);
  }
  if (body.HasMember("resizeCost"))
    removeAbsent(body["resizeCost"], {"growSeconds", "shrinkSeconds", "lostSeconds"}, allocator);
  removeAbsent(body, {"startTime", "completionTime", "progress", "speeds", "resizeCost", "kind", "decision"},
               allocator);
  return manifest::toText(
      manifest::ObjectWriter(allocator)
          .add("metadata",
               manifest::ObjectWriter(allocator).add("resourceVersion", stored.resourceVersion).take())
          .add("status", std::move(body))
          .take());
}

bool statusReached(const StoredJob& stored, const JobStatus& status) {
  return !stored.selector.empty() && textOf(stored.status) == textOf(status);
}

}  // namespace slaq::kube::objects
