// Jobs of a server that runs no programs, and its API on a socket.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "cli/api/job_api.h"
#include "cli/api/loss_curve.h"
#include "kube/json/json_fields.h"
#include "local/support.h"
#include "manifest/manifest.h"
#include "manifest/object_writer.h"
#include "yaml/read_yaml.h"

namespace slaq::test {

class PlayedJobs final : public cli::api::ServedJobs {
 public:
  std::vector<cli::api::ServedJob> jobs() const override {
    const std::lock_guard lock(mutex_);
    std::vector<cli::api::ServedJob> all;
    for (const auto& [key, document] : documents_) all.push_back({key, "uid-" + key.name, document});
    return all;
  }
  std::vector<cli::api::ServedEvent> events() const override {
    const std::lock_guard lock(mutex_);
    return events_;
  }
  std::vector<LossSample> losses(const JobKey& job) const override { return curves_.of(job); }
  Result<JobKey> submit(const cli::api::Peer& by, const std::string& manifest) override {
    const auto read = manifest::readManifest("manifest", manifest);
    if (!read) return failure(read.error());
    if (read->size() != 1) return failure(ErrorKind::Invalid, "there must be one TrainingJob");
    const JobKey key = read->front().key;
    const std::lock_guard lock(mutex_);
    if (documents_.contains(key))
      return failure(ErrorKind::Conflict, "there is a TrainingJob " + toString(key) + " already");
    peers_.push_back(by);
    const auto documents = yaml::readYaml("manifest", manifest);
    documents_[key] = manifest::toText(documents->front().value);
    return key;
  }
  Result<void> stop(const cli::api::Peer& by, const JobKey& job) override {
    const std::lock_guard lock(mutex_);
    if (foreign_.contains(job))
      return failure(ErrorKind::Forbidden, toString(job) + " belongs to another user");
    if (documents_.erase(job) == 0) return failure(ErrorKind::NotFound, "there is none");
    peers_.push_back(by);
    return {};
  }

  void add(const JobKey& key, const std::string& document) {
    const std::lock_guard lock(mutex_);
    documents_[key] = document;
  }
  void addForeign(const JobKey& key) {
    add(key, R"({"metadata": {"namespace": ")" + key.ns + R"(", "name": ")" + key.name + "\"}}");
    const std::lock_guard lock(mutex_);
    foreign_.insert(key);
  }
  void addLoss(const JobKey& job, const LossSample& sample) { curves_.add(job, "uid-" + job.name, sample); }
  void addEvent(const JobKey& job, const std::string& reason) {
    const std::lock_guard lock(mutex_);
    events_.push_back(
        {job, "uid-" + job.name,
         R"({"reason": ")" + reason +
             R"(", "message": "said", "type": "Normal", "lastTimestamp": "2026-01-31T12:00:00Z"})"});
  }
  std::vector<cli::api::Peer> peers() const {
    const std::lock_guard lock(mutex_);
    return peers_;
  }
  // What was submitted, as it came.
  std::string document(const JobKey& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = documents_.find(key);
    return found == documents_.end() ? "" : found->second;
  }

 private:
  mutable std::mutex mutex_;
  std::map<JobKey, std::string> documents_;
  std::vector<cli::api::ServedEvent> events_;
  std::vector<cli::api::Peer> peers_;
  std::set<JobKey> foreign_;
  cli::api::LossCurves curves_;
};

class PlayedServer {
 public:
  explicit PlayedServer(const std::string& socket = "") : socket_(socket.empty() ? own() : socket) {
    auto api = cli::api::JobApi::start(socket_, jobs);
    if (!api) std::abort();
    api_ = std::move(*api);
  }

  const std::string& socket() const { return socket_; }

  PlayedJobs jobs;

 private:
  std::string own() const { return (directory_ / "slaq.sock").string(); }

  const local::TemporaryDirectory directory_;
  const std::string socket_;
  std::unique_ptr<cli::api::JobApi> api_;
};

// A user who has no cluster, and servers in a directory of the test.
class UserWithoutCluster {
 public:
  UserWithoutCluster() {
    set("HOME", "/nowhere");
    set("XDG_RUNTIME_DIR", directory_.path().string());
    for (const char* name : {"KUBECONFIG", "KUBERNETES_SERVICE_HOST", "SLAQ_SERVER", "XDG_STATE_HOME"})
      set(name, "");
    std::filesystem::create_directory(directory_ / "slaq");
    for (const char* each : {"", "slaq"})
      std::filesystem::permissions(directory_ / each, std::filesystem::perms::all);
    if (::geteuid() == 0 && ::seteuid(65534) == 0) wasRoot_ = true;  // root has the machine's socket
  }
  ~UserWithoutCluster() {
    if (wasRoot_ && ::seteuid(0) != 0) std::abort();
    for (const auto& [name, value] : before_) ::setenv(name.c_str(), value.c_str(), 1);
  }
  UserWithoutCluster(const UserWithoutCluster&) = delete;
  UserWithoutCluster& operator=(const UserWithoutCluster&) = delete;

  void set(const std::string& name, const std::string& value) {
    const char* before = std::getenv(name.c_str());
    before_.emplace(name, before == nullptr ? "" : before);
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  std::string socket() const { return (directory_ / "slaq/slaq.sock").string(); }
  std::filesystem::path directory() const { return directory_.path(); }

 private:
  const local::TemporaryDirectory directory_;
  std::map<std::string, std::string> before_;
  bool wasRoot_ = false;
};

}  // namespace slaq::test
