#include "trainer/driver.h"

#include <signal.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "trainer/algorithms/registry.h"
#include "trainer/checkpoint.h"
#include "trainer/connection.h"
#include "trainer/driver_files.h"
#include "trainer/history.h"
#include "trainer/holdings.h"
#include "trainer/ledger.h"
#include "trainer/listener.h"
#include "trainer/training_data.h"

namespace slaq::trainer {
namespace {

using boost::system::error_code;
using std::chrono::duration_cast;
using std::chrono::milliseconds;

constexpr milliseconds kTick{250};
constexpr Seconds kBetweenLines{5};
constexpr Seconds kFarewell{1};  // at most, for workers to take their leave after the linger

struct Session {
  std::shared_ptr<Connection> connection;
  std::string worker;
  std::int64_t knownRound = 0;  // whose state it was sent
  Holdings holdings;
};

class Driver {
 public:
  Driver(const DriverOptions& options, TrainingData data, Training training, Metrics& metrics,
         spdlog::logger& log)
      : options_(options),
        log_(log),
        data_(std::move(data)),
        training_(std::move(training)),
        ledger_(data_.problem.chunks),
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
  Ending ending() const { return training_.ending(); }
  void accept(boost::asio::ip::tcp::acceptor& acceptor);
  void open(Connection::Socket socket);
  void receive(WorkerId id, Message message);
  void greet(WorkerId id, const Hello& hello);
  void take(WorkerId id, Partial partial);
  void part(WorkerId id);
  void dispatch(WorkerId id);
  void dispatchAll();
  void hand(Session& session, const Assignment& assignment);
  void resume();
  void report();
  void save();
  void leave(int signal);
  void finish();
  void farewell(Seconds deadline);
  void tick();
  void say();

