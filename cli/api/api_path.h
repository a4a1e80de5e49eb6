// The meaning of a request's path and query for a server of TrainingJobs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "job/job.h"

namespace slaq::cli::api {

enum class Place { Nowhere, Jobs, Job, Losses, Events, Namespaces };

struct ApiPath {
  Place place = Place::Nowhere;
  JobKey key;  // an empty namespace means all, an empty name no single job
  std::map<std::string, std::string> query;
};

// Invalid if the percent-encoding can't be read.
Result<ApiPath> apiPathFrom(std::string_view target);

// Selects events by a fieldSelector; an empty field selects all.
struct EventSelector {
  std::string kind;
  std::string ns;
  std::string name;
  std::string uid;
};

// Reads "involvedObject.name=train,involvedObject.uid=1". Invalid if it selects by anything else.
Result<EventSelector> eventSelectorFrom(std::string_view fields);

}  // namespace slaq::cli::api
