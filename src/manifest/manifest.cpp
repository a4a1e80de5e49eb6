#include "manifest/manifest.h"

#include <algorithm>

#include "manifest/job_reader.h"
#include "yaml/read_yaml.h"

namespace slaq::manifest {
namespace {

constexpr const char* kDefaultNamespace = "default";

bool isTrainingJob(const rapidjson::Value& value) {
  if (!value.IsObject()) return false;
  const auto kind = value.FindMember("kind");
  return kind != value.MemberEnd() && kind->value == "TrainingJob";
}

ReadJob readDocument(const yaml::LocatedDocument& document, const JobCheck& alsoCheck) {
  ReadJob read;
  if (!isTrainingJob(document.value)) {
    read.violations.push_back({"kind", "must be TrainingJob; nothing else is read here"});
    return read;
  }
  read = readTrainingJob(document.value, UnknownFields::Refuse);
  if (read.job.key.ns.empty()) read.job.key.ns = kDefaultNamespace;
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
                                              const JobCheck& alsoCheck) {
  const auto documents = yaml::readYaml(file, text);
  if (!documents) return failure(documents.error());
  if (documents->empty()) return failure(ErrorKind::Invalid, file + ":1: there is no TrainingJob in it");
  std::vector<TrainingJob> jobs;
  std::string mistakes;
  for (const auto& document : *documents) {
    ReadJob read = readDocument(document, alsoCheck);
    mistakes += describeAll(document, std::move(read.violations));
    jobs.push_back(std::move(read.job));
  }
  if (mistakes.empty()) return jobs;
  mistakes.pop_back();
  return failure(ErrorKind::Invalid, std::move(mistakes));
}

}  // namespace slaq::manifest
