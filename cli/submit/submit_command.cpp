#include "cli/submit/submit_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "base/text_file.h"
#include "cli/cluster/job_server.h"
#include "cli/flags/cluster_flags.h"
#include "cli/flags/server_socket.h"
#include "cli/machine/shared_resources.h"
#include "cli/manifests/command_check.h"
#include "cli/manifests/command_flags.h"
#include "cli/manifests/command_jobs.h"
#include "cli/submit/submission.h"
#include "local/cluster/check_local.h"

namespace slaq::cli::submit {
namespace {

struct SubmitOptions {
  flags::ClusterFlags cluster;
  manifests::CommandDefaults commands;
  std::vector<std::string> files;
  std::vector<std::string> command;
};

struct Asked {
  Submission submission;
  bool mayBeNumbered = false;  // the user did not choose its name
  bool isCommand = false;
};

// The number of tries, since another client may take a free name first.
constexpr int kMostNames = 100;

class Request {
 public:
  explicit Request(const SubmitOptions& options) : options_(options), defaults_(options.commands) {
    manifests::completeMaxCpu(defaults_, machine::allCores());
  }

  Result<std::vector<Asked>> read() {
    for (const auto& path : options_.files) {
      const auto added = manifests::isListOfCommands(path) ? addList(path) : addManifests(path);
      if (!added) return failure(added.error());
    }
    if (!options_.command.empty()) {
      const std::string mistake = options_.command.front().empty()
                                      ? "the command has no name"
                                      : manifests::mistakeInCommand(options_.command);
      if (!mistake.empty()) return failure(ErrorKind::Invalid, "--: " + mistake);
      const auto added = addCommand([&](manifests::CommandJobs& jobs) { jobs.add(options_.command); });
      if (!added) return failure(added.error());
    }
    if (!asked_.empty()) return std::move(asked_);
    return failure(
        ErrorKind::Invalid,
        "there is nothing to submit; name a manifest, or a command after --: slaq submit -- python "
        "train.py");
  }

 private:
  Result<void> addText(const manifests::ManifestText& manifest, bool isCommand) {
    auto submissions = submissionsIn(manifest.name, manifest.text, options_.cluster.ns, caller_);
    if (!submissions) return failure(submissions.error());
    const bool mayBeNumbered = isCommand && defaults_.name.empty();
    for (auto& each : *submissions) asked_.push_back({std::move(each), mayBeNumbered, isCommand});
    return {};
  }

  Result<void> addCommand(const std::function<void(manifests::CommandJobs&)>& add) {
    manifests::CommandJobs jobs(defaults_);
    add(jobs);
    return addText(jobs.manifests().front(), true);
  }

  Result<void> addList(const std::string& path) {
    const auto text = readTextFile(path);
    if (!text) return failure(text.error());
    for (const auto& line : manifests::commandLines(*text)) {
      if (const auto mistake = manifests::mistakeInLine(line); !mistake.empty())
        return failure(ErrorKind::Invalid, path + ": " + mistake);
      const auto added = addCommand([&](manifests::CommandJobs& jobs) { jobs.addLine(line); });
      if (!added) return added;
    }
    return {};
  }

  Result<void> addManifests(const std::string& path) {
    if (manifests::isScript(path))
      return failure(ErrorKind::Invalid,
                     path + ": is a script, and no manifest; a command comes after --: slaq submit -- " +
                         manifests::commandFor(path));
    const auto manifests = manifests::manifestsAt(path, std::cin);
    if (!manifests)
      return failure(
          manifests.error().kind,
          manifests.error().message + "; a command comes after --: slaq submit -- python train.py");
    for (const auto& manifest : *manifests) {
      const auto added = addText(manifest, false);
      if (!added) return added;
    }
    return {};
  }

  const SubmitOptions& options_;
  manifests::CommandDefaults defaults_;
  const Caller caller_ = thisCaller();
  std::vector<Asked> asked_;
};

Result<JobKey> submitOne(cluster::JobServer& server, Asked& asked) {
  Submission& submission = asked.submission;
  const JobKey first = submission.key();
  for (int tried = 1;; ++tried) {
    auto key = server.submit(submission.key().ns, submission.text());
    if (key || key.error().kind != ErrorKind::Conflict || !asked.mayBeNumbered || tried == kMostNames)
      return key;
    const auto there = server.jobs(first.ns);
    if (!there) return failure(there.error());
    std::vector<std::string> names;
    for (const auto& job : *there) names.push_back(job.key.name);
    submission.rename(freeName(first.name, names));
  }
}

// The commands that show more of a job. They name the server if they would find another one by default.
std::string hint(const JobKey& key, const std::string& socket) {
  const std::string name = key.ns == flags::kServedNamespace ? key.name : toString(key);
  const std::string server = flags::meantServer({}) == socket ? "" : " --server " + socket;
  const std::string ns = key.ns == flags::kServedNamespace ? "" : " -n " + key.ns;
  return "slaq top" + server + ns + " shows it, slaq logs" + server + " -f " + name + " what it writes";
}

// The user has not written the manifest that the server refuses, so this names the flag to write.
Error ofCommand(Error error, const SubmitOptions& options) {
  if (!options.commands.onGpu && error.message.find(local::cluster::kGpu) != std::string::npos)
    error.message += "\nthis server shares GPUs: slaq submit --gpu gives a command one of them";
  return error;
}

int submitAll(const std::string& program, const SubmitOptions& options) {
  auto asked = Request(options).read();
  if (!asked) return flags::fail(program, asked.error(), flags::kMisused);
  const std::string socket = flags::namedServer(options.cluster).value_or(flags::defaultSocket());
  cluster::JobServer server(socket);
  for (auto& each : *asked) {
    const auto key = submitOne(server, each);
    if (!key)
      return flags::fail(program, each.isCommand ? ofCommand(key.error(), options) : key.error(),
                         key.error().kind == ErrorKind::Invalid ? flags::kMisused : flags::kFailed);
    std::cout << toString(*key) << " submitted; " << hint(*key, socket) << '\n' << std::flush;
  }
  return 0;
}

}  // namespace

void addSubmitCommand(CLI::App& app, std::function<int()>& run, const std::vector<std::string>& words) {
  auto options = std::make_shared<SubmitOptions>();
  options->command = words;
  CLI::App* command = app.add_subcommand("submit", "Give trainings to slaq serve on this machine");
  command->add_option(
      "files", options->files,
      "manifests of TrainingJobs: files, directories, or - for the standard input; files *.txt "
      "have a command in each line. Or a command itself: -- python train.py");
  manifests::addCommandFlags(*command, options->commands);
  command->add_option("-n,--namespace", options->cluster.ns,
                      "namespace of the jobs (the manifest's, or default)");
  flags::addServerFlag(*command, options->cluster);
  command->callback([&app, options, &run] {
    run = [program = app.get_name(), options] { return submitAll(program, *options); };
  });
}

}  // namespace slaq::cli::submit
