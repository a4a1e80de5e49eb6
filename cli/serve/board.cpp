#include "cli/serve/board.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "cli/store/job_directory.h"
#include "cli/store/owners.h"
#include "local/system/files.h"

namespace slaq::cli::serve {
namespace {

namespace fs = std::filesystem;

// "train.yaml", or "team-a.train.yaml" outside of the default namespace.
std::string fileNameOf(const JobKey& key) {
  return (key.ns == "default" ? "" : key.ns + ".") + key.name + ".yaml";
}

tl::unexpected<Error> there(const JobKey& key) {
  return failure(ErrorKind::Conflict,
                 "there is a TrainingJob " + toString(key) + " already; give this one another name");
}

}  // namespace

void Board::put(std::vector<ServedJob> jobs, std::vector<ServedEvent> events,
                std::map<JobKey, Place> places) {
  const std::lock_guard lock(mutex_);
  jobs_ = std::move(jobs);
  events_ = std::move(events);
  places_ = std::move(places);
}

std::vector<ServedJob> Board::jobs() const {
  const std::lock_guard lock(mutex_);
  return jobs_;
}

std::vector<ServedEvent> Board::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

Result<JobKey> Board::submit(const Peer& by, const std::string& manifest) {
  const auto read = store::readJobs("manifest", manifest, capacity_);
  if (!read) return failure(read.error());
  if (read->size() != 1)
    return failure(ErrorKind::Invalid, "the manifest has " + std::to_string(read->size()) +
                                           " TrainingJobs; submit one at a time");
  if (by.user != ::geteuid() && ::geteuid() != 0)
    return failure(ErrorKind::Forbidden, "this server runs as " + store::userName(::geteuid()) +
                                             " and starts no programs of others; one that runs as root does");
  const JobKey key = read->front().job.key;
  {
    const std::lock_guard lock(mutex_);
    if (places_.contains(key)) return there(key);
  }
  const auto file = directory_ / fileNameOf(key);
  if (const auto written = write(by, file, manifest); !written) {
    if (written.error().kind == ErrorKind::Conflict) return there(key);
    return failure(written.error());
  }
  return key;
}

// The file appears as a whole, of its user, and never in place of another.
Result<void> Board::write(const Peer& by, const fs::path& file, const std::string& manifest) const {
  const fs::path unfinished = unfinished_ / file.filename();
  auto done = local::system::writeFile(unfinished, manifest);
  if (done && by.user != ::geteuid() && ::chown(unfinished.c_str(), by.user, by.group) != 0)
    done = local::system::systemFailure(ErrorKind::Transient, "give away " + unfinished.string());
  if (done && ::link(unfinished.c_str(), file.c_str()) != 0) {
    const auto kind = errno == EEXIST ? ErrorKind::Conflict : ErrorKind::Transient;
    done = local::system::systemFailure(kind, "write " + file.string());
  }
  std::error_code ignored;
  fs::remove(unfinished, ignored);
  if (!done && done.error().kind == ErrorKind::Forbidden)  // the disk is full, say
    return failure(ErrorKind::Transient, done.error().message);
  return done;
}

Result<void> Board::stop(const Peer& by, const JobKey& job) {
  Place place;
  {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(job);
    if (found == places_.end())
      return failure(ErrorKind::NotFound, "there is no TrainingJob " + toString(job));
    place = found->second;
  }
  if (by.user != place.user && by.user != 0)
    return failure(ErrorKind::Forbidden,
                   toString(job) + " belongs to " + store::userName(place.user) + ", who alone may stop it");
  if (place.jobsInFile > 1)
    return failure(ErrorKind::Invalid, toString(job) + " is one of " + std::to_string(place.jobsInFile) +
                                           " jobs of " + place.file.string() + "; take it out of that file");
  if (::unlink(place.file.c_str()) != 0 && errno != ENOENT)
    return local::system::systemFailure(ErrorKind::Transient, "remove " + place.file.string());
  return {};
}

}  // namespace slaq::cli::serve
