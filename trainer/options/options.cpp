#include "trainer/options/options.h"

#include <CLI/CLI.hpp>

#include "trainer/data/formats/formats.h"
#include "trainer/options/number_flag.h"
#include "trainer/options/problem_flags.h"
#include "trainer/registry/registry.h"

namespace slaq::trainer::options {
namespace {

constexpr std::uint16_t kMetricsPort = 9464;
constexpr double kDay = 86400;

// What the flags hold before it is checked and completed from the environment.
struct Flags {
  ProblemFlags problem;
  std::string format;  // of an export, as are the two that follow
  std::string output;
  std::string labelsOutput;
  training::StopRule stop;
  std::string listen;
  std::string metricsPort;
  std::string history;
  std::string checkpoint;
  double checkpointEvery = 30;
  double linger = 2;
};

void addDriverFlags(CLI::App& app, Flags& flags) {
  addProblemFlags(app, flags.problem);
  app.add_option("--iterations", flags.stop.iterations, "Iterations at most")
      ->capture_default_str()
      ->transform(wholeNumber(1));
  app.add_option("--tolerance", flags.stop.tolerance,
                 "Converged when the loss changes by less than this share in each of 5 iterations; 0 never")
      ->capture_default_str()
      ->check(number(0));
  app.add_option("--listen", flags.listen,
                 "HOST:PORT to await workers on; otherwise all interfaces, port of SLAQ_DRIVER_ADDRESS");
  app.add_option("--metrics-port", flags.metricsPort,
                 "Port of /metrics; otherwise SLAQ_METRICS_PORT, otherwise 9464");
  app.add_option("--history", flags.history, "CSV file for the loss of each iteration");
  app.add_option("--checkpoint", flags.checkpoint,
                 "File to go on from, if it is there, and to save the training to; also on SIGTERM");
  app.add_option("--checkpoint-every", flags.checkpointEvery, "Seconds between checkpoints; 0 each iteration")
      ->capture_default_str()
      ->check(number(0, kDay));
  app.add_option("--linger", flags.linger, "Seconds that /metrics stays up after the end")
      ->capture_default_str()
      ->check(number(0, kDay));
}

tl::unexpected<Error> refuse(const std::string& sentence) { return failure(ErrorKind::Invalid, sentence); }

Result<net::Address> addressFrom(const Environment& environment) {
  const auto text = environment("SLAQ_DRIVER_ADDRESS");
  if (!text || text->empty()) return refuse("SLAQ_DRIVER_ADDRESS is not set; write HOST:PORT into it");
  auto address = net::parseAddress(*text);
  if (!address) return refuse("SLAQ_DRIVER_ADDRESS: " + address.error().message);
  return address;
}

Result<net::Address> listenAddress(const Flags& flags, const Environment& environment) {
  if (!flags.listen.empty()) return net::parseAddress(flags.listen);
  auto address = addressFrom(environment);
  if (!address) return refuse(address.error().message + ", or give --listen");
  return net::Address{"", address->port};
}

Result<std::uint16_t> metricsPort(const Flags& flags, const Environment& environment) {
  if (!flags.metricsPort.empty()) return net::parsePort(flags.metricsPort);
  const auto text = environment("SLAQ_METRICS_PORT");
  return text && !text->empty() ? net::parsePort(*text) : Result<std::uint16_t>(kMetricsPort);
}

Result<Command> exportOptions(const Flags& flags) {
  const data::formats::Format* format = data::formats::findFormat(flags.format);
  if (!format) return refuse("--format must be csv, libsvm, idx or lda-c, not \"" + flags.format + "\"");
  const auto chosen = choose(flags.problem);
  if (!chosen) return failure(chosen.error());
  if (format->labelsApart && flags.labelsOutput.empty()) {
    return refuse("--format idx needs --labels-output FILE for the labels");
  }
  if (format->documents != registry::findAlgorithm(chosen->problem)->documents) {
    return refuse("--format " + flags.format + " cannot hold the data of " + chosen->problem.algorithm);
  }
  return dataset::ExportOptions{
      chosen->problem, chosen->files, flags.format, {flags.output, flags.labelsOutput}};
}

Result<Command> driverOptions(const Flags& flags, const Environment& environment) {
  const auto chosen = choose(flags.problem);
  if (!chosen) return failure(chosen.error());
  const auto listen = listenAddress(flags, environment);
  if (!listen) return failure(listen.error());
  const auto port = metricsPort(flags, environment);
  if (!port) return failure(port.error());
  return driver::DriverOptions{chosen->problem,
                               chosen->files,
                               flags.stop,
                               *listen,
                               *port,
                               flags.history,
                               flags.checkpoint,
                               Seconds(flags.checkpointEvery),
                               Seconds(flags.linger),
                               environment("SLAQ_JOB_UID").value_or("")};
}

Result<Command> workerOptions(const Environment& environment) {
  const auto driver = addressFrom(environment);
  if (!driver) return failure(driver.error());
  const std::string host = driver->host.empty() ? "localhost" : driver->host;
  return worker::WorkerOptions{{host, driver->port},
                               environment("SLAQ_WORKER_INDEX").value_or("?"),
                               environment("SLAQ_JOB_UID").value_or("")};
}

// The deepest subcommand that was named: the one that the user means.
const CLI::App& meant(const CLI::App& app) {
  const auto named = app.get_subcommands();
  return named.empty() ? app : *named.front();
}

}  // namespace

Result<Command> parseCommand(int argc, const char* const* argv, const Environment& environment) {
  CLI::App app("Trains a model with as many workers as there are.", "slaq-trainer");
  app.require_subcommand(1);
  Flags flags;
  CLI::App* driver = app.add_subcommand("driver", "Runs the training and hands it out to workers");
  addDriverFlags(*driver, flags);
  CLI::App* data = app.add_subcommand("data", "Writes the training data to a file, for other programs");
  addProblemFlags(*data, flags.problem);
  data->add_option("--format", flags.format, "csv, libsvm, idx or lda-c")->required();
  data->add_option("--output", flags.output, "The file to write")->required();
  data->add_option("--labels-output", flags.labelsOutput, "The file for the labels, for --format idx");
  CLI::App* worker = app.add_subcommand(
      "worker", "Computes for the driver at SLAQ_DRIVER_ADDRESS; SLAQ_WORKER_INDEX is its name");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Text{meant(app).help()};
  } catch (const CLI::ParseError& error) {
    return refuse(std::string(error.what()) + "; see --help");
  }
  if (data->parsed()) return exportOptions(flags);
  return worker->parsed() ? workerOptions(environment) : driverOptions(flags, environment);
}

}  // namespace slaq::trainer::options
