// Answers the requests to a server of TrainingJobs, as the Kubernetes API server does.
#pragma once

#include <string>

#include "cli/api/api_answer.h"
#include "cli/api/served_jobs.h"

namespace slaq::cli::api {

struct ApiRequest {
  std::string method;
  std::string target;  // "/apis/slaq.io/v1alpha1/trainingjobs?limit=500"
  std::string body;
};

// A bad request is answered with a Status. Lists have all objects on one page.
ApiAnswer answerTo(const ApiRequest& request, const Peer& by, ServedJobs& jobs);

}  // namespace slaq::cli::api
