// Jobs and events of this machine as the API server of a cluster would give them.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/api/served_jobs.h"
#include "job/view.h"
#include "ports/cluster.h"

namespace slaq::cli::api {

// The TrainingJob of a manifest (JSON) with the server's metadata and the status. `logs` is the directory
// with the output of its programs.
std::string jobDocument(const std::string& manifest, const TrainingJob& job, const JobStatus& status,
                        const std::string& logs);

// The event of the chief of `job`, "mlp" or "team-a/mlp", that ended with `last`, such as "exit code 1", and
// is started again. No status has this.
Event processFailed(const std::string& job, const std::string& last);

// The events of the existing jobs. An event that repeats is counted.
class EventLog {
 public:
  void add(const JobKey& job, const std::string& uid, const Event& event, Time time);
  void forgetAllBut(const std::function<bool(const JobKey&)>& exists);
  const std::vector<ServedEvent>& documents();

 private:
  static constexpr std::size_t kMostOfAJob = 50;  // the oldest are dropped first

  struct Happening {
    std::string uid;
    Event event;
    Time first, last;
    int count = 1;
  };
  std::map<JobKey, std::deque<Happening>> happenings_;  // ordered by their last times
  std::optional<std::vector<ServedEvent>> documents_;   // until something changes
};

}  // namespace slaq::cli::api
