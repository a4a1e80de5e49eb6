#include "trainer/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "trainer/algorithms/registry.h"
#include "trainer/data/formats.h"
#include "trainer/data/generators.h"

namespace slaq::trainer {
namespace {

constexpr std::uint16_t kMetricsPort = 9464;
constexpr double kDay = 86400;

// What the flags hold before it is checked and completed from the environment.
struct Flags {
  Problem problem;
  std::map<std::string, std::string> settings;  // as they were written
  std::string data;
  std::string labels;
  std::string format;  // of an export, as are the two that follow
  std::string output;
  std::string labelsOutput;
  StopRule stop;
  std::string listen;
  std::string metricsPort;
  std::string history;
  std::string checkpoint;
  double checkpointEvery = 30;
  double linger = 2;
};

// What each algorithm and each generator may be told, for the help.
std::string settingsHelp() {
  std::string help = "\nALGORITHMS and their settings:\n";
  for (const Entry& entry : algorithms()) {
    help += "  " + std::string(entry.name) + ": " + std::string(entry.summary) + ", on " +
            std::string(entry.data) + "\n" + describe(entry.settings);
  }
  help += "  of those that tell one class from all others:\n" + describe(sharedSettings().first(1));
  help += "\nDATA and their settings:\n";
  for (const Generator& data : generators()) {
    help += "  " + std::string(data.name) + ": " + std::string(data.summary) + "\n" + describe(data.settings);
  }
  for (const Format& format : formats()) {
    help += "  " + std::string(format.name) + ":PATH: " + std::string(format.summary) + "\n" +
            describe(format.settings);
  }
  help += "  of all files with rows of features:\n" + describe(sharedSettings().last(1));
  return help;
}

// Every setting that something has is a flag; who has it is seen to when all flags are known.
void addSettings(CLI::App& app, std::span<const Setting> settings, Flags& flags) {
  for (const Setting& setting : settings) {
    const std::string name(setting.name);
    if (app.get_option_no_throw("--" + name)) continue;
    app.add_option_function<std::string>(
           "--" + name, [&flags, name](const std::string& text) { flags.settings[name] = text; })
        ->group("");
  }
}

void addProblemFlags(CLI::App& app, Flags& flags) {
  Problem& problem = flags.problem;
  app.add_option("--algorithm", problem.algorithm, "What to train; see below")->required();
  app.add_option(
      "--data", flags.data,
      "What to train on: a generator's name or FORMAT:PATH; see below. Otherwise what suits the algorithm");
  app.add_option("--labels", flags.labels, "File of the labels, for --data idx:PATH");
  app.add_option("--rows", problem.rows, "Rows of training data, or documents");
  app.add_option("--features", problem.features, "Features of a row, or words in the vocabulary");
  app.add_option("--chunks", problem.chunks, "Parts that the rows are handed out in")->capture_default_str();
  app.add_option("--seed", problem.seed, "Seed of the training data and of the first state")
      ->capture_default_str();
  for (const Entry& entry : algorithms()) addSettings(app, entry.settings, flags);
  for (const Generator& data : generators()) addSettings(app, data.settings, flags);
  for (const Format& format : formats()) addSettings(app, format.settings, flags);
  addSettings(app, sharedSettings(), flags);
  app.footer(settingsHelp());
}

void addDriverFlags(CLI::App& app, Flags& flags) {
  addProblemFlags(app, flags);
  app.add_option("--iterations", flags.stop.iterations, "Iterations at most")->capture_default_str();
  app.add_option("--tolerance", flags.stop.tolerance,
                 "Converged when the loss changes by less than this share in each of 5 iterations; 0 never")
      ->capture_default_str();
  app.add_option("--listen", flags.listen,
                 "HOST:PORT to await workers on; otherwise all interfaces, port of SLAQ_DRIVER_ADDRESS");
  app.add_option("--metrics-port", flags.metricsPort,
                 "Port of /metrics; otherwise SLAQ_METRICS_PORT, otherwise 9464");
  app.add_option("--history", flags.history, "CSV file for the loss of each iteration");
  app.add_option("--checkpoint", flags.checkpoint,
                 "File to go on from, if it is there, and to save the training to; also on SIGTERM");
  app.add_option("--checkpoint-every", flags.checkpointEvery, "Seconds between checkpoints; 0 each iteration")
      ->capture_default_str();
  app.add_option("--linger", flags.linger, "Seconds that /metrics stays up after the end")
      ->capture_default_str();
}

tl::unexpected<Error> refuse(const std::string& sentence) { return failure(ErrorKind::Invalid, sentence); }

Result<Address> addressFrom(const Environment& environment) {
  const auto text = environment("SLAQ_DRIVER_ADDRESS");
  if (!text || text->empty()) return refuse("SLAQ_DRIVER_ADDRESS is not set; write HOST:PORT into it");
  auto address = parseAddress(*text);
  if (!address) return refuse("SLAQ_DRIVER_ADDRESS: " + address.error().message);
  return address;
}

Result<Address> listenAddress(const Flags& flags, const Environment& environment) {
  if (!flags.listen.empty()) return parseAddress(flags.listen);
  auto address = addressFrom(environment);
  if (!address) return refuse(address.error().message + ", or give --listen");
  return Address{"", address->port};
}

Result<std::uint16_t> metricsPort(const Flags& flags, const Environment& environment) {
  if (!flags.metricsPort.empty()) return parsePort(flags.metricsPort);
  const auto text = environment("SLAQ_METRICS_PORT");
  return text && !text->empty() ? parsePort(*text) : Result<std::uint16_t>(kMetricsPort);
}

// The generator or the format, and the files if there are any.
Result<Files> splitData(const Flags& flags, Problem& problem) {
  const std::size_t colon = std::min(flags.data.find(':'), flags.data.size());
  problem.data = flags.data.substr(0, colon);
  const Format* format = findFormat(problem.data);
  if (format && colon + 1 >= flags.data.size()) {
    return refuse("--data " + problem.data + " needs a file: write " + problem.data + ":PATH");
  }
  if (!format && colon < flags.data.size()) {
    return refuse("--data " + flags.data + ": " + problem.data +
                  " is no format of files; choose csv, libsvm, idx or lda-c");
  }
  if (format && problem.rows != 0)
    return refuse("--rows is for generated data; a file has the rows that it has");
  if (!flags.labels.empty() && !(format && format->labelsApart)) {
    return refuse("--labels is for --data idx:PATH; other data hold their targets themselves");
  }
  return Files{format ? flags.data.substr(colon + 1) : "", flags.labels};
}

Result<Settings> settingsOf(const Flags& flags, const Problem& problem) {
  const auto declared = declaredFor(problem);
  if (!declared) return failure(declared.error());
  Settings settings;
  for (const auto& [name, text] : flags.settings) {
    const auto setting = std::ranges::find(*declared, name, &Setting::name);
    // An unknown one goes on as it is, to be refused with all others.
    auto value = setting == declared->end() ? Result<Value>(Value(text)) : parse(*setting, text);
    if (!value) return failure(value.error());
    settings.set(name, *std::move(value));
  }
  return settings;
}

struct Chosen {
  Problem problem;
  Files files;
};

Result<Chosen> choose(const Flags& flags) {
  Problem problem = flags.problem;
  const auto files = splitData(flags, problem);
  if (!files) return failure(files.error());
  auto settings = settingsOf(flags, problem);
  if (!settings) return failure(settings.error());
  problem.settings = std::move(*settings);
  auto whole = complete(std::move(problem));
  if (!whole) return failure(whole.error());
  if (!files->rows.empty()) return Chosen{*whole, *files};  // the rest is known when the file is read
  if (const auto entry = entryFor(*whole); !entry) return failure(entry.error());
  return Chosen{*whole, *files};
}

Result<Command> exportOptions(const Flags& flags) {
  const Format* format = findFormat(flags.format);
  if (!format) return refuse("--format must be csv, libsvm, idx or lda-c, not \"" + flags.format + "\"");
  const auto chosen = choose(flags);
  if (!chosen) return failure(chosen.error());
  if (format->labelsApart && flags.labelsOutput.empty()) {
    return refuse("--format idx needs --labels-output FILE for the labels");
  }
  if (format->documents != findAlgorithm(chosen->problem)->documents) {
    return refuse("--format " + flags.format + " cannot hold the data of " + chosen->problem.algorithm);
  }
  return ExportOptions{chosen->problem, chosen->files, flags.format, {flags.output, flags.labelsOutput}};
}

Result<Command> driverOptions(const Flags& flags, const Environment& environment) {
  const auto chosen = choose(flags);
  if (!chosen) return failure(chosen.error());
  if (flags.stop.iterations < 1) return refuse("--iterations must be at least 1");
  if (!(flags.stop.tolerance >= 0)) return refuse("--tolerance must be 0 or more");
  if (!(flags.linger >= 0 && flags.linger <= kDay)) return refuse("--linger must be 0 to 86400");
  if (!(flags.checkpointEvery >= 0 && flags.checkpointEvery <= kDay)) {
    return refuse("--checkpoint-every must be 0 to 86400");
  }
  const auto listen = listenAddress(flags, environment);
  if (!listen) return failure(listen.error());
  const auto port = metricsPort(flags, environment);
  if (!port) return failure(port.error());
  return DriverOptions{chosen->problem,
                       chosen->files,
                       flags.stop,
                       *listen,
                       *port,
                       flags.history,
                       flags.checkpoint,
                       Seconds(flags.checkpointEvery),
                       Seconds(flags.linger)};
}

Result<Command> workerOptions(const Environment& environment) {
  const auto driver = addressFrom(environment);
  if (!driver) return failure(driver.error());
  const std::string host = driver->host.empty() ? "localhost" : driver->host;
  return WorkerOptions{{host, driver->port}, environment("SLAQ_WORKER_INDEX").value_or("?")};
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
  addProblemFlags(*data, flags);
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

}  // namespace slaq::trainer
