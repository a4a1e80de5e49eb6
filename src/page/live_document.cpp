#include "page/live_document.h"

#include <utility>

namespace slaq::page {

LiveDocument::LiveDocument(std::string title, std::string resource) {
  document_.title = std::move(title);
  document_.resource = std::move(resource);
}

void LiveDocument::beginRun(std::string policy) {
  const std::lock_guard lock(mutex_);
  document_.runs.push_back({.policy = std::move(policy)});
  ++revision_;
  ++generation_;
}

void LiveDocument::add(const Moment& moment) {
  const std::lock_guard lock(mutex_);
  RunTimeline& timeline = document_.runs.back().timeline;
  timeline.add(moment);
  ++revision_;
}

void LiveDocument::endRun(std::map<JobKey, JobEnd> ends) {
  const std::lock_guard lock(mutex_);
  document_.runs.back().ends = std::move(ends);
  ++revision_;
  ++generation_;
}

void LiveDocument::end(std::string verdict) {
  const std::lock_guard lock(mutex_);
  document_.verdict = std::move(verdict);
  document_.isOver = true;
  ++revision_;
  ++generation_;
}

Document LiveDocument::copy() const {
  const std::lock_guard lock(mutex_);
  return document_;
}

std::optional<std::string> LiveDocument::after(Cursor& cursor) const {
  std::unique_lock lock(mutex_);
  if (cursor.revision == revision_) return std::nullopt;
  Cursor now{.revision = revision_, .generation = generation_, .runs = document_.runs.size(), .epochs = 0};
  if (!document_.runs.empty()) {
    now.generation += document_.runs.back().timeline.recounted();
    now.epochs = document_.runs.back().timeline.epochs().size();
  }
  const bool hasPart = cursor.generation == now.generation && cursor.runs == now.runs;
  const std::optional<std::size_t> from = hasPart ? std::optional(cursor.epochs) : std::nullopt;
  cursor = now;
  if (snapshot_.revision != revision_) snapshot_ = {revision_, std::make_shared<Document>(document_)};
  if (const auto made = snapshot_.texts.find(from); made != snapshot_.texts.end()) return made->second;
  const auto document = snapshot_.document;
  lock.unlock();  // other readers and the scheduler do not wait while the text is made
  std::string text = from ? partJson(*document, *from) : toJson(*document);
  lock.lock();
  if (snapshot_.revision == now.revision) snapshot_.texts.emplace(from, text);
  return text;
}

}  // namespace slaq::page
