#include "cli/serve/board.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "cli/api/served_documents.h"
#include "cli/store/job_directory.h"
#include "cli/store/owners.h"
#include "cli/store/serve_directory.h"
#include "local/system/files.h"

namespace slaq::cli::serve {
namespace {

namespace fs = std::filesystem;

// NFS and some other file systems can't refuse to replace a file when they rename one.
bool moveTo(const fs::path& file, const fs::path& unfinished) {
  if (::renameat2(AT_FDCWD, unfinished.c_str(), AT_FDCWD, file.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  return ::link(unfinished.c_str(), file.c_str()) == 0 && ::unlink(unfinished.c_str()) == 0;
}

tl::unexpected<Error> there(const JobKey& key) {
  return failure(ErrorKind::Conflict,
                 "there is a TrainingJob " + toString(key) + " already; give this one another name");
}

}  // namespace

void Board::put(std::vector<api::ServedJob> jobs, std::vector<api::ServedEvent> events,
                std::map<JobKey, Place> places) {
  const std::lock_guard lock(mutex_);
  jobs_ = std::move(jobs);
  events_ = std::move(events);
  places_ = std::move(places);
  std::erase_if(submitted_, [&](const auto& each) {
    std::error_code unreadable;
    return places_.contains(each.first) || !fs::exists(each.second.place.file, unreadable);
  });
  addSubmitted();
  losses_.forgetAllBut([this](const JobKey& job) { return places_.contains(job); });
}

void Board::addSubmitted() {
  for (const auto& [key, submitted] : submitted_) {
    if (places_.try_emplace(key, submitted.place).second)
      jobs_.insert(std::ranges::upper_bound(jobs_, key, {}, &api::ServedJob::key), submitted.job);
  }
}

std::vector<api::ServedJob> Board::jobs() const {
  const std::lock_guard lock(mutex_);
  return jobs_;
}

std::vector<api::ServedEvent> Board::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

Result<JobKey> Board::submit(const api::Peer& by, const std::string& manifest) {
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
  const auto file = directory_ / (store::shortName(key) + ".yaml");
  if (const auto written = write(by, file, manifest); !written) return failure(written.error());
  TrainingJob job = read->front().job;
  job.created = std::chrono::system_clock::now();
  const std::lock_guard lock(mutex_);
  submitted_[key] = {{key, "", api::jobDocument(read->front().document, job, JobStatus(), "")},
                     {file, 1, by.user}};
  addSubmitted();
  return key;
}

// The file appears as a whole, belongs to its user, and never replaces another. Its time of change is set
// back, since no other process writes it any more and the server need not wait before it reads the file.
Result<void> Board::write(const api::Peer& by, const fs::path& file, const std::string& manifest) const {
  const fs::path unfinished = unfinished_ / file.filename();
  ::unlink(unfinished.c_str());
  const local::system::Descriptor out(
      ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644));
  const timespec longAgo[2] = {{0, UTIME_OMIT}, {std::time(nullptr) - 1, 0}};
  const bool isWhole = local::system::writeWhole(out, manifest) &&
                       (by.user == ::geteuid() || ::fchown(out.number(), by.user, by.group) == 0) &&
                       ::futimens(out.number(), longAgo) == 0;
  if (isWhole && moveTo(file, unfinished)) return {};
  const bool isThere = errno == EEXIST;
  const auto problem = local::system::systemFailure(ErrorKind::Transient, "write " + file.string());
  ::unlink(unfinished.c_str());
  if (!isThere) return problem;
  return failure(ErrorKind::Conflict,
                 "there is a file " + file.string() + " already; remove it, or give the job another name");
}

Result<void> Board::stop(const api::Peer& by, const JobKey& job) {
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
