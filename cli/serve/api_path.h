// What a request's path and query mean to a server of TrainingJobs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "job/job.h"

namespace slaq::cli::serve {

enum class Place { Nowhere, Jobs, Job, Events, Namespaces };

struct ApiPath {
  Place place = Place::Nowhere;
  JobKey key;  // the namespace is empty where all are meant, the name where no job is
  std::map<std::string, std::string> query;
};

// Invalid where what is percent-encoded can't be read.
Result<ApiPath> apiPathFrom(std::string_view target);

// Which events a fieldSelector takes; what is empty takes all.
struct EventSelector {
  std::string kind;
  std::string ns;
  std::string name;
  std::string uid;
};

// From "involvedObject.name=train,involvedObject.uid=1". Invalid where it selects by anything else.
Result<EventSelector> eventSelectorFrom(std::string_view fields);

}  // namespace slaq::cli::serve
