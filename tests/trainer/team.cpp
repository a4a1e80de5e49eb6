#include "trainer/team.h"

#include <boost/asio/ip/tcp.hpp>
#include <charconv>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace slaq::trainer {
namespace {

std::string exact(double number) {
  std::ostringstream text;
  text.precision(17);
  text << number;
  return text.str();
}

std::vector<std::string> driverArguments(const TemporaryFolder& folder, const problem::Problem& problem,
                                         const training::StopRule& stop, double linger,
                                         const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"driver",
                                     "--listen=127.0.0.1:0",
                                     "--metrics-port=0",
                                     "--history=" + folder.path("history.csv"),
                                     "--algorithm=" + problem.algorithm,
                                     "--data=" + problem.data,
                                     "--rows=" + std::to_string(problem.rows),
                                     "--features=" + std::to_string(problem.features),
                                     "--chunks=" + std::to_string(problem.chunks),
                                     "--seed=" + std::to_string(problem.seed),
                                     "--iterations=" + std::to_string(stop.iterations),
                                     "--tolerance=" + exact(stop.tolerance),
                                     "--linger=" + exact(linger)};
  for (const auto& [name, value] : problem.settings.all())
    arguments.push_back("--" + name + "=" + problem::write(value));
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace

std::vector<training::Progress> readHistory(const std::string& path) {
  std::istringstream text(readFile(path));
  std::vector<training::Progress> curve;
  std::string line;
  std::getline(text, line);
  while (std::getline(text, line) && !text.eof()) {  // a line without its end is still being written
    training::Progress progress;
    const char* last = line.data() + line.size();
    const char* comma = std::from_chars(line.data(), last, progress.iteration).ptr;
    std::from_chars(comma + 1, last, progress.loss);
    curve.push_back(progress);
  }
  return curve;
}

Team::Team(const TemporaryFolder& folder, const problem::Problem& problem, const training::StopRule& stop,
           double linger, const std::vector<std::string>& more)
    : Team(folder,
           Process(driverArguments(folder, problem, stop, linger, more), {}, folder.path("driver.log"))) {}

Team::Team(const TemporaryFolder& folder, Process driver) : folder_(folder), driver_(std::move(driver)) {
  const std::regex ports("metrics on port (\\d+)\n[^\n]*workers on port (\\d+)\n");
  std::smatch found;
  std::string text;
  const bool listens = eventually([&] {
    text = driver_.errors();
    return std::regex_search(text, found, ports);
  });
  if (!listens) throw std::runtime_error("the driver does not listen: " + text);
  metricsPort_ = found[1];
  workersPort_ = found[2];
}

Process Team::startWorker(const std::string& index) const {
  return Process({"worker"},
                 {{"SLAQ_DRIVER_ADDRESS", "127.0.0.1:" + workersPort_}, {"SLAQ_WORKER_INDEX", index}},
                 folder_.path("worker" + index + ".log"));
}

bool Team::reaches(std::size_t losses) const {
  return eventually([&] { return history().size() >= losses; });
}

bool Team::reachesOrEnds(std::size_t losses) const {
  return eventually([&] {
    const std::string log = driver_.errors();
    const bool ended =
        log.find("converged") != std::string::npos || log.find("all iterations done") != std::string::npos;
    return ended || history().size() >= losses;
  });
}

bool Team::says(const std::string& text) const {
  return eventually([&] { return driver_.errors().find(text) != std::string::npos; });
}

std::map<std::string, double> Team::scrape() const {
  boost::asio::ip::tcp::iostream http("127.0.0.1", metricsPort_);
  http << "GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n" << std::flush;
  std::map<std::string, double> values;
  std::string line;
  while (std::getline(http, line)) {
    if (!line.starts_with("slaq_training_")) continue;
    const std::size_t space = line.find(' ');
    values[line.substr(0, space)] = std::stod(line.substr(space + 1));
  }
  return values;
}

}  // namespace slaq::trainer
