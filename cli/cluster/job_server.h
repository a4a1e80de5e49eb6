// The jobs of slaq serve on this machine, for commands that change them or need facts that only one machine
// has. Errors are sentences for people.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "http/client.h"
#include "job/job.h"
#include "kube/client/resource.h"

namespace slaq::cli::cluster {

// The annotation of a job that names the directory with the output of its programs.
inline constexpr const char* kLogsAnnotation = "slaq.io/logs";

struct JobOnServer {
  JobKey key;
  std::string logs;  // the directory; empty if the server names none
};

// One thread uses it.
class JobServer {
 public:
  explicit JobServer(const std::string& socket, Seconds deadline = Seconds(10));

  // `manifest` is a TrainingJob as JSON, with its namespace. Conflict if a job has its name already.
  Result<JobKey> submit(const std::string& ns, const std::string& manifest);
  // NotFound suggests jobs with similar names.
  Result<void> stop(const JobKey& job);
  // Sorted by key; of all namespaces where `ns` is empty.
  Result<std::vector<JobOnServer>> jobs(const std::string& ns);
  Result<JobOnServer> job(const JobKey& key);

 private:
  Result<http::HttpResponse> send(const char* method, const kube::client::Target& target,
                                  const std::string& body = "");
  Error missing(const JobKey& key);

  const std::string url_;
  const Seconds deadline_;
  const std::unique_ptr<http::HttpClient> http_;
};

}  // namespace slaq::cli::cluster
