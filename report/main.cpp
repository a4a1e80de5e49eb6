// slaq-report: runs a training unchanged, finds the loss in the output or the logs of the training, and
// serves it.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "metrics/status_reader.h"
#include "report/child/install.h"
#include "report/child/program.h"
#include "report/child/relay.h"
#include "report/kubeflow/announcement.h"
#include "report/kubeflow/status_server.h"
#include "report/logs/file_tail.h"
#include "report/logs/log_directory.h"
#include "report/options/options.h"
#include "report/output/line_splitter.h"
#include "report/output/output_reader.h"
#include "report/output/silence.h"
#include "report/pattern/pattern_reader.h"
#include "report/serve/metrics_server.h"

namespace slaq::report {
namespace {

constexpr int kWrong = 2;
constexpr int kCannotRun = 126;
constexpr int kNotFound = 127;
constexpr int kTryAgain = 1;  // a shortage of the machine
constexpr std::chrono::seconds kWalk{1};
constexpr std::chrono::seconds kListenAgain{1};
constexpr std::chrono::seconds kLinger{2};  // at the end, so that the last loss can be read

constexpr const char* kNothingFound =
    "no loss was found in what the command wrote; --metric names it, --pattern describes its line, and "
    "--from "
    "says where else it is";
constexpr const char* kNothingTold =
    "the command told no loss by Kubeflow's protocol, as a Trainer of Hugging Face transformers does from "
    "version 5.4 on; it must run as the same user as slaq-report";

constexpr const char* kNothingInMlflow =
    "the command wrote no metric to MLflow's file store; does the program or MLFLOW_TRACKING_URI name "
    "another place than --from?";

void say(const std::string& sentence) { std::fprintf(stderr, "slaq-report: %s\n", sentence.c_str()); }

std::optional<int> portOf(const Options& options) {
  if (options.port) return options.port;
  const char* index = std::getenv("SLAQ_WORKER_INDEX");
  if (index != nullptr && std::atoi(index) != 0) return std::nullopt;  // worker 0 reports for all workers
  const char* text = std::getenv("SLAQ_METRICS_PORT");
  const int port = text ? std::atoi(text) : 0;
  return port > 0 ? std::optional(port) : std::nullopt;
}

// Finds the loss in a training's output or logs, and serves it.
class Reporting {
 public:
  // REQUIRES: the program has not begun, since existing logs count as those of an earlier program.
  explicit Reporting(const Options& options) : options_(options), reader_(options.reader) {
    if (!options.record.empty()) record_.reset(std::fopen(options.record.c_str(), "we"));
    if (!options.record.empty() && !record_) say("--record: " + options.record + " can't be written");
    writeRow("iteration", "loss");
    if (options.source == Source::File) file_.emplace(options.path);
    if (options.source == Source::TensorBoard) logs_ = tensorBoardDirectory(options.path);
    if (options.source == Source::Mlflow) {
      logs_ = mlflowDirectory(options.path);
      announceMlflow(options.path);
    }
    if (options.pattern) pattern_.emplace(*options.pattern);
    if (const auto port = portOf(options)) server_.emplace(*port);
  }

  // REQUIRES: the signals are blocked, so that the server's thread gets none; the program has not begun.
  void listenForStatuses() {
    if (options_.source != Source::Kubeflow) return;
    auto server = StatusServer::start();
    if (!server) return say("the loss can't be told: " + server.error().message + "; the command runs on");
    statuses_ = std::move(*server);
    announce(statuses_->url(), statuses_->tokenFile());
  }

  Listener listener() {
    return {.output = [this](std::string_view bytes) { addOutput(output_, bytes); },
            .errors = [this](std::string_view bytes) { addOutput(errors_, bytes); },
            .idle = [this] { look(); }};
  }

  // Tries at most once a second to listen, since another process may have the port for a moment. The training
  // runs on meanwhile. REQUIRES: the signals are blocked, so that the server's thread gets none.
  void listen() {
    const auto now = std::chrono::steady_clock::now();
    if (!server_ || server_->isListening() || now < listenAgain_) return;
    listenAgain_ = now + kListenAgain;
    const auto listening = server_->listen();
    if (listening && hasToldPort_) say("the loss is served now");
    if (!listening && !std::exchange(hasToldPort_, true))
      say("the loss is not served yet: " + listening.error().message +
          "; this is tried again every second, and the command runs on");
  }

  // `hasFailed` is true if the program did not end in success. Its own last lines say why, so no hint
  // follows.
  void finish(bool hasFailed) {
    const auto readLine = [this](std::string_view line) { read(line); };
    looked_ = listenAgain_ = {};
    look();
    output_.finish(readLine);
    errors_.finish(readLine);
    publish(reader_.settle());
    if (!isFound_ && !hasFailed) tell(whyNothing());
    if (server_ && server_->isListening()) server_->waitForReader(kLinger);
  }

