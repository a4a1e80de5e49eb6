#include "cli/store/job_state.h"

#include <rapidjson/document.h>

#include "cli/store/serve_directory.h"
#include "local/system/files.h"
#include "manifest/job_reader.h"
#include "manifest/object_writer.h"
#include "manifest/status_codec.h"
#include "yaml/value.h"

namespace slaq::cli::store {
namespace {

namespace fs = std::filesystem;
using local::processes::JobGoals;
using local::processes::ProcessHistory;
using manifest::ObjectWriter;
using rapidjson::Value;
using Allocator = rapidjson::Document::AllocatorType;

constexpr const char* kExtension = ".json";

Value historyValue(const ProcessHistory& history, Allocator& allocator) {
  ObjectWriter writer(allocator);
  writer.add("succeeded", history.succeeded)
      .add("failures", history.failures)
      .add("failuresInARow", history.failuresInARow)
      .add("lastFailure", history.lastFailure)
      .add("ended", history.ended);
  if (history.impossible) writer.add("impossible", *history.impossible);
  return writer.take();
}

Value goalsValue(const JobGoals& goals, Allocator& allocator) {
  Value workers(rapidjson::kArrayType);
  for (const auto& each : goals.workers) workers.PushBack(historyValue(each, allocator), allocator);
  ObjectWriter writer(allocator);
  writer.add("started", goals.started)
      .add("suspended", goals.suspended)
      .add("over", goals.over)
      .add("isStarting", goals.isStarting)
      .add("desired", goals.desired)
      .add("eachMillis", goals.each.value())
      .add("driverPort", goals.driverPort)
      .add("metricsPort", goals.metricsPort)
      .add("workers", std::move(workers));
  if (goals.gpuMemory) writer.add("gpuMebibytes", goals.gpuMemory->value());
  if (goals.driver) writer.add("driver", historyValue(*goals.driver, allocator));
  return writer.take();
}

// Fields that are missing or of another type keep their defaults.
class Reader {
 public:
  explicit Reader(const Value& value) : value_(value) {}

  const Value* find(const char* key) const { return yaml::memberOf(value_, key); }
  void read(const char* key, bool& into) const {
    if (const auto* found = find(key); found && found->IsBool()) into = found->GetBool();
  }
  template <class Number>
  void read(const char* key, Number& into) const {
    if (const auto* found = find(key); found && found->IsInt64())
      into = static_cast<Number>(found->GetInt64());
  }
  void read(const char* key, std::string& into) const {
    if (const auto* found = find(key); found && found->IsString()) into = found->GetString();
  }

 private:
  const Value& value_;
};

ProcessHistory historyFrom(const Value& value) {
  ProcessHistory history;
  const Reader reader(value);
  reader.read("succeeded", history.succeeded);
  reader.read("failures", history.failures);
  reader.read("failuresInARow", history.failuresInARow);
  reader.read("lastFailure", history.lastFailure);
  reader.read("ended", history.ended);
  std::string impossible;
  reader.read("impossible", impossible);
  if (!impossible.empty()) history.impossible = impossible;
  return history;
}

JobGoals goalsFrom(const Value& value) {
  JobGoals goals;
  const Reader reader(value);
  reader.read("started", goals.started);
  reader.read("suspended", goals.suspended);
  reader.read("over", goals.over);
  reader.read("isStarting", goals.isStarting);
  std::int64_t desired = 0;
  std::int64_t each = 0;
  reader.read("desired", desired);
  reader.read("eachMillis", each);
  goals.desired = Workers(static_cast<std::int32_t>(desired));
  goals.each = Cores(each);
  std::int64_t mebibytes = 0;
  reader.read("gpuMebibytes", mebibytes);
  if (mebibytes > 0) goals.gpuMemory = Mebibytes(mebibytes);
  reader.read("driverPort", goals.driverPort);
  reader.read("metricsPort", goals.metricsPort);
  if (const auto* workers = reader.find("workers"); workers && workers->IsArray()) {
    for (const auto& worker : workers->GetArray()) goals.workers.push_back(historyFrom(worker));
  }
  if (const auto* driver = reader.find("driver")) goals.driver = historyFrom(*driver);
  return goals;
}

// Reads the key from the file's name "default.train.json"; neither a namespace nor the name of a job has a
// dot.
std::optional<JobKey> keyOf(const fs::path& file) {
  const std::string stem = file.stem().string();
  const auto dot = stem.find('.');
  if (file.extension() != kExtension || dot == std::string::npos) return std::nullopt;
  return JobKey{stem.substr(0, dot), stem.substr(dot + 1)};
}

}  // namespace

std::string toJson(const JobState& state) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  return manifest::toText(ObjectWriter(allocator)
                              .add("uid", state.uid)
                              .add("created", state.created)
                              .add("user", std::int64_t{state.user})
                              .add("expired", state.expired)
                              .add("generation", state.generation)
                              .add("file", state.file.string())
                              .add("manifest", state.manifest)
                              .add("status", manifest::writeStatus(state.left.status, allocator))
                              .add("goals", goalsValue(state.left.goals, allocator))
                              .take());
}

