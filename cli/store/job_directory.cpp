#include "cli/store/job_directory.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/figures.h"
#include "cli/store/owners.h"
#include "local/cluster/check_local.h"
#include "local/system/files.h"
#include "manifest/manifest.h"
#include "scheduler/lifecycle/admission.h"
#include "yaml/read_yaml.h"

namespace slaq::cli::store {
namespace {

namespace fs = std::filesystem;

bool isManifest(const fs::path& path) {
  const auto extension = path.extension();
  return (extension == ".yaml" || extension == ".yml") && !path.filename().string().starts_with('.');
}

// The text of a file that is not a link, and the kernel's facts about the same file.
Result<std::string> readOwned(const fs::path& path, struct stat& about) {
  const local::system::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.isOpen() && errno == ELOOP)
    return failure(ErrorKind::Invalid, path.string() + ": is a symbolic link; put the file itself here");
  if (!file.isOpen() || ::fstat(file.number(), &about) != 0)
    return failure(ErrorKind::Invalid, path.string() + ": can't be read: " + std::strerror(errno));
  if (!S_ISREG(about.st_mode)) return failure(ErrorKind::Invalid, path.string() + ": is no regular file");
  if (about.st_nlink > 1)
    return failure(ErrorKind::Invalid, path.string() + ": has another name elsewhere; put a copy here");
  if (static_cast<std::size_t>(about.st_size) > yaml::kMostYamlBytes)
    return failure(ErrorKind::Invalid, path.string() + ": has more than 4 MiB");
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  errno = EAGAIN;  // a file that has become shorter sets no error
  if (::read(file.number(), text.data(), text.size()) != about.st_size)
    return failure(ErrorKind::Invalid, path.string() + ": can't be read: " + std::strerror(errno));
  return text;
}

bool isSettled(const struct stat& about) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const auto nanosecondsOf = [](const timespec& time) {
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
  };
  const auto age = nanosecondsOf(now) - nanosecondsOf(about.st_mtim);
  const auto least = std::chrono::nanoseconds(JobDirectory::kSettled).count();
  return age < 0 || age >= least;  // a time in the future gives no age
}

// Only root can start programs of other users.
std::string mistakeAbout(uid_t user) {
  const uid_t self = ::geteuid();
  return self == 0 || user == self ? ""
                                   : "belongs to " + userName(user) + ", and this server, which runs as " +
                                         userName(self) + ", can't start programs of others; root can";
}

}  // namespace

Result<std::vector<ListedJob>> readJobs(const std::string& file, const std::string& text,
                                        const Capacity& capacity) {
  auto jobs = manifest::readManifestJobs(file, text, capacity.resource, [&](const TrainingJob& job) {
    return local::cluster::checkLocal(
        job, {.hasGpus = capacity.resource == local::cluster::kGpu, .mayResume = true});
  });
  if (!jobs) return failure(jobs.error());
  std::vector<ListedJob> listed;
  for (auto& each : *jobs) {
    TrainingJob& job = each.job;
    if (!each.hasOwnName)
      return failure(ErrorKind::Invalid, file +
                                             ": metadata.name: is missing; with generateName the job would "
                                             "have another name each time the file is read");
    const Cores least = scheduler::minimumOf(job.spec);
    if (least > capacity.amount)
      return failure(ErrorKind::Invalid, file + ": the job " + toString(job.key) + " needs " +
                                             coresText(least) + " at least, and there are " +
                                             toString(capacity.amount));
    listed.push_back({.job = std::move(job), .document = std::move(each.document), .file = file});
  }
  return listed;
}

bool JobDirectory::File::sameAs(const File& other) const {
  return changed.tv_sec == other.changed.tv_sec && changed.tv_nsec == other.changed.tv_nsec &&
         inode == other.inode && size == other.size && user == other.user;
}

std::size_t JobDirectory::countIn(const fs::path& file) const {
  const auto found = files_.find(file);
  return found == files_.end() ? 0 : found->second.jobs.size();
}

void JobDirectory::remember(ListedJob job) {
  File& file = files_[job.file];
  file.user = job.user;
  file.jobs.push_back(std::move(job));
  remembers_ = true;
}

// A disk may be unmounted for a moment, or another directory may have this path. Neither means that the jobs
// are to be stopped.
bool JobDirectory::isThere() {
  struct stat about {};
  const bool isListed = ::stat(directory_.c_str(), &about) == 0 && ::access(directory_.c_str(), R_OK) == 0;
  if (isListed && inode_.value_or(about.st_ino) == about.st_ino) {
    inode_ = about.st_ino;
    mistakes_.erase(directory_);
    return true;
  }
  mistakes_[directory_] = directory_.string() + ": " +
                          (isListed ? "is another directory than before" : std::strerror(errno)) +
                          "; its jobs go on as they are until it is back";
  return false;
}

bool JobDirectory::look() {
  if (!isThere()) return false;
  const auto isGone = [](const auto& each) {
    struct stat about {};
    return ::lstat(each.first.c_str(), &about) != 0 && errno == ENOENT;
  };
  bool changed = std::exchange(remembers_, false);
  changed |= std::erase_if(files_, isGone) > 0;
  std::erase_if(mistakes_, isGone);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory_, ignored)) {
    if (isManifest(entry.path())) changed |= lookAt(entry.path());
  }
  if (changed) list();
  return changed;
}

bool JobDirectory::lookAt(const fs::path& path) {
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0 || (S_ISREG(about.st_mode) && !isSettled(about))) return false;
  // A change of the mode or of the number of names counts too.
  File seen{.changed = about.st_ctim,
            .inode = about.st_ino,
            .size = about.st_size,
            .user = about.st_uid,
            .jobs = {}};
  File& file = files_[path];
  if (file.sameAs(seen)) return false;
  seen.jobs = std::move(file.jobs);
  file = std::move(seen);
  const auto text = readOwned(path, about);
  auto jobs = text ? readJobs(path.string(), *text, capacity_) : failure(text.error());
  const std::string mistake = jobs ? mistakeAbout(about.st_uid) : jobs.error().message;
  if (!mistake.empty()) {
    if (!text) file.changed = {};  // to be tried again
    mistakes_[path] = jobs ? path.string() + ": " + mistake : mistake;
    return false;
  }
  mistakes_.erase(path);
  file.jobs = std::move(*jobs);
  for (auto& job : file.jobs) job.user = about.st_uid;
  return true;
}

// If two jobs have the same name, the earlier one stays.
void JobDirectory::list() {
  std::map<JobKey, ListedJob> jobs;
  for (const bool known : {true, false}) {
    for (const auto& [path, file] : files_) {
      for (const auto& job : file.jobs) {
        const auto before = jobs_.find(job.job.key);
        if ((before != jobs_.end() && before->second.file == path) != known) continue;
        const auto [place, added] = jobs.try_emplace(job.job.key, job);
        if (!added)
          mistakes_[path] = path.string() + ": the job " + toString(job.job.key) + " is in " +
                            place->second.file.string() + " too; give it another name";
      }
    }
  }
  jobs_ = std::move(jobs);
}

}  // namespace slaq::cli::store
