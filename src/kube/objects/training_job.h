// A TrainingJob as slaq keeps it in memory.
#pragma once

#include <rapidjson/document.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "job/job.h"
#include "job/status.h"
#include "job/validate.h"

namespace slaq::kube::objects {

struct StoredJob {
  JobKey key;
  std::string uid;
  std::string resourceVersion;
  // `job` lacks the templates' documents, labels and annotations, because views of it are copied every epoch.
  TrainingJob job;
  std::string workersDocument;
  std::string driverDocument;
  std::map<std::string, std::string> labels;  // inherited by the children
  std::map<std::string, std::string> annotations;
  JobStatus status;
  std::string selector;  // status.selector, for the scale subresource
  std::vector<Violation> violations;
};

// True if the job has shown no loss yet.
bool isStarting(const StoredJob& stored);

// Returns all violations of the job as one line of text; empty if there are none.
std::optional<std::string> refusalOf(const StoredJob& stored);

// The job with its templates' documents, labels and annotations.
TrainingJob wholeJob(const StoredJob& stored);

// `resource` is the unit of capacity.
StoredJob readStoredJob(const rapidjson::Value& trainingJob, std::string_view resource = "cpu");

}  // namespace slaq::kube::objects
