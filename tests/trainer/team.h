// A driver and its workers as real processes, on free ports.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "trainer/problem/problem.h"
#include "trainer/process.h"
#include "trainer/training/training.h"

namespace slaq::trainer {

// The whole lines of a history file.
std::vector<training::Progress> readHistory(const std::string& path);

class Team {
 public:
  // Starts the driver, with more flags if there are any, and waits until it listens.
  Team(const TemporaryFolder& folder, const problem::Problem& problem, const training::StopRule& stop,
       double linger = 0, const std::vector<std::string>& more = {});
  // With a driver that a test has started itself; its log is driver.log, its history history.csv.
  Team(const TemporaryFolder& folder, Process driver);

  Process startWorker(const std::string& index) const;
  Process& driver() { return driver_; }
  std::string workersPort() const { return workersPort_; }
  std::vector<training::Progress> history() const { return readHistory(folder_.path("history.csv")); }
  // Waits until that number of losses is known.
  bool reaches(std::size_t losses) const;
  // The same, for trainings that may come to rest before.
  bool reachesOrEnds(std::size_t losses) const;
  // Waits until the driver has written it.
  bool says(const std::string& text) const;
  // The samples of /metrics by name; empty if there was no answer.
  std::map<std::string, double> scrape() const;

 private:
  const TemporaryFolder& folder_;
  Process driver_;
  std::string workersPort_;
  std::string metricsPort_;
};

}  // namespace slaq::trainer
