#include "cli/run/run_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "base/process/stop_signals.h"
#include "cli/api/job_api.h"
#include "cli/flags/cluster_flags.h"
#include "cli/flags/compared_policy.h"
#include "cli/flags/seconds_flag.h"
#include "cli/flags/server_socket.h"
#include "cli/flags/words.h"
#include "cli/jobs/display.h"
#include "cli/jobs/verdict.h"
#include "cli/logs/kept_logs.h"
#include "cli/machine/machine_claim.h"
#include "cli/machine/machine_watch.h"
#include "cli/manifests/command_flags.h"
#include "cli/output/output_file.h"
#include "cli/output/page_file.h"
#include "cli/run/all_at_once.h"
#include "cli/run/experiment.h"
#include "cli/run/live_jobs.h"
#include "cli/run/run_board.h"
#include "cli/run/run_request.h"
#include "cli/run/summary.h"
#include "cli/web/web_page.h"
#include "forecast/predictors/registry.h"

namespace slaq::cli::run {
namespace {

constexpr int kUsage = 2;
constexpr int kInterrupted = 130;
int fail(const Error& error) {
  std::cerr << error.message << '\n';
  return error.kind == ErrorKind::Invalid || error.kind == ErrorKind::Malformed ? kUsage : 1;
}

int exitCodeOf(const RunResult& run) {
  if (run.interrupted) return kInterrupted;
  return std::ranges::all_of(run.jobs, [](const auto& job) { return job.state == JobState::Complete; }) ? 0
                                                                                                        : 1;
}

// One call of the command: its request, and its outputs.
struct Call {
  const RunOptions& options;
  const RunRequest& request;
  const StopSignals& signals;
  std::ofstream& losses;  // gets each loss as soon as it is read
  RunBoard& board;
  page::LiveDocument& document;
};

Experiment experimentFor(const RunOptions& options, const RunRequest& request,
                         const scheduler::Policy& policy) {
  Experiment experiment{.jobs = request.jobs, .settings = {}, .local = {}};
  experiment.settings = {.policy = &policy,
                         .predictor = options.predictor,
                         .epoch = Seconds(options.epoch),
                         .resource = request.shared.resource(),
                         .capacity = &policy == &allAtOnce() ? mostOf(request.jobs) : request.shared.capacity,
                         .price = machine::kPrice};
  request.shared.set(experiment.local);
  experiment.local.programs = machine::ownDirectory();
  if (!options.logs.empty()) {
    experiment.local.logs = options.compare ? std::filesystem::path(options.logs) / policy.name()
                                            : std::filesystem::path(options.logs);
    experiment.logs = options.keepsLogs ? kLogsCommand : experiment.local.logs->string();
  }
  return experiment;
}

Result<RunResult> runUnder(const scheduler::Policy& policy, const Call& call) {
  const SystemClock clock;
  auto limiter = machine::limiterFor(call.request.shared);
  std::cerr << "Running under " << policy.name() << " on "
            << machine::sharedText(call.request.shared, *limiter) << ".\n";
  const auto display = jobs::makeDisplay(stdout, call.options.plain);
  call.document.beginRun(std::string(policy.name()));
  const Surroundings surroundings{
      .clock = clock,
      .wait = [&](Seconds pause) { return call.signals.within(pause); },
      .show = [&](const jobs::RunSnapshot& snapshot) { display->show(snapshot); },
      .record =
          [&](const JobKey& job, Seconds since, const LossSample& sample) {
            call.losses << lossCsvLine(policy.name(), job, since, sample) << std::flush;
          },
      .tell = web::timelineIn(call.document, !call.options.web.empty() || !call.options.report.empty()),
      .board = &call.board};
  auto result =
      runExperiment(experimentFor(call.options, call.request, policy), std::move(limiter), surroundings);
  if (result) call.document.endRun(endsOf(*result));
  return result;
}

void tellWhatWentWrong(const RunResult& run) {
  std::cerr << failuresOf(run) << restartsOf(run) << silentOf(run) << hintsOf(run);
}

// Keeps the output of commands, unless the user named a directory for it.
RunOptions withLogs(RunOptions options) {
  const bool hasCommands = !options.command.empty() || !options.lines.empty() ||
                           std::ranges::any_of(options.files, manifests::isListOfCommands);
  const auto runs = hasCommands && options.logs.empty() ? logs::runsDirectory() : std::nullopt;
  if (!runs) return options;
  const auto run = logs::newRun(*runs);
  std::error_code error;
  std::filesystem::create_directories(run, error);
  if (error) {
    std::cerr << "hint: what the programs write is not kept, since " << runs->string()
              << " can't be written: " << error.message() << "; --logs DIR names another place\n";
    return options;
  }
  options.logs = run.string();
  options.keepsLogs = true;
  std::cerr << "What the programs write is kept in " << options.logs << "; slaq logs prints it.\n";
  return options;
}

// Lets other commands reach the jobs of the run. A run without this goes on all the same.
std::unique_ptr<api::JobApi> openApi(RunBoard& board, bool keepsLogs) {
  std::string socket = flags::runSocket();
  auto api = api::JobApi::start(socket, board, api::Clients::OwnUser);
  if (!api && api.error().kind == ErrorKind::Conflict) {  // another run of this user
    socket = flags::secondRunSocket();
    api = api::JobApi::start(socket, board, api::Clients::OwnUser);
  }
  if (!api) {
    std::cerr << "hint: slaq top, explain and stop can't reach this run: " << api.error().message << '\n';
    return nullptr;
  }
  const bool isMeant = flags::meantServer({}) == socket;
  std::cerr << "From another terminal slaq top, explain" << (keepsLogs ? ", logs" : "")
            << " and stop reach it" << (isMeant ? "" : " with --server " + socket)
            << "; Ctrl-C ends it with its programs.\n";
  return std::move(*api);
}

// Jobs that a user stopped are no policy's fault.
std::string verdictOf(const RunResult& first, const RunResult& second, page::Document told) {
  const auto stopped = stoppedIn(first, second);
  for (auto& run : told.runs) {
    for (const auto& key : stopped) run.ends.erase(key);
  }
  return jobs::verdictOf(told.runs[0], told.runs[1]);
}

// The same request without the jobs that a user stopped in a run of it.
RunRequest withoutStopped(RunRequest request, const RunResult& run) {
  const auto stopped = stoppedIn(run, run);
  std::erase_if(request.jobs, [&](const auto& each) { return stopped.contains(each.job.key); });
  return request;
}

// Returns the exit code.
Result<int> runAndSummarize(const Call& call) {
  const auto first = runUnder(*call.request.policy, call);
  if (!first) return failure(first.error());
  tellWhatWentWrong(*first);
  const RunRequest rest = withoutStopped(call.request, *first);
  if (!call.options.compare || first->interrupted || rest.jobs.empty()) {
    std::cout << '\n' << summaryOf(*first);
    call.document.end();
    return exitCodeOf(*first);
  }
  const auto second = runUnder(*scheduler::findPolicy(flags::kComparedPolicy),
                               {call.options, rest, call.signals, call.losses, call.board, call.document});
  if (!second) return failure(second.error());
  tellWhatWentWrong(*second);
  const std::string verdict = verdictOf(*first, *second, call.document.copy());
  call.document.end(verdict);
  std::cout << '\n' << comparisonOf(*first, *second) << '\n' << verdict << '\n';
  return std::max(exitCodeOf(*first), exitCodeOf(*second));
}

int run(const RunOptions& asked) {
  const auto request = readRequest(asked, machine::usableCores());
  if (!request) return fail(request.error());
  std::cerr << request->hints;
  const auto other = machine::claimMachine();
  if (other && asked.sharing.cores.empty()) std::cerr << "hint: " << *other << '\n';
  const RunOptions options = withLogs(asked);
  auto losses = output::outputFile(options.losses, "--losses");
  if (!losses) return fail(losses.error());
  const auto report = output::PageFile::at(options.report);
  if (!report) return fail(report.error());
  *losses << lossCsvHeader() << std::flush;
  const StopSignals signals({SIGINT, SIGTERM, SIGHUP});
  page::LiveDocument document(titleOf(options), request->shared.resource());
  auto page = web::serveWantedPage(options.web, document);
  if (!page) return fail(page.error());
  RunBoard board(request->manifests);
  const auto api = openApi(board, !options.logs.empty());
  const auto code = runAndSummarize({options, *request, signals, *losses, board, document});
  if (!code) return fail(code.error());
  if (*page) web::tellTheLast(**page);
  if (report->isWanted()) {
    const auto written = report->write(page::toJson(document.copy()));
    if (!written) return fail(written.error());
  }
  const auto written = output::finish(*losses, options.losses);
  return written ? *code : fail(written.error());
}

}  // namespace

void addRunCommand(CLI::App& app, std::function<int()>& run, const std::vector<std::string>& words) {
  auto options = std::make_shared<RunOptions>();
  options->command = words;
  CLI::App* command = app.add_subcommand("run", "Run trainings on this machine");
  command->add_option(
      "files", options->files,
      "manifests of TrainingJobs: files, directories, or - for the standard input; files *.txt "
      "have a command in each line. Or a command itself: -- python train.py");
  command->add_option("--job", options->lines, "a command, such as 'python a.py'; can be given again");
  manifests::addCommandFlags(*command, options->commands);
  addSharingFlags(*command, options->sharing);
  command->get_option("--share-gpu")->excludes(command->get_option("--gpu"));
  command
      ->add_option(
          "--policy", options->policy,
          "LookAhead, TotalQuality, MinQuality, FinishTime, LeastAttainedService, Fair or AllAtOnce (no "
          "scheduler: each job has all that it may)")
      ->capture_default_str();
  command->add_option("--predictor", options->predictor, "how losses are forecast")
      ->capture_default_str()
      ->check(CLI::IsMember(flags::wordsOf(forecast::predictorNames())));
  command->add_flag("--compare", options->compare, "run the same jobs again under Fair and compare");
  command->add_option("--interarrival", options->interarrival, "seconds between the jobs' arrivals")
      ->capture_default_str()
      ->check(flags::secondsBetween(0, 86400));
  command
      ->add_option("--epoch", options->epoch,
                   "seconds between decisions; by LookAhead also when jobs arrive, have done their first "
                   "iteration, or end")
      ->capture_default_str()
      ->check(flags::secondsBetween(0.1, 3600));
  command->add_option("--logs", options->logs, "directory to keep the processes' output in");
  command->add_option("--losses", options->losses, "CSV file to write every loss to, as soon as it is seen");
  output::addReportFlag(*command, options->report, "the run, when all is over,");
  web::addWebFlag(*command, options->web);
  command->add_flag("--plain", options->plain, "lines instead of a table, also on a terminal");
  command->callback([options, &run] { run = [options] { return cli::run::run(*options); }; });
}

}  // namespace slaq::cli::run
