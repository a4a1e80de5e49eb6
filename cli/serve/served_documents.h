// Jobs and events of this machine as the API server of a cluster would give them.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/serve/served_jobs.h"
#include "cli/store/job_directory.h"
#include "job/view.h"
#include "ports/cluster.h"

namespace slaq::cli::serve {

// The manifest's object with the server's metadata and the status.
std::string jobDocument(const store::ListedJob& listed, const TrainingJob& job, const JobStatus& status,
                        const std::string& logs);

// The events of the existing jobs. An event that repeats is counted.
class EventLog {
 public:
  void add(const JobKey& job, const std::string& uid, const Event& event, Time time);
  void forgetAllBut(const std::map<JobKey, store::ListedJob>& jobs);
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

}  // namespace slaq::cli::serve
