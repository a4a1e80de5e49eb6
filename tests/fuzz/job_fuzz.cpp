// TrainingJobs as the API server gives them.
#include <string>

#include "fuzz/checks.h"
#include "kube/json/json_fields.h"
#include "kube/objects/children.h"
#include "kube/objects/status_patch.h"
#include "kube/objects/training_job.h"
#include "manifest/job_reader.h"

namespace slaq::fuzz {
namespace {

void checkStored(const kube::objects::StoredJob& stored) {
  for (const auto& each : stored.violations) {
    if (!each.path.empty()) checkSentence(each.path);
    checkSentence(each.message);
  }
  const auto patch = kube::json::parseJson(kube::objects::statusPatch(stored, stored.status));
  check(!patch.HasParseError() && patch.IsObject(), "a status patch is a JSON object");
  if (!stored.violations.empty()) return;
  const auto job = kube::objects::wholeJob(stored);
  const auto& workers = job.spec.workers;
  check(workers.min >= Workers(1) && workers.min <= workers.max && workers.max <= Workers(100'000),
        "the numbers of workers are in bounds");
  for (const auto& body : {kube::objects::serviceBody(job), kube::objects::workersBody(job, workers.min),
                           kube::objects::workersBody(job, workers.max, Cores(1500))}) {
    const auto object = kube::json::parseJson(body);
    check(!object.HasParseError() && object.IsObject(), "a child is a JSON object");
  }
}

}  // namespace
}  // namespace slaq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const auto document = kube::json::parseJson(fuzz::textOf(data, size));
  if (document.HasParseError()) return 0;
  fuzz::checkStored(kube::objects::readStoredJob(document));
  const auto strict = manifest::readTrainingJob(document, manifest::UnknownFields::Refuse, "nvidia.com/gpu");
  for (const auto& each : strict.violations) fuzz::checkSentence(each.message);
  return 0;
}