 private:
  void addOutput(LineSplitter& splitter, std::string_view bytes) {
    if (options_.source == Source::Output) splitter.add(bytes, [this](std::string_view line) { read(line); });
  }

  void look() {
    listen();
    const auto line = [this](std::string_view text) { read(text); };
    if (file_) file_->read([&](std::string_view bytes) { output_.add(bytes, line); });
    if (logs_ && isTimeForLogs())
      logs_->read(
          [this](std::string_view name, double step, double value) { readScalar(name, step, value); });
    if (statuses_) readStatuses();
    const auto guess = silence_.look(reader_.guess(), reader_.hasBegun(), Silence::Clock::now());
    if (guess && server_) server_->publish(*guess);
  }

  void read(std::string_view line) {
    if (!pattern_) return publish(reader_.read(line));
    if (const auto found = pattern_->read(line))
      publish(reader_.readScalars(found->iteration, {{kPatternName, found->loss}}));
    if (const auto notice = pattern_->takeNotice()) tell(*notice);
  }

  void readStatuses() {
    for (const auto& status : statuses_->take()) {
      const auto news = news_.read(status);
      publish(reader_.readScalars(news.step, news.values));
    }
  }

  std::string whyNothing() const {
    if (options_.source == Source::Kubeflow) return kNothingTold;
    if (options_.source == Source::Mlflow && !hasScalars_) return kNothingInMlflow;
    if (pattern_) return pattern_->whyNothing();
    const auto names = reader_.otherNames();
    return names.empty() ? kNothingFound
                         : "no number of it is called '" + options_.reader.metric + "'; there are: " + names;
  }

  // Searching a directory takes long where it contains more than logs.
  bool isTimeForLogs() {
    const auto now = std::chrono::steady_clock::now();
    if (now - looked_ < kWalk) return false;
    looked_ = now;
    return true;
  }

  void readScalar(std::string_view name, double step, double value) {
    hasScalars_ = true;
    publish(reader_.readScalar(name, step, value));
  }

  void publish(const std::optional<Report>& report) {
    if (const auto earlier = reader_.takeEarlier())
      writeRow(toText(earlier->iteration), toText(earlier->loss));
    if (report && server_) server_->publish(*report);
    if (report) writeRow(toText(report->iteration), toText(report->loss));
    isFound_ = isFound_ || report;
    if (const auto notice = reader_.takeNotice()) tell(*notice);
  }

  // Without a server and a record the loss is not wanted, so messages about it are not wanted either.
  void tell(const std::string& sentence) const {
    if (!options_.isQuiet && (server_ || record_)) say(sentence);
  }

  // Flushes each row, so that readers of the file see it at once.
  void writeRow(const std::string& iteration, const std::string& loss) {
    if (!record_) return;
    std::fprintf(record_.get(), "%s,%s\n", iteration.c_str(), loss.c_str());
    std::fflush(record_.get());
  }

  const Options& options_;
  std::optional<MetricsServer> server_;
  std::chrono::steady_clock::time_point listenAgain_;  // not before this time
  bool hasToldPort_ = false;                           // that it can't be listened on yet
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> record_{nullptr, std::fclose};
  OutputReader reader_;
  LineSplitter output_;
  LineSplitter errors_;
  std::optional<FileTail> file_;
  std::unique_ptr<LogDirectory> logs_;
  std::optional<PatternReader> pattern_;
  std::unique_ptr<StatusServer> statuses_;
  metrics::StatusReader news_;
  Silence silence_;
  std::chrono::steady_clock::time_point looked_;
  bool isFound_ = false;
  bool hasScalars_ = false;  // log files had a number, of whatever name
};

int run(const Options& options) {
  Reporting reporting(options);
  const sigset_t before = blockSignals();
  reporting.listenForStatuses();
  const auto program = startProgram(options.command, before);
  if (!program) {
    say(program.error().message);
    const auto kind = program.error().kind;
    return kind == ErrorKind::NotFound ? kNotFound : kind == ErrorKind::Invalid ? kCannotRun : kTryAgain;
  }
  reporting.listen();
  const int status = relay(*program, reporting.listener());
  reporting.finish(status != 0);
  endLike(status);
}

int install(const std::string& folder) {
  const auto installed = installTo(folder);
  if (!installed) say(installed.error().message);
  return installed ? 0 : 1;
}

}  // namespace
}  // namespace slaq::report

int main(int argc, char** argv) {
  using namespace slaq::report;
  const auto options = readOptions(argc, argv);
  if (!options) {
    say(options.error().message);
    return kWrong;
  }
  if (std::holds_alternative<Help>(*options)) {
    std::fputs(helpText().c_str(), stdout);
    return 0;
  }
  const auto& wanted = std::get<Options>(*options);
  return wanted.folder.empty() ? run(wanted) : install(wanted.folder);
}
