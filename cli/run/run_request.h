// The request to `slaq run`: the command line's words and the jobs of its manifests, checked for this
// machine.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/machine/shared_resources.h"
#include "cli/manifests/command_jobs.h"
#include "local/cluster/local_cluster.h"
#include "scheduler/state/settings.h"

namespace slaq::cli::run {

struct RunOptions {
  std::vector<std::string> files;    // manifests, and files of command lines
  std::vector<std::string> command;  // the words after --
  std::vector<std::string> lines;    // commands for the shell
  manifests::CommandDefaults commands;
  machine::SharingFlags sharing;
  std::string policy = std::string(name(scheduler::Settings().policy));
  std::string predictor = scheduler::Settings().predictor;
  bool compare = false;
  double interarrival = 0;
  double epoch = 3;
  std::string logs;
  bool keepsLogs = false;  // slaq itself chose this directory, where slaq logs looks
  std::string losses;      // the CSV file to write
  std::string report;      // the HTML file to write
  std::string web;         // the address of the page; empty: none
  bool plain = false;
};

// A run's request without mistakes.
struct RunRequest {
  std::vector<local::cluster::ArrivingJob> jobs;
  machine::SharedResources shared;
  const scheduler::Policy* policy = &scheduler::defaultPolicy();
  std::string hints = {};                        // settings that are probably not meant, a line each
  std::map<JobKey, std::string> manifests = {};  // the TrainingJob of each job, as JSON
};

// The words that --policy takes.
std::vector<std::string> policyNames();

// "run examples/kmeans.yaml examples/logreg.yaml": the request, for people.
std::string titleOf(const RunOptions& options);

// The jobs of all files, checked for this machine. Invalid with one line per mistake.
Result<RunRequest> readRequest(const RunOptions& options, Cores machine);

}  // namespace slaq::cli::run
