// slaq-controller: reads its configuration, connects, and runs epochs until a signal stops it.
#include <malloc.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>

#include "base/process/end_process.h"
#include "base/process/stop_signals.h"
#include "base/text_file.h"
#include "config/read_configuration.h"
#include "controller.h"
#include "kube/auth/default_access.h"
#include "kube/auth/kubeconfig.h"
#include "ops/serving_certificate.h"
#include "release/version.h"
#include "sources/loss_source.h"
#include "telemetry/log.h"

namespace slaq::controller {
namespace {

constexpr int kMisused = 2;

// glibc gives each thread its own heap and keeps the memory that was freed there. With a thousand jobs the
// process took 104 MiB instead of 55.
void shareOneHeap() {
  constexpr int kLarge = 128 * 1024;  // bytes; larger blocks are mapped apart and returned at once
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, kLarge);
  mallopt(M_TRIM_THRESHOLD, kLarge);
}

Result<config::Configuration> configurationOf(const std::string& file) {
  const auto text = readTextFile(file);
  if (!text) return failure(text.error());
  return config::readConfiguration(file, *text);
}

Result<void> checkCertificate(const config::Telemetry& telemetry) {
  if (telemetry.certificateFile.empty()) return {};
  return ops::check({telemetry.certificateFile, telemetry.keyFile});
}

std::shared_ptr<spdlog::logger> makeLog(config::LogLevel level) {
  auto log = spdlog::stdout_logger_mt("slaq");
  log->set_pattern("time=%Y-%m-%dT%H:%M:%S.%e%z level=%l %v");
  log->set_level(spdlog::level::from_str(std::string(name(level))));
  log->flush_on(spdlog::level::info);
  return log;
}

int fail(const Error& error) {
  std::cerr << "slaq-controller: " << error.message << '\n';
  return error.kind == ErrorKind::Invalid || error.kind == ErrorKind::Malformed ? kMisused : 1;
}

struct Options {
  std::string configFile;
  std::string kubeconfig;
  bool check = false;
};

int schedule(const Options& options) {
  const StopSignals signals({SIGINT, SIGTERM});
  const auto configuration = configurationOf(options.configFile);
  if (!configuration) return fail(configuration.error());
  const SystemClock clock;
  auto losses = sources::makeLossSource(configuration->loss, configuration->scheduling.epoch, clock);
  if (!losses) return fail(losses.error());
  if (const auto usable = checkCertificate(configuration->telemetry); !usable) return fail(usable.error());
  const auto hints = config::hintsOn(*configuration);
  if (options.check) {
    std::cout << options.configFile << " can be used\n";
    for (const auto& hint : hints) std::cout << "hint: " << hint << '\n';
    return 0;
  }
  auto access = options.kubeconfig.empty() ? kube::auth::defaultAccess(clock)
                                           : kube::auth::kubeconfigAccess(options.kubeconfig, "", clock);
  if (!access) return fail(access.error());

  const auto log = makeLog(configuration->logLevel);
  const auto& capacity = configuration->scheduling.capacity;
  log->info("event=start version={} revision={} policy={} capacity={} server={}",
            release::thisBuild().version, release::thisBuild().revision,
            name(configuration->scheduling.policy), capacity ? toString(*capacity) : "automatic",
            access->endpoint.url);
  for (const auto& hint : hints) log->warn("event=hint message={}", telemetry::quoted(hint));
  Controller controller(*configuration, *access, std::move(*losses), log);
  if (const auto serving = controller.serve(); !serving) return fail(serving.error());
  controller.run([&](Seconds pause) { return signals.within(pause); });
  log->info("event=stop");
  return 0;
}

int runController(int argc, char** argv) {
  CLI::App app("Schedules TrainingJobs on a Kubernetes cluster by the loss that each core takes off.",
               "slaq-controller");
  Options options;
  app.add_option("--config", options.configFile, "the configuration file (docs/configuration.md)")
      ->required();
  app.add_option("--kubeconfig", options.kubeconfig,
                 "how to reach the cluster from outside; in a pod it is known");
  app.add_flag("--check", options.check,
               "read the configuration and the files that it names, say what is wrong with them, and end");
  app.set_version_flag("--version", "slaq-controller " + toString(release::thisBuild()));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kMisused;
  }
  return schedule(options);
}

}  // namespace
}  // namespace slaq::controller

int main(int argc, char** argv) {
  slaq::controller::shareOneHeap();  // before any thread starts
  slaq::endProcess(slaq::controller::runController(argc, argv));
}
