#include "report/options/options.h"

#include <getopt.h>

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace slaq::report {
namespace {

enum Letter {
  kMetric = 'm',
  kMaximize = 'x',
  kAsIs = 'a',
  kFrom = 'f',
  kPattern = 'e',
  kPort = 'p',
  kQuiet = 'q',
  kInstall = 'i',
  kRecord = 'r',
  kHelp = 'h'
};

constexpr std::array kLong = {option{"metric", required_argument, nullptr, kMetric},
                              option{"maximize", no_argument, nullptr, kMaximize},
                              option{"as-is", no_argument, nullptr, kAsIs},
                              option{"from", required_argument, nullptr, kFrom},
                              option{"pattern", required_argument, nullptr, kPattern},
                              option{"port", required_argument, nullptr, kPort},
                              option{"quiet", no_argument, nullptr, kQuiet},
                              option{"install", required_argument, nullptr, kInstall},
                              option{"record", required_argument, nullptr, kRecord},
                              option{"help", no_argument, nullptr, kHelp},
                              option{nullptr, 0, nullptr, 0}};

constexpr int kMostPorts = 65535;

Result<void> readSource(std::string_view text, Options& options) {
  if (text == "output") return {};
  if (text == "kubeflow") {
    options.source = Source::Kubeflow;
    return {};
  }
  constexpr std::array<std::pair<std::string_view, Source>, 3> kSources = {
      {{"file:", Source::File}, {"tensorboard:", Source::TensorBoard}, {"mlflow:", Source::Mlflow}}};
  for (const auto& [word, source] : kSources) {
    if (!text.starts_with(word) || text.size() == word.size()) continue;
    options.source = source;
    options.path = text.substr(word.size());
    return {};
  }
  return failure(ErrorKind::Invalid,
                 "--from: must be output or kubeflow, or file:, tensorboard: or mlflow: and a path, such as "
                 "file:logs/metrics.csv or tensorboard:runs");
}

Result<void> readPattern(const std::string& text, Options& options) {
  auto pattern = Pattern::from(text);
  if (!pattern) return failure(pattern.error().kind, "--pattern: " + pattern.error().message);
  options.pattern = std::move(*pattern);
  return {};
}

// With --pattern the group `loss` finds the number, so a name for it is refused.
Result<void> takePattern(Options& options) {
  if (!options.pattern) return {};
  if (options.source != Source::Output)
    return failure(ErrorKind::Invalid,
                   "--pattern: can't be given together with this --from; it is about lines of the output");
  if (!options.reader.metric.empty())
    return failure(ErrorKind::Invalid,
                   "--metric: can't be given together with --pattern; leave it out, or --pattern");
  options.reader.metric = kPatternName;
  return {};
}

Result<void> readPort(std::string_view text, Options& options) {
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port < 1 || port > kMostPorts)
    return failure(ErrorKind::Invalid, "--port: must be a number from 1 to 65535");
  options.port = port;
  return {};
}

Result<void> readOne(int letter, const char* value, Options& options) {
  switch (letter) {
    case kMetric:
      options.reader.metric = lowerCase(value);
      return {};
    case kMaximize:
      options.reader.maximizes = true;
      return {};
    case kAsIs:
      options.reader.keepsSign = true;
      return {};
    case kFrom:
      return readSource(value, options);
    case kPattern:
      return readPattern(value, options);
    case kPort:
      return readPort(value, options);
    case kRecord:
      options.record = value;
      return {};
    case kInstall:
      options.folder = value;
      return {};
    case kQuiet:
      options.isQuiet = true;
      return {};
    default:
      return failure(ErrorKind::Invalid,
                     "slaq-report --help lists the options; they come before the command");
  }
}

}  // namespace

std::string helpText() {
  return R"(Runs a training as it is, reads the loss from its output, and serves it to slaq.

Usage: slaq-report [OPTIONS] [--] COMMAND [ARGUMENTS...]
Example: slaq-report -- python train.py --lr 0.1

  --metric NAME   the name of the loss in the output, such as eval-logloss; otherwise the best that is found: a loss of
                  validation data, then one of training data, then another error, then an accuracy or a reward
  --maximize      the metric is to rise; its negative is served. Accuracies and rewards are recognized.
  --as-is         what is to rise is served with its own sign, for spec.loss.mode: Maximize
  --from SOURCE   output (the default); file:PATH, a file of CSV or JSON lines that grows; tensorboard:DIR, event files;
                  mlflow:DIR, MLflow's file store, such as mlflow:mlruns; kubeflow, what Hugging Face's Trainer tells
                  Kubeflow Trainer
  --pattern RE    a regular expression for lines of the output, with a group named loss and perhaps one named iteration,
                  such as 'step=(?<iteration>\d+) .*nll=(?<loss>\S+)'
  --port PORT     where the loss is served; otherwise $SLAQ_METRICS_PORT; without either nothing is served
  --record FILE   a CSV file that gets each iteration and its loss: a trace for slaq predict and slaq simulate
  --quiet         does not say on standard error which metric was taken
  --install DIR   copies slaq-report itself to that directory, for an init container
  --help          shows this

The output goes on as it is, as do signals; the exit code is the command's.
)";
}

Result<std::variant<Options, Help>> readOptions(int argc, char* const* argv) {
  Options options;
  optind = 0;  // starts from the beginning even if the function was called before
  opterr = 0;
  for (int letter = 0; (letter = ::getopt_long(argc, argv, "+", kLong.data(), nullptr)) != -1;) {
    if (letter == kHelp) return Help{};
    if (const auto read = readOne(letter, optarg, options); !read) return failure(read.error());
  }
  if (const auto taken = takePattern(options); !taken) return failure(taken.error());
  options.command.assign(argv + optind, argv + argc);
  if (options.command.empty() && options.folder.empty())
    return failure(ErrorKind::Invalid, "there is no command to run, such as: slaq-report -- python train.py");
  return options;
}

}  // namespace slaq::report
