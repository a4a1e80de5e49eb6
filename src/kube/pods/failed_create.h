// Events by which the Job controller says that it cannot create the pods of a Job: a quota, Pod Security, an
// admission webhook or a missing ServiceAccount forbids them. Neither the Job nor any pod says so.
#pragma once

#include <rapidjson/document.h>

#include <string>

#include "job/job.h"

namespace slaq::kube::pods {

struct FailedCreate {
  JobKey key;  // the Event's own
  std::string uid;
  std::string resourceVersion;
  std::string job;      // the uid of the Job that it is about
  std::string message;  // the API server's words, printable
  Time last;            // when it happened last
};

// An event that was not repeated within this time is out of date. The Job controller tries again at least
// each minute, and its recorder writes a frequent event once in five minutes.
inline constexpr Seconds kFailedCreateLasts{6 * 60};

// Selects the Events of this kind in a collection.
inline constexpr const char* kFailedCreateFields = "reason=FailedCreate,involvedObject.kind=Job";

FailedCreate readFailedCreate(const rapidjson::Value& event);

}  // namespace slaq::kube::pods
