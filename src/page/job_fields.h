// What is known of a job now, as fields of JSON: on pages, and by `slaq top` and `slaq explain` for scripts.
// Numbers are numbers, what is not known is left out, times are RFC 3339 in UTC, cores are decimals.
#pragma once

#include <rapidjson/document.h>

#include <optional>

#include "job/job.h"
#include "job/status.h"
#include "manifest/object_writer.h"

namespace slaq::page {

// A job's workers: those that are ready, those decided on, the most that it may have, and the cores of each
// where it scales by CPU.
struct WorkersNow {
  Workers ready;
  Workers desired;
  Workers most;
  std::optional<Cores> coresEach = {};
};

void addWorkers(manifest::ObjectWriter& object, const WorkersNow& workers,
                rapidjson::Document::AllocatorType& allocator);

// `state` is that of the status, unless more is known.
void addStatus(manifest::ObjectWriter& object, const JobStatus& status, JobState state,
               rapidjson::Document::AllocatorType& allocator);

}  // namespace slaq::page
