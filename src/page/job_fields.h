// The present state of a job as fields of JSON: on pages, and by `slaq top` and `slaq explain` for scripts.
// Numbers are JSON numbers, unknown values are left out, times are RFC 3339 in UTC, cores are decimals.
#pragma once

#include <rapidjson/document.h>

#include <optional>

#include "job/job.h"
#include "job/status.h"
#include "manifest/object_writer.h"

namespace slaq::page {

// The number of a job's workers: ready, decided on, and the most that it may have; and the cores of each
// where the job scales by CPU.
struct WorkersNow {
  Workers ready;
  Workers desired;
  Workers most;
  std::optional<Cores> coresEach = {};
};

void addWorkers(manifest::ObjectWriter& object, const WorkersNow& workers,
                rapidjson::Document::AllocatorType& allocator);

// `state` replaces the status's own state: the caller may know more.
void addStatus(manifest::ObjectWriter& object, const JobStatus& status, JobState state,
               rapidjson::Document::AllocatorType& allocator);

}  // namespace slaq::page
