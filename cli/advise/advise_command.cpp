#include "cli/advise/advise_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "base/text_file.h"
#include "cli/advise/advice_report.h"
#include "cli/advise/outlook.h"
#include "cli/cluster/training_cluster.h"
#include "cli/flags/cluster_flags.h"
#include "cli/flags/job_name.h"
#include "cli/flags/trace_flags.h"
#include "cli/output/format.h"
#include "cli/output/page_file.h"
#include "cli/terminal/terminal.h"
#include "manifest/manifest.h"

namespace slaq::cli::advise {
namespace {

struct AdviseOptions {
  flags::ClusterFlags cluster;
  std::string job;
  std::string trace;
  simulate::TraceColumns columns;
  std::string scaling;
  std::string format = output::kText;
  std::string report;
};

int tell(const std::string& program, const AdviseOptions& options, const std::string& title,
         const Outlook& outlook) {
  const auto report = output::PageFile::at(options.report);
  if (!report) return flags::fail(program, report.error(), flags::kMisused);
  const Advice advice = adviceFrom(outlook);
  std::cout << (output::isForPeople(options.format)
                    ? adviceText(title, outlook, advice, terminal::frameOf(stdout))
                    : output::inFormat(adviceJson(title, outlook, advice), options.format));
  if (!report->isWanted()) return 0;
  const auto written = report->write(adviceDocument(title, outlook, advice));
  return written ? 0 : flags::fail(program, written.error(), flags::kFailed);
}

Error about(const std::string& title, Error error) {
  error.message = title + ": " + error.message;
  return error;
}

Result<TrainingJob> jobIn(const std::string& file) {
  const auto text = readRegularTextFile(file);
  if (!text) return failure(text.error());
  auto jobs = manifest::readManifest(file, *text);
  if (!jobs) return failure(jobs.error());
  if (jobs->size() == 1) return std::move(jobs->front());
  return failure(ErrorKind::Invalid,
                 file + ": has " + std::to_string(jobs->size()) + " TrainingJobs; give a file with one");
}

int adviseOnFiles(const std::string& program, const AdviseOptions& options) {
  const auto job = jobIn(options.job);
  if (!job) return flags::fail(program, job.error(), flags::kMisused);
  const auto trace = simulate::loadTrace(options.trace, options.columns);
  if (!trace) return flags::fail(program, trace.error(), flags::kMisused);
  const auto scaling = simulate::loadScaling(options.scaling);
  if (!scaling) return flags::fail(program, scaling.error(), flags::kMisused);
  const auto outlook = outlookOf(job->spec, *trace, *scaling);
  if (!outlook) return flags::fail(program, about(toString(job->key), outlook.error()), flags::kMisused);
  return tell(program, options, toString(job->key), *outlook);
}

int adviseOnJob(const std::string& program, const AdviseOptions& options) {
  const SystemClock clock;
  const auto access = flags::accessToJobsBy(options.cluster, clock);
  if (!access) return flags::fail(program, access.error(), flags::kMisused);
  cluster::TrainingCluster cluster(*access);
  const auto key = flags::jobNamed(options.job, options.cluster.ns, cluster.ns());
  if (!key) return flags::fail(program, key.error(), flags::kMisused);
  const auto job = cluster.job(*key);
  if (!job) return flags::fail(program, job.error(), flags::kFailed);
  const auto outlook = outlookOf(job->job.spec, job->status);
  if (!outlook) return flags::fail(program, about(toString(*key), outlook.error()), flags::kFailed);
  return tell(program, options, toString(*key), *outlook);
}

}  // namespace

void addAdviseCommand(CLI::App& app, std::function<int()>& run) {
  auto options = std::make_shared<AdviseOptions>();
  CLI::App* command =
      app.add_subcommand("advise", "Tell how long a training takes with each number of workers");
  command->add_option("job", options->job, "JOB or NAMESPACE/JOB; with --trace and --scaling a manifest")
      ->required();
  flags::addClusterFlags(*command, options->cluster);
  flags::addServerFlag(*command, options->cluster);
  CLI::Option* trace = command->add_option("--trace", options->trace,
                                           "a CSV file of the iterations and losses of a run, whole or not");
  flags::addTraceFlags(*command, options->columns);
  CLI::Option* scaling = command->add_option("--scaling", options->scaling,
                                             "a CSV file of workers,secondsPerIteration that were measured");
  trace->needs(scaling);
  scaling->needs(trace);
  output::addOutputFlag(*command, options->format);
  output::addReportFlag(*command, options->report, "the advice");
  command->callback([&app, options, &run] {
    run = [program = app.get_name(), options] {
      return options->trace.empty() ? adviseOnJob(program, *options) : adviseOnFiles(program, *options);
    };
  });
}

}  // namespace slaq::cli::advise
