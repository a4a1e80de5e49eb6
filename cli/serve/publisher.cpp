#include "cli/serve/publisher.h"

namespace slaq::cli::serve {

Result<void> Publisher::publish(const store::JobDirectory& directory,
                                const std::map<JobKey, store::JobState>& known, api::EventLog& events) {
  Result<void> all;
  std::vector<api::ServedJob> jobs;
  std::map<JobKey, Board::Place> places;
  std::map<JobKey, Published> published;
  for (const auto& [key, listed] : directory.jobs()) {
    places[key] = {listed.file, directory.countIn(listed.file), listed.user};
    const auto found = known.find(key);
    if (found == known.end() || found->second.expired) continue;
    Published& mine = published[key] = std::move(published_[key]);
    if (const auto done = update(listed, found->second, mine); !done) all = failure(done.error());
    jobs.push_back({key, found->second.uid, mine.document});
  }
  for (const auto& [key, old] : published_) {
    std::error_code ignored;
    if (!published.contains(key)) std::filesystem::remove(places_.statusOf(key), ignored);
  }
  published_ = std::move(published);
  board_.put(std::move(jobs), events.documents(), std::move(places));
  return all;
}

Result<void> Publisher::update(const store::ListedJob& listed, const store::JobState& state,
                               Published& mine) const {
  const bool isSame = mine.state == state && mine.manifest == listed.document;
  if (isSame && mine.isWritten) return {};
  if (!isSame) {
    TrainingJob job = listed.job;
    job.uid = state.uid;
    job.created = state.created;
    job.generation = state.generation;
    mine = {state, listed.document,
            api::jobDocument(listed.document, job, state.left.status, places_.logs())};
  }
  const auto done = store::replaceFile(places_.statusOf(listed.job.key), mine.document + "\n");
  mine.isWritten = done.has_value();
  return done;
}

}  // namespace slaq::cli::serve
