#include "cli/api/api_routes.h"

#include <algorithm>
#include <set>

#include "base/dns_name.h"
#include "base/figures.h"
#include "cli/api/api_path.h"
#include "kube/json/json_fields.h"
#include "manifest/object_writer.h"
#include "yaml/read_yaml.h"

namespace slaq::cli::api {
namespace {

using kube::json::at;
using kube::json::objectAt;
using kube::json::stringAt;

constexpr const char* kDefaultNamespace = "default";

ApiAnswer nothingThere() { return refusal(404, "the server could not find the requested resource"); }

ApiAnswer noSuchJob(const JobKey& key) {
  return refusal(404, "trainingjobs.slaq.io \"" + printable(key.name) + "\" not found");
}

ApiAnswer methodRefused() {
  return refusal(405, "the server does not allow this method on the requested resource");
}

ApiAnswer listOfJobs(const ApiPath& path, const ServedJobs& jobs) {
  for (const char* each : {"watch", "labelSelector", "fieldSelector"}) {
    if (path.query.contains(each))
      return refusal(400, std::string(each) + ": this server has whole lists alone");
  }
  std::vector<std::string> documents;
  for (auto& job : jobs.jobs()) {
    if (path.key.ns.empty() || job.key.ns == path.key.ns) documents.push_back(std::move(job.document));
  }
  return listAnswer(kApiVersion, "TrainingJobList", documents);
}

std::optional<std::string> documentOf(const JobKey& key, const ServedJobs& jobs) {
  auto all = jobs.jobs();
  const auto found = std::ranges::find(all, key, &ServedJob::key);
  if (found == all.end()) return std::nullopt;
  return std::move(found->document);
}

ApiAnswer listOfEvents(const ApiPath& path, const ServedJobs& jobs) {
  const auto fields = path.query.find("fieldSelector");
  const auto selector = eventSelectorFrom(fields == path.query.end() ? "" : fields->second);
  if (!selector) return refusal(400, selector.error().message);
  const auto takes = [](const std::string& wanted, std::string_view is) {
    return wanted.empty() || wanted == is;
  };
  std::vector<std::string> documents;
  for (auto& event : jobs.events()) {
    if (takes(path.key.ns, event.job.ns) && takes(selector->kind, "TrainingJob") &&
        takes(selector->ns, event.job.ns) && takes(selector->name, event.job.name) &&
        takes(selector->uid, event.uid))
      documents.push_back(std::move(event.document));
  }
  return listAnswer("v1", "EventList", documents);
}

ApiAnswer lossesOf(const JobKey& key, const ServedJobs& jobs) {
  if (!documentOf(key, jobs)) return noSuchJob(key);
  std::string points;
  for (const auto& sample : jobs.losses(key)) {
    points += points.empty() ? "" : ",";
    points += "[" + toDecimal(Seconds(sample.time.time_since_epoch()).count(), 14) + "," +
              toDecimal(sample.iteration.value(), 15) + "," + toDecimal(sample.loss.value(), 9) + "]";
  }
  return documentAnswer(200, "{\"losses\":[" + points + "]}");
}

ApiAnswer listOfNamespaces(const ServedJobs& jobs) {
  std::set<std::string> names = {kDefaultNamespace};
  for (const auto& job : jobs.jobs()) names.insert(job.key.ns);
  std::vector<std::string> documents;
  for (const auto& name : names) {
    rapidjson::Document document;
    auto& allocator = document.GetAllocator();
    documents.push_back(
        manifest::toText(manifest::ObjectWriter(allocator)
                             .add("metadata", manifest::ObjectWriter(allocator).add("name", name).take())
                             .take()));
  }
  return listAnswer("v1", "NamespaceList", documents);
}

// The manifest, with the namespace of the path if it has none itself. Invalid if it has another one. A
// manifest that can't be read, or with several documents, stays the same: submit() then returns its mistake.
Result<std::string> inNamespace(const std::string& manifest, const std::string& ns) {
  if (!isDnsLabel(ns))
    return failure(ErrorKind::Invalid, "\"" + printable(ns) + "\" is no name of a namespace");
  auto documents = yaml::readYaml("manifest", manifest);
  if (!documents || documents->size() != 1 || !documents->front().value.IsObject()) return manifest;
  auto& document = documents->front().value;
  const auto* metadata = at(document, {"metadata"});
  const auto* said = at(document, {"metadata", "namespace"});
  const std::string name = stringAt(document, {"metadata", "namespace"});
  if (!name.empty() && name != ns)
    return failure(ErrorKind::Invalid,
                   "the namespace of the provided object does not match the namespace sent "
                   "on the request");
  const bool canHaveOne = (!metadata || metadata->IsObject()) && (!said || said->IsNull());
  if (!canHaveOne || ns == kDefaultNamespace) return manifest;
  auto& allocator = document.GetAllocator();
  kube::json::assign(objectAt(document, "metadata", allocator), "namespace",
                     rapidjson::Value(ns.data(), static_cast<rapidjson::SizeType>(ns.size()), allocator),
                     allocator);
  return manifest::toText(document);
}

ApiAnswer submitted(const ApiRequest& request, const ApiPath& path, const Peer& by, ServedJobs& jobs) {
  const auto manifest = inNamespace(request.body, path.key.ns);
  if (!manifest) return refusal(400, manifest.error().message);
  const auto key = jobs.submit(by, *manifest);
  if (!key) return refusal(key.error());
  if (auto document = documentOf(*key, jobs)) return documentAnswer(201, std::move(*document));
  // The job is gone already.
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  auto metadata = manifest::ObjectWriter(allocator).add("namespace", key->ns).add("name", key->name).take();
  return documentAnswer(201, manifest::toText(manifest::ObjectWriter(allocator)
                                                  .add("apiVersion", kApiVersion)
                                                  .add("kind", "TrainingJob")
                                                  .add("metadata", std::move(metadata))
                                                  .take()));
}

ApiAnswer answerAboutJob(const ApiRequest& request, const JobKey& key, const Peer& by, ServedJobs& jobs) {
  if (request.method == "GET") {
    auto document = documentOf(key, jobs);
    return document ? documentAnswer(200, std::move(*document)) : noSuchJob(key);
  }
  if (request.method != "DELETE") return methodRefused();
  const auto stopped = jobs.stop(by, key);
  if (stopped) return success();
  return stopped.error().kind == ErrorKind::NotFound ? noSuchJob(key) : refusal(stopped.error());
}

}  // namespace

ApiAnswer answerTo(const ApiRequest& request, const Peer& by, ServedJobs& jobs) {
  const auto path = apiPathFrom(request.target);
  if (!path) return refusal(400, path.error().message);
  const bool isRead = request.method == "GET";
  switch (path->place) {
    case Place::Nowhere:
      return nothingThere();
    case Place::Jobs:
      if (request.method == "POST" && !path->key.ns.empty()) return submitted(request, *path, by, jobs);
      return isRead ? listOfJobs(*path, jobs) : methodRefused();
    case Place::Job:
      return answerAboutJob(request, path->key, by, jobs);
    case Place::Losses:
      return isRead ? lossesOf(path->key, jobs) : methodRefused();
    case Place::Events:
      return isRead ? listOfEvents(*path, jobs) : methodRefused();
    case Place::Namespaces:
      return isRead ? listOfNamespaces(jobs) : methodRefused();
  }
  return nothingThere();
}

}  // namespace slaq::cli::api