  const DriverOptions& options_;
  spdlog::logger& log_;
  TrainingData data_;
  Training training_;
  ChunkLedger ledger_;
  History history_;
  Metrics& metrics_;
  SystemClock clock_;
  boost::asio::io_context io_{1};
  boost::asio::signal_set signals_{io_, SIGTERM, SIGINT};
  int signal_ = 0;
  boost::asio::steady_timer ticker_{io_};
  boost::asio::steady_timer closing_{io_};
  std::map<WorkerId, Session> sessions_;
  WorkerId lastId_ = 0;
  Connection::Bytes state_;  // the message of the current round
  std::int64_t stateRound_ = 0;
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
  acceptor.async_accept([this, &acceptor](error_code error, Connection::Socket socket) {
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

void Driver::open(Connection::Socket socket) {
  const WorkerId id = ++lastId_;
  auto connection = std::make_shared<Connection>(std::move(socket));
  sessions_[id].connection = connection;
  connection->start(
      {[this, id](Message message) { receive(id, std::move(message)); }, [this, id] { part(id); }});
}

void Driver::receive(WorkerId id, Message message) {
  if (auto* hello = std::get_if<Hello>(&message); hello && !ledger_.knows(id)) return greet(id, *hello);
  if (auto* partial = std::get_if<Partial>(&message); partial && ledger_.knows(id)) {
    return take(id, std::move(*partial));
  }
  part(id);
}

void Driver::greet(WorkerId id, const Hello& hello) {
  if (hello.protocol != kProtocol) {
    log_.warn("turned away a peer of another version");
    return part(id);
  }
  Session& session = sessions_.at(id);
  session.worker = hello.worker;
  if (ending() != Ending::None) return session.connection->send(Over{});
  ledger_.join(id);
  metrics_.setWorkers(ledger_.workers());
  log_.info("worker {} joined, {} now", session.worker, ledger_.workers());
  session.connection->send(Welcome{data_.problem});
  dispatch(id);
}

void Driver::take(WorkerId id, Partial partial) {
  const bool late = partial.round != training_.round();
  const bool fits = partial.chunk >= 0 && partial.chunk < training_.chunks() &&
                    (late || partial.values.size() == training_.partialSize());
  if (!fits) return part(id);
  metrics_.addCpuSeconds(partial.cpuSeconds);
  ledger_.hear(id);
  if (ending() != Ending::None) return;
  if (late || !ledger_.complete(id, partial.chunk, clock_.monotonic())) return dispatch(id);
  const Training::Step step = training_.accept(partial.chunk, std::move(partial.values));
  if (step == Training::Step::Chunk) return dispatch(id);
  if (step == Training::Step::Iteration) report();
  if (ending() != Ending::None) return finish();
  ledger_.beginRound();
  dispatchAll();
}

// Whether it went or is sent away; what it had not finished goes to others at once.
void Driver::part(WorkerId id) {
  const auto found = sessions_.find(id);
  const Session session = std::move(found->second);
  sessions_.erase(found);
  session.connection->close();
  if (!ledger_.knows(id)) return;
  ledger_.leave(id);
  metrics_.setWorkers(ledger_.workers());
  if (ending() != Ending::None) return;
  log_.info("worker {} left, {} remain", session.worker, ledger_.workers());
  dispatchAll();
}

void Driver::dispatch(WorkerId id) {
  while (const auto assignment = ledger_.assign(id, clock_.monotonic())) hand(sessions_.at(id), *assignment);
}

void Driver::dispatchAll() {
  if (ending() != Ending::None) return;
  for (const auto& [id, session] : sessions_) {
    if (ledger_.knows(id)) dispatch(id);
  }
}

void Driver::hand(Session& session, const Assignment& assignment) {
  const std::int64_t round = training_.round();
  if (stateRound_ != round) {
    state_ = std::make_shared<const std::string>(encode(State{round, training_.state()}));
    stateRound_ = round;
  }
  if (session.knownRound != round) {
    session.connection->send(state_);
    session.holdings.beginRound(round);
    session.knownRound = round;
  }
  const bool held = session.holdings.use(assignment.chunk);
  if (data_.travels && !held) session.connection->send(Rows{data_.source->chunk(assignment.chunk)});
  session.connection->send(Compute{round, assignment.chunk});
  if (!assignment.takenFrom) return;
  sessions_.at(*assignment.takenFrom).connection->send(Forget{round, assignment.chunk});
}

void Driver::resume() {
  log_.info("goes on after iteration {} of {}", training_.progress()->iteration, options_.checkpoint);
  metrics_.setInitialLoss(training_.initialLoss());
  metrics_.setProgress(*training_.progress());
  if (ending() != Ending::None) finish();
}

void Driver::report() {
  history_.add(*training_.progress());
  metrics_.setProgress(*training_.progress());
  if (ending() == Ending::None && clock_.monotonic() - lastSaved_ >= options_.checkpointEvery) save();
}

// A disk that is full for a while does not end the training.
void Driver::save() {
  if (options_.checkpoint.empty()) return;
  lastSaved_ = clock_.monotonic();
  const auto saved = saveCheckpoint(options_.checkpoint, data_.problem, training_);
  if (!saved) log_.warn("no checkpoint: {}", saved.error().message);
}

void Driver::leave(int signal) {
  if (ending() == Ending::None) {
    save();
    signal_ = signal;
  }
  io_.stop();
}

void Driver::finish() {
  say();
  log_.info("{}", ending() == Ending::Converged   ? "converged"
                  : ending() == Ending::Exhausted ? "all iterations done"
                                                  : "the loss is not finite; try a lower --learning-rate");
  if (ending() == Ending::Diverged) return io_.stop();
  save();
  for (const auto& [id, session] : sessions_) session.connection->send(Over{});
  closing_.expires_after(duration_cast<milliseconds>(options_.linger));
  closing_.async_wait([this](error_code) { farewell(clock_.monotonic() + kFarewell); });
}

void Driver::farewell(Seconds deadline) {
  if (sessions_.empty() || clock_.monotonic() > deadline) return io_.stop();
  closing_.expires_after(milliseconds(10));
  closing_.async_wait([this, deadline](error_code) { farewell(deadline); });
}

void Driver::tick() {
  dispatchAll();  // what is overdue at some worker is so without any message
  const bool due = clock_.monotonic() - lastLine_ >= kBetweenLines;
  if (due && ending() == Ending::None) say();
  ticker_.expires_after(kTick);
  ticker_.async_wait([this](error_code error) {
    if (!error) tick();
  });
}

void Driver::say() {
  lastLine_ = clock_.monotonic();
  if (const auto& now = training_.progress()) {
    log_.info("iteration {}, loss {:.6g}, {} workers", now->iteration, now->loss, ledger_.workers());
  } else {
    log_.info("waiting for the first loss, {} workers", ledger_.workers());
  }
}

}  // namespace

Result<Departure> runDriver(const DriverOptions& options, Metrics& metrics, spdlog::logger& log) {
  auto data = openData(options.problem, options.files);
  if (!data) return failure(data.error());
  const Problem& problem = data->problem;
  Training training(entryFor(problem).value().makeAlgorithm(problem, *data->source), problem.chunks,
                    options.stop);
  Driver driver(options, std::move(*data), std::move(training), metrics, log);
  // Before any file is touched: the port of a driver that runs already tells that they are in use.
  auto acceptor = listenOn(driver.io(), options.listen);
  if (!acceptor) return failure(acceptor.error());
  if (auto prepared = driver.prepare(); !prepared) return failure(prepared.error());
  log.info("awaits workers on port {}", acceptor->local_endpoint().port());
  driver.run(*acceptor);
  return driver.departure();
}

}  // namespace slaq::trainer
