#include "cli/cluster/training_cluster.h"

#include <algorithm>

#include "base/nearest.h"
#include "cli/cluster/unreached.h"
#include "cli/terminal/text.h"
#include "kube/json/json_fields.h"

namespace slaq::cli::cluster {
namespace {

using kube::json::stringAt;

constexpr std::size_t kMostNames = 5;  // in one sentence
constexpr kube::client::Resource kNamespaces{"", "v1", "namespaces"};

// A client with shorter deadlines, since a person waits for the answer.
class HurriedClient final : public http::HttpClient {
 public:
  HurriedClient(std::unique_ptr<http::HttpClient> client, Seconds deadline)
      : client_(std::move(client)), deadline_(deadline) {}

  Result<http::HttpResponse> send(const http::HttpRequest& request) override {
    return client_->send(hurried(request));
  }

  Result<http::HttpResponse> stream(const http::HttpRequest& request,
                                    const std::function<bool(const std::string&)>& onLine,
                                    std::stop_token stop) override {
    return client_->stream(hurried(request), onLine, std::move(stop));
  }

 private:
  http::HttpRequest hurried(http::HttpRequest request) const {
    request.deadline = std::min(request.deadline, deadline_);
    return request;
  }

  const std::unique_ptr<http::HttpClient> client_;
  const Seconds deadline_;
};

kube::client::ApiOptions optionsFor(const kube::auth::Access& access, const Patience& patience,
                                    std::string& outcome) {
  kube::client::ApiOptions options;
  options.observe = [&outcome](const kube::client::ApiCall& call) { outcome = call.outcome; };
  options.mayWrite = [] { return false; };
  options.refreshCredentials = access.refresh;
  options.tries = patience.tries;
  options.deadline = patience.deadline;
  return options;
}

Time timeOf(const rapidjson::Value& event) {
  for (const auto& text : {stringAt(event, {"lastTimestamp"}), stringAt(event, {"eventTime"}),
                           stringAt(event, {"metadata", "creationTimestamp"})}) {
    if (const auto time = parseRfc3339(text)) return *time;
  }
  return {};
}

JobEvent readEvent(const rapidjson::Value& event) {
  return {.last = timeOf(event),
          .count = std::max(1, kube::json::intAt(event, {"count"})),
          .warning = stringAt(event, {"type"}) == "Warning",
          .reason = stringAt(event, {"reason"}),
          .message = stringAt(event, {"message"})};
}

}  // namespace

std::string missingSentence(const JobKey& key, const std::vector<std::string>& names) {
  const std::string gone = "there is no TrainingJob " + toString(key);
  if (names.empty()) return gone + "; the namespace " + key.ns + " has none";
  if (const auto meant = nearest(key.name, names)) return gone + "; did you mean " + *meant + "?";
  return gone + "; there " + (names.size() == 1 ? "is " : "are ") + terminal::listOf(names, kMostNames);
}

TrainingCluster::TrainingCluster(const kube::auth::Access& access, Patience patience)
    : url_(access.endpoint.url),
      ns_(access.ns),
      http_(std::make_unique<HurriedClient>(http::makeHttpClient(access.endpoint), patience.deadline)),
      api_(*http_, optionsFor(access, patience, outcome_)) {}

Error TrainingCluster::explained(Error error) const {
  if (outcome_ == "401") {
    error.message = "the API server at " + url_ +
                    " does not accept the credentials of this context; log in again, or name another "
                    "with --context";
  } else if (outcome_ == "error") {
    error.message = unreachedSentence(url_, error.message);
  } else if (error.kind == ErrorKind::NotFound) {
    error.message = "the cluster at " + url_ +
                    " does not know TrainingJobs; install slaq on it first: helm install slaq charts/slaq";
  }
  return error;
}

Result<void> TrainingCluster::list(const kube::client::Target& target, const kube::client::Selector& selector,
                                   const Each& each) {
  const auto listed = api_.listAll(target, selector, each);
  if (!listed) return failure(explained(listed.error()));
  return {};
}

bool TrainingCluster::serves(const std::string& apiVersion) {
  http::HttpRequest request;
  request.path = "/apis/" + apiVersion;
  const auto answer = http_->send(request);
  return !answer || answer->status != 404;
}

Result<std::vector<kube::objects::StoredJob>> TrainingCluster::jobs(const std::string& ns) {
  std::vector<kube::objects::StoredJob> jobs;
  const auto listed = list({kube::client::kTrainingJobs, ns}, {},
                           [&](const auto& item) { jobs.push_back(kube::objects::readStoredJob(item)); });
  if (!listed) return failure(listed.error());
  std::ranges::sort(jobs, {}, &kube::objects::StoredJob::key);
  return jobs;
}

Result<kube::objects::StoredJob> TrainingCluster::job(const JobKey& key) {
  const auto found = api_.get({kube::client::kTrainingJobs, key.ns, key.name});
  if (found) return kube::objects::readStoredJob(*found);
  if (found.error().kind == ErrorKind::NotFound) return failure(missing(key));
  return failure(explained(found.error()));
}

Error TrainingCluster::missing(const JobKey& key) {
  const auto there = jobs(key.ns);
  if (!there && there.error().kind == ErrorKind::NotFound) return there.error();
  if (!there) return {ErrorKind::NotFound, "there is no TrainingJob " + toString(key)};
  std::vector<std::string> names;
  for (const auto& job : *there) names.push_back(job.key.name);
  return {ErrorKind::NotFound, missingSentence(key, names)};
}

Result<std::vector<JobEvent>> TrainingCluster::events(const kube::objects::StoredJob& job) {
  std::vector<JobEvent> events;
  const std::string fields = "involvedObject.kind=TrainingJob,involvedObject.name=" + job.key.name +
                             ",involvedObject.uid=" + job.uid;
  const auto listed = list({kube::client::kEvents, job.key.ns}, {.labels = "", .fields = fields},
                           [&](const auto& item) { events.push_back(readEvent(item)); });
  if (!listed) return failure(listed.error());
  std::ranges::stable_sort(events, {}, &JobEvent::last);
  return events;
}

bool TrainingCluster::hasLosses() const { return url_.starts_with("unix:"); }

Result<Curve> TrainingCluster::losses(const JobKey& job) {
  const auto answer = api_.get({kube::client::kTrainingJobs, job.ns, job.name, kLosses});
  // A server of an earlier version knows no losses.
  if (!answer && answer.error().kind == ErrorKind::NotFound) return Curve();
  if (!answer) return failure(explained(answer.error()));
  Curve points;
  const auto* losses = kube::json::at(*answer, {kLosses});
  if (!losses || !losses->IsArray()) return points;
  for (const auto& each : losses->GetArray()) {  // a time, an iteration and a loss
    if (!each.IsArray() || each.Size() != 3 || !each[0].IsNumber() || !each[2].IsNumber()) continue;
    points.push_back({Time(Seconds(each[0].GetDouble())), each[2].GetDouble()});
  }
  return points;
}

Result<std::vector<std::string>> TrainingCluster::namespaces() {
  std::vector<std::string> names;
  const auto listed = list({kNamespaces, ""}, {}, [&](const auto& item) {
    names.push_back(stringAt(item, {"metadata", "name"}));
  });
  if (!listed) return failure(listed.error());
  return names;
}

}  // namespace slaq::cli::cluster
