// slaq-trainer: the demonstration workload, a data-parallel trainer whose workers may come and go.
#include <signal.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "trainer/dataset/export.h"
#include "trainer/driver/driver.h"
#include "trainer/options/options.h"
#include "trainer/training/metrics.h"
#include "trainer/worker/worker.h"

namespace {

using namespace slaq;
using namespace slaq::trainer;

constexpr int kFailed = 1;
constexpr int kMisused = 2;
constexpr int kSignalled = 128;  // plus the signal's number, as a shell says it

// The other side notices by the closed connection, so there is nothing to say and nothing to wait for.
void leaveOn(int signal) { _exit(kSignalled + signal); }

// As the first process of a container, one without handlers would never see these signals.
void installSignals() {
  struct sigaction action {};
  action.sa_handler = leaveOn;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

std::optional<std::string> environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value ? std::optional<std::string>(value) : std::nullopt;
}

int refuse(const Error& error) {
  std::cerr << "slaq-trainer: " << error.message << '\n';
  return kMisused;
}

spdlog::logger makeLog(const std::string& name) {
  spdlog::logger log(name, std::make_shared<spdlog::sinks::stderr_sink_mt>());
  log.set_pattern("%H:%M:%S %n: %v");
  log.flush_on(spdlog::level::info);
  return log;
}

int statusOf(const driver::Departure& departure) {
  if (departure.signal != 0) return kSignalled + departure.signal;
  return departure.ending == training::Ending::Diverged ? kFailed : EXIT_SUCCESS;
}

int execute(const driver::DriverOptions& options) {
  spdlog::logger log = makeLog("driver");
  const auto metrics = std::make_shared<training::Metrics>();
  const auto server = training::serveMetrics(metrics, options.metricsPort);
  if (!server) return refuse(server.error());
  log.info("serves metrics on port {}", (*server)->port());
  const auto departure = driver::runDriver(options, *metrics, log);
  const int status = departure ? statusOf(*departure) : refuse(departure.error());
  std::cerr << std::flush;
  std::_Exit(status);
}

int execute(const worker::WorkerOptions& options) {
  spdlog::logger log = makeLog("worker " + options.index);
  worker::runWorker(options, log);
  return EXIT_SUCCESS;
}

int execute(const dataset::ExportOptions& options) {
  const auto written = dataset::exportData(options);
  return written ? EXIT_SUCCESS : refuse(written.error());
}

int execute(const options::Text& text) {
  std::cout << text.text;
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  installSignals();
  const auto command = options::parseCommand(argc, argv, environment);
  if (!command) return refuse(command.error());
  return std::visit([](const auto& what) { return execute(what); }, *command);
}
