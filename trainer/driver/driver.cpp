#include "trainer/driver/driver.h"

#include <signal.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "trainer/dataset/training_data.h"
#include "trainer/driver/chunk_assigner.h"
#include "trainer/driver/driver_files.h"
#include "trainer/driver/worker_session.h"
#include "trainer/net/connection.h"
#include "trainer/net/listener.h"
#include "trainer/registry/complete_problem.h"
#include "trainer/training/checkpoint.h"
#include "trainer/training/history.h"

namespace slaq::trainer::driver {
namespace {

using boost::system::error_code;
using std::chrono::duration_cast;
using std::chrono::milliseconds;

constexpr milliseconds kTick{250};
constexpr Seconds kLogInterval{5};
constexpr Seconds kLongestDeparture{1};  // at most, for workers to take their leave after the linger

class Driver {
 public:
  Driver(const DriverOptions& options, dataset::TrainingData data, training::Training training,
         training::Metrics& metrics, spdlog::logger& log)
      : options_(options),
        log_(log),
        data_(std::move(data)),
        training_(std::move(training)),
        assigner_(data_.problem.chunks),
        metrics_(metrics) {}

  boost::asio::io_context& io() { return io_; }

  // To be called once, before run(): takes hold of the files.
  Result<void> prepare();

  void run(boost::asio::ip::tcp::acceptor& acceptor) {
    accept(acceptor);
    tick();
    signals_.async_wait([this](error_code error, int signal) {
      if (!error) leave(signal);
    });
    if (training_.progress()) resume();
    io_.run();
  }

  Departure departure() const { return {ending(), signal_}; }

 private:
  training::Ending ending() const { return training_.ending(); }
  void accept(boost::asio::ip::tcp::acceptor& acceptor);
  void open(net::Connection::Socket socket);
  void receive(WorkerId id, protocol::Message message);
  void admit(WorkerId id, const protocol::Hello& hello);
  void addPartial(WorkerId id, protocol::Partial partial);
  void dismiss(WorkerId id);
  void dispatch(WorkerId id);
  void dispatchAll();
  void sendAssignment(WorkerSession& session, const Assignment& assignment);
  void resume();
  void report();
  void save();
  void leave(int signal);
  void finish();
  void awaitDepartures(Seconds deadline);
  void tick();
  void logProgress();