Result<JobState> jobStateFrom(const std::string& json) {
  rapidjson::Document document;
  document.Parse(json.c_str(), json.size());
  if (document.HasParseError() || !document.IsObject())
    return failure(ErrorKind::Malformed, "is no JSON object");
  const Reader reader(document);
  JobState state;
  std::string created;
  reader.read("uid", state.uid);
  reader.read("created", created);
  const auto time = parseRfc3339(created);
  if (state.uid.empty() || !time) return failure(ErrorKind::Malformed, "has no uid, or no time of creation");
  state.created = *time;
  reader.read("user", state.user);
  reader.read("expired", state.expired);
  reader.read("generation", state.generation);
  std::string file;
  reader.read("file", file);
  state.file = file;
  reader.read("manifest", state.manifest);
  if (const auto* status = reader.find("status")) state.left.status = manifest::readStatus(*status);
  if (const auto* goals = reader.find("goals")) state.left.goals = goalsFrom(*goals);
  return state;
}

std::optional<ListedJob> listedFrom(const JobKey& key, const JobState& state, const std::string& resource) {
  rapidjson::Document document;
  document.Parse(state.manifest.c_str(), state.manifest.size());
  if (document.HasParseError() || !document.IsObject()) return std::nullopt;
  auto read = manifest::readTrainingJob(document, manifest::UnknownFields::Ignore, resource);
  if (!read.violations.empty()) return std::nullopt;
  read.job.key = key;
  return ListedJob{std::move(read.job), state.manifest, state.file, state.user};
}

fs::path JobStates::fileOf(const JobKey& key) const { return directory_ / (dottedName(key) + kExtension); }

std::map<JobKey, JobState> JobStates::load(std::string& mistakes) {
  std::map<JobKey, JobState> states;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory_, ignored)) {
    const auto key = keyOf(entry.path());
    if (!key) continue;
    auto state = jobStateFrom(local::system::readFile(entry.path()));
    if (state) written_[*key] = states[*key] = std::move(*state);
    if (!state) mistakes += entry.path().string() + ": " + state.error().message + "; the job begins anew\n";
  }
  return states;
}

Result<void> JobStates::save(const std::map<JobKey, JobState>& states) {
  Result<void> all;
  for (const auto& [key, state] : states) {
    if (const auto done = save(key, state); !done && all) all = failure(done.error());
  }
  std::erase_if(written_, [&](const auto& each) {
    std::error_code ignored;
    return !states.contains(each.first) && fs::remove(fileOf(each.first), ignored);
  });
  return all;
}

Result<void> JobStates::save(const JobKey& key, const JobState& state) {
  if (const auto before = written_.find(key); before != written_.end() && before->second == state) return {};
  auto done = replaceFile(fileOf(key), toJson(state));
  if (done) written_[key] = state;
  return done;
}

Result<void> replaceFile(const fs::path& file, std::string_view text) {
  const fs::path unfinished = file.string() + "~";
  if (auto done = local::system::writeFile(unfinished, text); !done) {
    std::error_code ignored;
    fs::remove(unfinished, ignored);
    return done;
  }
  std::error_code error;
  fs::rename(unfinished, file, error);
  if (error) return failure(ErrorKind::Transient, "can't write " + file.string() + ": " + error.message());
  return {};
}

}  // namespace slaq::cli::store
