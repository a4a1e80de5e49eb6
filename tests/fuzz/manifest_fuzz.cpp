// TrainingJobs as people write them.
#include "fuzz/checks.h"
#include "job/validate.h"
#include "manifest/manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const auto jobs = manifest::readManifest("job.yaml", fuzz::textOf(data, size));
  if (!jobs) {
    fuzz::checkSentences(jobs.error().message);
    return 0;
  }
  fuzz::check(!jobs->empty(), "a manifest has jobs");
  for (const auto& job : *jobs) {
    fuzz::check(validate(job).empty(), "a job that was read keeps the rules");
    fuzz::check(coresOf(job.spec.workers.pod) <= kMostCores, "a worker's cores are in bounds");
  }
  return 0;
}