  const DriverOptions& options_;
  spdlog::logger& log_;
  dataset::TrainingData data_;
  training::Training training_;
  ChunkAssigner assigner_;
  training::History history_;
  training::Metrics& metrics_;
  SystemClock clock_;
  boost::asio::io_context io_{1};
  boost::asio::signal_set signals_{io_, SIGTERM, SIGINT};
  int signal_ = 0;
  boost::asio::steady_timer ticker_{io_};
  boost::asio::steady_timer closing_{io_};
  std::map<WorkerId, WorkerSession> sessions_;
  WorkerId lastId_ = 0;
  StateMessage stateMessage_;
  Seconds lastLine_ = clock_.monotonic();
  Seconds lastSaved_ = clock_.monotonic();
};

Result<void> Driver::prepare() {
  auto history = openFiles(options_, data_.problem, training_);
  if (!history) return failure(history.error());
  history_ = std::move(*history);
  return {};
}

void Driver::accept(boost::asio::ip::tcp::acceptor& acceptor) {
  acceptor.async_accept([this, &acceptor](error_code error, net::Connection::Socket socket) {
    if (!error) {
      open(std::move(socket));
      return accept(acceptor);
    }
    // Out of descriptors, most likely: trying again at once would spin.
    log_.warn("cannot accept a worker: {}", error.message());
    auto pause = std::make_shared<boost::asio::steady_timer>(io_, kTick);
    pause->async_wait([this, &acceptor, pause](error_code) { accept(acceptor); });
  });
}

void Driver::open(net::Connection::Socket socket) {
  const WorkerId id = ++lastId_;
  auto connection = std::make_shared<net::Connection>(std::move(socket));
  sessions_[id].connection = connection;
  connection->start({[this, id](protocol::Message message) { receive(id, std::move(message)); },
                     [this, id] { dismiss(id); }});
}

void Driver::receive(WorkerId id, protocol::Message message) {
  if (auto* hello = std::get_if<protocol::Hello>(&message); hello && !assigner_.knows(id))
    return admit(id, *hello);
  if (auto* partial = std::get_if<protocol::Partial>(&message); partial && assigner_.knows(id)) {
    return addPartial(id, std::move(*partial));
  }
  dismiss(id);
}

void Driver::admit(WorkerId id, const protocol::Hello& hello) {
  if (hello.protocol != protocol::kProtocol) {
    log_.warn("turned away a peer of another version");
    return dismiss(id);
  }
  if (hello.job != options_.job) {
    log_.warn("turned away worker {}: it is not of this job, by its SLAQ_JOB_UID", printable(hello.worker));
    return dismiss(id);
  }
  WorkerSession& session = sessions_.at(id);
  session.worker = printable(hello.worker);
  if (ending() != training::Ending::None) return session.connection->send(protocol::Over{});
  assigner_.join(id);
  metrics_.setWorkers(assigner_.workers());
  log_.info("worker {} joined, {} now", session.worker, assigner_.workers());
  session.connection->send(protocol::Welcome{data_.problem});
  dispatch(id);
}

void Driver::addPartial(WorkerId id, protocol::Partial partial) {
  const bool late = partial.round != training_.round();
  const bool fits = partial.chunk >= 0 && partial.chunk < training_.chunks() &&
                    std::isfinite(partial.cpuSeconds) && partial.cpuSeconds >= 0 &&
                    (late || partial.values.size() == training_.partialSize());
  if (!fits) return dismiss(id);
  metrics_.addCpuSeconds(partial.cpuSeconds);
  assigner_.hear(id);
  if (ending() != training::Ending::None) return;
  if (late || !assigner_.complete(id, partial.chunk, clock_.monotonic())) return dispatch(id);
  const training::Training::Step step = training_.accept(partial.chunk, std::move(partial.values));
  if (step == training::Training::Step::Chunk) return dispatch(id);
  if (step == training::Training::Step::Iteration) report();
  if (ending() != training::Ending::None) return finish();
  assigner_.beginRound();
  dispatchAll();
}

// Whether it went or is sent away; what it had not finished goes to others at once.
void Driver::dismiss(WorkerId id) {
  const auto found = sessions_.find(id);
  const WorkerSession session = std::move(found->second);
  sessions_.erase(found);
  session.connection->close();
  if (!assigner_.knows(id)) return;
  assigner_.leave(id);
  metrics_.setWorkers(assigner_.workers());
  if (ending() != training::Ending::None) return;
  log_.info("worker {} left, {} remain", session.worker, assigner_.workers());
  dispatchAll();
}

void Driver::dispatch(WorkerId id) {
  while (const auto assignment = assigner_.assign(id, clock_.monotonic()))
    sendAssignment(sessions_.at(id), *assignment);
}

void Driver::dispatchAll() {
  if (ending() != training::Ending::None) return;
  for (const auto& [id, session] : sessions_) {
    if (assigner_.knows(id)) dispatch(id);
  }
}

void Driver::sendAssignment(WorkerSession& session, const Assignment& assignment) {
  session.beginRound(stateMessage_.of(training_), training_.round());
  session.assign(assignment.chunk, data_.travels ? data_.source.get() : nullptr);
  if (!assignment.takenFrom) return;
  sessions_.at(*assignment.takenFrom).connection->send(protocol::Forget{training_.round(), assignment.chunk});
}

void Driver::resume() {
  log_.info("goes on after iteration {} of {}", training_.progress()->iteration, options_.checkpoint);
  metrics_.setInitialLoss(training_.initialLoss());
  metrics_.setProgress(*training_.progress());
  if (ending() != training::Ending::None) finish();
}

void Driver::report() {
  history_.add(*training_.progress());
  metrics_.setProgress(*training_.progress());
  if (ending() == training::Ending::None && clock_.monotonic() - lastSaved_ >= options_.checkpointEvery)
    save();
}

// A disk that is full for a while does not end the training.
void Driver::save() {
  if (options_.checkpoint.empty()) return;
  lastSaved_ = clock_.monotonic();
  const auto saved = training::saveCheckpoint(options_.checkpoint, data_.problem, training_);
  if (!saved) log_.warn("no checkpoint: {}", saved.error().message);
}

void Driver::leave(int signal) {
  if (ending() == training::Ending::None) {
    save();
    signal_ = signal;
  }
  io_.stop();
}

void Driver::finish() {
  logProgress();
  log_.info("{}", ending() == training::Ending::Converged ? "converged"
                  : ending() == training::Ending::Exhausted
                      ? "all iterations done"
                      : "the loss is not finite; try a lower --learning-rate");
  if (ending() == training::Ending::Diverged) return io_.stop();
  save();
  for (const auto& [id, session] : sessions_) session.connection->send(protocol::Over{});
  closing_.expires_after(duration_cast<milliseconds>(options_.linger));
  closing_.async_wait([this](error_code) { awaitDepartures(clock_.monotonic() + kLongestDeparture); });
}

void Driver::awaitDepartures(Seconds deadline) {
  if (sessions_.empty() || clock_.monotonic() > deadline) return io_.stop();
  closing_.expires_after(milliseconds(10));
  closing_.async_wait([this, deadline](error_code) { awaitDepartures(deadline); });
}

void Driver::tick() {
  dispatchAll();  // what is overdue at some worker is so without any message
  const bool due = clock_.monotonic() - lastLine_ >= kLogInterval;
  if (due && ending() == training::Ending::None) logProgress();
  ticker_.expires_after(kTick);
  ticker_.async_wait([this](error_code error) {
    if (!error) tick();
  });
}

void Driver::logProgress() {
  lastLine_ = clock_.monotonic();
  if (const auto& now = training_.progress()) {
    log_.info("iteration {}, loss {:.6g}, {} workers", now->iteration, now->loss, assigner_.workers());
  } else {
    log_.info("waiting for the first loss, {} workers", assigner_.workers());
  }
}

}  // namespace

Result<Departure> runDriver(const DriverOptions& options, training::Metrics& metrics, spdlog::logger& log) {
  auto data = dataset::openData(options.problem, options.files);
  if (!data) return failure(data.error());
  const problem::Problem& problem = data->problem;
  training::Training training(registry::entryFor(problem).value().makeAlgorithm(problem, *data->source),
                              problem.chunks, options.stop);
  Driver driver(options, std::move(*data), std::move(training), metrics, log);
  // Before any file is touched: the port of a driver that runs already tells that they are in use.
  auto acceptor = net::listenOn(driver.io(), options.listen);
  if (!acceptor) return failure(acceptor.error());
  if (auto prepared = driver.prepare(); !prepared) return failure(prepared.error());
  log.info("awaits workers on port {}", acceptor->local_endpoint().port());
  driver.run(*acceptor);
  return driver.departure();
}

}  // namespace slaq::trainer::driver
