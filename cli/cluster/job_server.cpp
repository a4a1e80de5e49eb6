#include "cli/cluster/job_server.h"

#include <algorithm>

#include "cli/cluster/training_cluster.h"
#include "cli/cluster/unreached.h"
#include "kube/client/api.h"
#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"

namespace slaq::cli::cluster {
namespace {

using kube::client::kTrainingJobs;
using kube::client::Target;

http::HttpEndpoint endpointAt(const std::string& url) {
  http::HttpEndpoint endpoint;
  endpoint.url = url;
  return endpoint;
}

JobOnServer jobOnServer(const rapidjson::Value& document) {
  return {kube::json::keyOf(document),
          kube::json::stringAt(document, {"metadata", "annotations", kLogsAnnotation})};
}

}  // namespace

JobServer::JobServer(const std::string& socket, Seconds deadline)
    : url_("unix:" + socket), deadline_(deadline), http_(makeHttpClient(endpointAt(url_))) {}

// No write is sent twice: if an answer was lost, the write may have succeeded.
Result<http::HttpResponse> JobServer::send(const char* method, const Target& target,
                                           const std::string& body) {
  http::HttpRequest request;
  request.method = method;
  request.path = pathOf(target);
  request.body = body;
  if (!body.empty()) request.contentType = "application/json";
  request.deadline = deadline_;
  auto response = http_->send(request);
  if (!response) return failure(response.error().kind, unreachedSentence(url_, response.error().message));
  if (response->status >= 200 && response->status < 300) return response;
  return failure(kube::client::errorOf(response->status, response->body, target));
}

Result<JobKey> JobServer::submit(const std::string& ns, const std::string& manifest) {
  const auto response = send("POST", {kTrainingJobs, ns}, manifest);
  if (!response) return failure(response.error());
  const auto document = kube::json::parseJson(response->body);
  if (document.HasParseError()) return failure(ErrorKind::Malformed, "slaq serve answered with no JSON");
  return kube::json::keyOf(document);
}

Result<void> JobServer::stop(const JobKey& job) {
  const auto response = send("DELETE", {kTrainingJobs, job.ns, job.name});
  if (response) return {};
  return failure(response.error().kind == ErrorKind::NotFound ? missing(job) : response.error());
}

Result<std::vector<JobOnServer>> JobServer::jobs(const std::string& ns) {
  const auto response = send("GET", {kTrainingJobs, ns});
  if (!response) return failure(response.error());
  const auto document = kube::json::parseJson(response->body);
  const auto* items = document.HasParseError() ? nullptr : kube::json::at(document, {"items"});
  if (!items || !items->IsArray()) return failure(ErrorKind::Malformed, "slaq serve answered with no list");
  std::vector<JobOnServer> jobs;
  for (const auto& item : items->GetArray()) jobs.push_back(jobOnServer(item));
  std::ranges::sort(jobs, {}, &JobOnServer::key);
  return jobs;
}

Result<JobOnServer> JobServer::job(const JobKey& key) {
  const auto response = send("GET", {kTrainingJobs, key.ns, key.name});
  if (!response)
    return failure(response.error().kind == ErrorKind::NotFound ? missing(key) : response.error());
  const auto document = kube::json::parseJson(response->body);
  if (document.HasParseError()) return failure(ErrorKind::Malformed, "slaq serve answered with no JSON");
  return jobOnServer(document);
}

Error JobServer::missing(const JobKey& key) {
  const auto there = jobs(key.ns);
  if (!there) return {ErrorKind::NotFound, "there is no TrainingJob " + toString(key)};
  std::vector<std::string> names;
  for (const auto& job : *there) names.push_back(job.key.name);
  return {ErrorKind::NotFound, missingSentence(key, names)};
}

}  // namespace slaq::cli::cluster
