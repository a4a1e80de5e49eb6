#include "manifest/manifest.h"

#include <algorithm>

#include "manifest/job_reader.h"
#include "manifest/object_reader.h"
#include "manifest/object_writer.h"
#include "manifest/pod_reader.h"
#include "manifest/pods/pod_rules.h"
#include "manifest/pods/pod_schema.h"
#include "yaml/read_yaml.h"
#include "yaml/value.h"

namespace slaq::manifest {
namespace {

constexpr const char* kDefaultNamespace = "default";
constexpr std::string_view kTrainingJob = "TrainingJob";

std::string_view textAt(const rapidjson::Value& value, const char* key) {
  const auto* found = yaml::memberOf(value, key);
  if (!found || !found->IsString()) return {};
  return {found->GetString(), found->GetStringLength()};
}

// A file often holds a ConfigMap or a Service beside the training. kubectl applies them, and slaq has no use
// for them.
bool isOfAnotherKind(const rapidjson::Value& value) {
  const auto version = textAt(value, "apiVersion");
  return !version.empty() && !textAt(value, "kind").empty() && !version.starts_with("slaq.io/") &&
         textAt(value, "kind") != kTrainingJob;
}

// The resource in which the size of the document's job is counted.
std::string countedIn(const yaml::LocatedDocument& document, std::string_view resource) {
  return resource.empty() ? resourceIn(document.value) : std::string(resource);
}

ReadJob readDocument(const yaml::LocatedDocument& document, const std::string& counted,
                     const JobCheck& alsoCheck) {
  ReadJob read;
  if (textAt(document.value, "kind") != kTrainingJob) {
    read.violations.push_back({"kind", "must be TrainingJob"});
    return read;
  }
  read = readTrainingJob(document.value, UnknownFields::Refuse, counted);
  if (read.job.key.ns.empty()) read.job.key.ns = kDefaultNamespace;
  addUnsaid(pods::schemaViolations(document.value), read.violations);
  addUnsaid(pods::ruleViolations(document.value), read.violations);
  if (read.violations.empty() && alsoCheck) read.violations = alsoCheck(read.job);
  return read;
}

// One line per violation, in the order of the document.
std::string describeAll(const yaml::LocatedDocument& document, std::vector<Violation> violations) {
  std::ranges::stable_sort(violations, {},
                           [&](const Violation& each) { return lineOf(document, each.path); });
  std::string text;
  for (const auto& each : violations) text += describe(document, each.path, each.message) + "\n";
  return text;
}

}  // namespace

Result<std::vector<TrainingJob>> readManifest(const std::string& file, std::string_view text,
                                              std::string_view resource, const JobCheck& alsoCheck) {
  auto read = readManifestJobs(file, text, resource, alsoCheck);
  if (!read) return failure(std::move(read).error());
  std::vector<TrainingJob> jobs;
  for (auto& each : *read) jobs.push_back(std::move(each.job));
  return jobs;
}

Result<std::vector<ManifestJob>> readManifestJobs(const std::string& file, std::string_view text,
                                                  std::string_view resource, const JobCheck& alsoCheck) {
  auto documents = yaml::readYaml(file, text);
  if (!documents) return failure(documents.error());
  std::erase_if(*documents, [](const auto& each) { return isOfAnotherKind(each.value); });
  if (documents->empty()) return failure(ErrorKind::Invalid, file + ":1: there is no TrainingJob in it");
  std::vector<ManifestJob> jobs;
  std::string mistakes;
  for (const auto& document : *documents) {
    std::string counted = countedIn(document, resource);
    ReadJob read = readDocument(document, counted, alsoCheck);
    mistakes += describeAll(document, std::move(read.violations));
    const auto* metadata = yaml::memberOf(document.value, "metadata");
    const bool hasOwnName = metadata && !textAt(*metadata, "name").empty();
    jobs.push_back({std::move(read.job), toText(document.value), hasOwnName, std::move(counted)});
  }
  if (mistakes.empty()) return jobs;
  mistakes.pop_back();
  return failure(ErrorKind::Invalid, std::move(mistakes));
}

}  // namespace slaq::manifest
