// A TrainingJob as slaq keeps it in memory.
#pragma once

#include <rapidjson/document.h>

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
  TrainingJob job;  // without the templates' documents: views of it are copied every epoch
  std::string workersDocument;
  std::string driverDocument;
  JobStatus status;
  std::string selector;  // status.selector, for the scale subresource
  std::vector<Violation> violations;
};

// The job with its templates' documents.
TrainingJob wholeJob(const StoredJob& stored);

// `resource` is the unit of capacity.
StoredJob readStoredJob(const rapidjson::Value& trainingJob, std::string_view resource = "cpu");

}  // namespace slaq::kube::objects
