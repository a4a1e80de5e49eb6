// What `slaq run` is asked to do: the command line's words, and the jobs that its manifests hold, checked for
// this machine.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/machine/shared_resources.h"
#include "cli/run/command_jobs.h"
#include "local/cluster/local_cluster.h"
#include "scheduler/state/settings.h"

namespace slaq::cli::run {

struct RunOptions {
  std::vector<std::string> files;    // manifests, and files of command lines
  std::vector<std::string> command;  // the words after --
  std::vector<std::string> lines;    // commands for the shell
  CommandDefaults commands;
  machine::SharingFlags sharing;
  std::string policy = std::string(name(scheduler::Settings().policy));
  std::string predictor = scheduler::Settings().predictor;
  bool compare = false;
  double interarrival = 0;
  double epoch = 3;
  std::string logs;
  std::string losses;  // a CSV file to write
  std::string report;  // an HTML file to write
  std::string web;     // the address of the page; empty: none
  bool plain = false;
};

// What a run is asked to do, once it makes sense.
struct RunRequest {
  std::vector<local::cluster::ArrivingJob> jobs;
  machine::SharedResources shared;
  const scheduler::Policy* policy = &scheduler::defaultPolicy();
  std::string hints = {};  // what was probably not meant, a line each
};

// True if the file has a command in each line, and is no manifest.
bool isListOfCommands(const std::string& path);

// The words that --policy takes.
std::vector<std::string> policyNames();

// "run examples/kmeans.yaml examples/logreg.yaml": what was asked for, for people.
std::string titleOf(const RunOptions& options);

// The jobs of all files, checked for this machine. Invalid with one line per mistake.
Result<RunRequest> readRequest(const RunOptions& options, Cores machine);

}  // namespace slaq::cli::run
