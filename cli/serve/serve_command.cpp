#include "cli/serve/serve_command.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "base/process/stop_signals.h"
#include "cli/api/job_api.h"
#include "cli/flags/cluster_flags.h"
#include "cli/flags/seconds_flag.h"
#include "cli/flags/server_socket.h"
#include "cli/flags/words.h"
#include "cli/jobs/display.h"
#include "cli/machine/machine_claim.h"
#include "cli/machine/machine_watch.h"
#include "cli/serve/server.h"
#include "cli/web/web_page.h"
#include "forecast/predictors/registry.h"

namespace slaq::cli::serve {
namespace {

struct ServeOptions {
  std::string directory;
  std::string socket;
  machine::SharingFlags sharing;
  std::string policy = std::string(name(scheduler::Settings().policy));
  std::string predictor = scheduler::Settings().predictor;
  double epoch = 3;
  std::string web;  // the address of the page; empty: none
};

// The machine's directory for root, else the user's.
std::string defaultDirectory() {
  if (::geteuid() == 0) return "/var/lib/slaq/jobs";
  if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state)
    return std::string(state) + "/slaq/jobs";
  const char* home = std::getenv("HOME");
  return std::string(home ? home : ".") + "/.local/state/slaq/jobs";
}

Result<ServeSettings> settingsFor(const ServeOptions& options) {
  const auto shared = machine::sharedResources(options.sharing, machine::usableCores());
  if (!shared) return failure(shared.error());
  ServeSettings settings{.directory = store::ServeDirectory(options.directory),
                         .scheduling = {},
                         .shared = *shared,
                         .programs = machine::ownDirectory()};
  settings.scheduling = {.policy = scheduler::findPolicy(options.policy),
                         .predictor = options.predictor,
                         .epoch = Seconds(options.epoch),
                         .resource = shared->resource(),
                         .capacity = shared->capacity,
                         .price = machine::kPrice};
  if (auto opened = settings.directory.open(); !opened) return failure(opened.error());
  return settings;
}

// Ends the process at once, without destructors, which would end the programs.
[[noreturn]] void leave(int code) {
  std::cout << std::flush;
  std::cerr << std::flush;
  std::fflush(nullptr);
  ::_exit(code);
}

Result<void> openApi(const std::string& socket, Board& board, std::unique_ptr<api::JobApi>& api) {
  auto started = api::JobApi::start(socket, board);
  if (!started) return failure(started.error().kind, started.error().message + "; name another --socket");
  api = std::move(*started);
  std::cerr << "slaq submit, top, explain, logs and stop reach it at " << socket << ".\n";
  return {};
}

// systemd removes /run/user/UID, with the socket in it, when a user has left all sessions. The directory is
// there again at the next login.
void openAgain(const std::string& socket, Board& board, std::unique_ptr<api::JobApi>& api) {
  if (flags::isSocket(socket)) return;
  api.reset();
  if (auto started = api::JobApi::start(socket, board)) api = std::move(*started);
}

int serveJobs(const std::string& program, const ServeOptions& options) {
  const StopSignals signals({SIGINT, SIGTERM, SIGHUP});  // before other threads start
  ::signal(SIGPIPE, SIG_IGN);                            // the reader of the output may leave
  const SystemClock clock;
  auto settings = settingsFor(options);
  if (!settings) return flags::fail(program, settings.error(), flags::kMisused);
  Board board(settings->directory.path, settings->directory.unfinished(),
              {settings->shared.capacity, settings->shared.resource()});
  const auto other = machine::claimMachine();
  if (other && options.sharing.cores.empty() && settings->shared.gpus.empty())
    std::cerr << "hint: " << *other << '\n';
  auto limiter = machine::limiterFor(settings->shared);
  std::cerr << "Serving the jobs of " << settings->directory.path.string() << " under " << options.policy
            << " on " << machine::sharedText(settings->shared, *limiter) << ".\n";
  const auto display = jobs::makeDisplay(stdout, true);
  page::LiveDocument document("serve", settings->shared.resource());
  document.beginRun(options.policy);
  auto page = web::serveWantedPage(options.web, document);
  if (!page) return flags::fail(program, page.error(), flags::kMisused);
  std::unique_ptr<api::JobApi> api;
  const ServeSurroundings surroundings{
      .clock = clock,
      .open = [&] { return openApi(options.socket, board, api); },
      .wait =
          [&](Seconds pause) {
            openAgain(options.socket, board, api);
            return signals.within(pause);
          },
      .show = [&](const jobs::RunSnapshot& snapshot) { display->show(snapshot); },
      .tell = [](const std::string& line) { std::cerr << line << std::endl; },
      .report = web::timelineIn(document, !options.web.empty())};
  const auto done = runServer(*settings, std::move(limiter), board, surroundings);
  api.reset();
  page->reset();
  if (!done) leave(flags::fail(program, done.error(), flags::kFailed));
  std::cerr << "slaq serve has ended; the programs that it started go on, and the next one takes them up. To "
               "end one, "
               "start slaq serve again and use slaq stop.\n";
  leave(0);
}

}  // namespace

void addServeCommand(CLI::App& app, std::function<int()>& run) {
  auto options = std::make_shared<ServeOptions>();
  options->directory = defaultDirectory();
  options->socket = flags::ownSocket();
  CLI::App* command = app.add_subcommand("serve", "Run the trainings of this machine's queue");
  command
      ->add_option("--directory", options->directory,
                   "of manifests: one that is written there adds a job, one that is removed stops it")
      ->capture_default_str();
  command->add_option("--socket", options->socket, "where slaq submit, top and others reach it")
      ->capture_default_str();
  machine::addSharingFlags(*command, options->sharing);
  command->add_option("--policy", options->policy, "how cores are divided")
      ->capture_default_str()
      ->check(CLI::IsMember(flags::wordsOf(scheduler::clusterPolicies())));
  command->add_option("--predictor", options->predictor, "how losses are forecast")
      ->capture_default_str()
      ->check(CLI::IsMember(flags::wordsOf(forecast::predictorNames())));
  command
      ->add_option("--epoch", options->epoch,
                   "seconds between decisions; by LookAhead also when jobs arrive, have done their first "
                   "iteration, or end")
      ->capture_default_str()
      ->check(flags::secondsBetween(0.1, 3600));
  web::addWebFlag(*command, options->web);
  command->callback([&app, options, &run] {
    run = [program = app.get_name(), options] { return serveJobs(program, *options); };
  });
}

}  // namespace slaq::cli::serve
