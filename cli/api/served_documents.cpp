#include "cli/api/served_documents.h"

#include <rapidjson/document.h>

#include <algorithm>

#include "cli/cluster/job_server.h"
#include "manifest/object_writer.h"
#include "manifest/status_codec.h"

namespace slaq::cli::api {
namespace {

using manifest::ObjectWriter;

// Adds or replaces a member.
void setMember(rapidjson::Value& object, const char* key, rapidjson::Value value,
               rapidjson::Document::AllocatorType& allocator) {
  object.RemoveMember(key);
  object.AddMember(rapidjson::StringRef(key), std::move(value), allocator);
}

rapidjson::Value textValue(const std::string& text, rapidjson::Document::AllocatorType& allocator) {
  return {text.data(), static_cast<rapidjson::SizeType>(text.size()), allocator};
}

}  // namespace

std::string jobDocument(const std::string& manifest, const TrainingJob& job, const JobStatus& status,
                        const std::string& logs) {
  rapidjson::Document document;
  document.Parse(manifest.c_str(), manifest.size());
  auto& allocator = document.GetAllocator();
  if (!document.IsObject() || !document.HasMember("metadata")) return "{}";
  auto& metadata = document["metadata"];
  setMember(metadata, "namespace", textValue(job.key.ns, allocator), allocator);
  setMember(metadata, "uid", textValue(job.uid, allocator), allocator);
  setMember(metadata, "creationTimestamp", textValue(toRfc3339(job.created), allocator), allocator);
  setMember(metadata, "generation", rapidjson::Value(job.generation), allocator);
  setMember(metadata, "resourceVersion", textValue("1", allocator), allocator);
  if (!metadata.HasMember("annotations") || !metadata["annotations"].IsObject())
    setMember(metadata, "annotations", rapidjson::Value(rapidjson::kObjectType), allocator);
  setMember(metadata["annotations"], cluster::kLogsAnnotation, textValue(logs, allocator), allocator);
  setMember(document, "status", manifest::writeStatus(status, allocator), allocator);
  return manifest::toText(document);
}

Event processFailed(const std::string& job, const std::string& last) {
  return {.warning = true,
          .reason = "ProcessFailed",
          .message = "its program ended with " + last + "; slaq logs " + job + " has what it wrote"};
}

void EventLog::add(const JobKey& job, const std::string& uid, const Event& event, Time time) {
  documents_.reset();
  auto& all = happenings_[job];
  std::erase_if(all, [&](const Happening& each) { return each.uid != uid; });
  const auto same = std::ranges::find_if(all, [&](const Happening& each) { return each.event == event; });
  Happening happening{.uid = uid, .event = event, .first = time, .last = time};
  if (same != all.end()) {
    happening.first = same->first;
    happening.count = same->count + 1;
    all.erase(same);
  }
  all.push_back(std::move(happening));
  if (all.size() > kMostOfAJob) all.pop_front();
}

void EventLog::forgetAllBut(const std::function<bool(const JobKey&)>& exists) {
  if (std::erase_if(happenings_, [&](const auto& each) { return !exists(each.first); }) > 0)
    documents_.reset();
}

const std::vector<ServedEvent>& EventLog::documents() {
  if (documents_) return *documents_;
  std::vector<ServedEvent>& events = documents_.emplace();
  for (const auto& [job, all] : happenings_) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Happening& each = all[i];
      rapidjson::Document document;
      auto& allocator = document.GetAllocator();
      ObjectWriter metadata(allocator);
      metadata.add("name", job.name + "." + std::to_string(i)).add("namespace", job.ns);
      ObjectWriter involved(allocator);
      involved.add("kind", "TrainingJob").add("namespace", job.ns).add("name", job.name).add("uid", each.uid);
      ObjectWriter writer(allocator);
      writer.add("apiVersion", "v1")
          .add("kind", "Event")
          .add("metadata", metadata.take())
          .add("involvedObject", involved.take())
          .add("type", each.event.warning ? "Warning" : "Normal")
          .add("reason", each.event.reason)
          .add("message", each.event.message)
          .add("firstTimestamp", each.first)
          .add("lastTimestamp", each.last)
          .add("count", each.count);
      events.push_back({job, each.uid, manifest::toText(writer.take())});
    }
  }
  return events;
}

}  // namespace slaq::cli::api
