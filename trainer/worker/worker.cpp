#include "trainer/worker/worker.h"

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <memory>
#include <utility>

#include "trainer/net/connection.h"
#include "trainer/protocol/chunk_cache.h"
#include "trainer/worker/executor.h"

namespace slaq::trainer::worker {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;
using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{50};
constexpr milliseconds kLongestPause{2000};
constexpr milliseconds kConnecting{3000};  // then the address is looked up again: the driver may have moved

class Worker {
 public:
  Worker(const WorkerOptions& options, spdlog::logger& log) : options_(options), log_(log) {}

  void run() {
    resolve();
    io_.run();
  }

 private:
  void resolve();
  void connect(const tcp::resolver::results_type& endpoints);
  void retry(const std::string& why);
  void talk();
  void receive(protocol::Message message);
  void begin(const protocol::Welcome& welcome);
  void forget(const protocol::Forget& forgotten);
  void computeNext();
  void deliver(std::int64_t session, protocol::Partial partial);
  void lose();

  const WorkerOptions& options_;
  spdlog::logger& log_;
  boost::asio::io_context io_{1};
  tcp::resolver resolver_{io_};
  tcp::socket socket_{io_};
  boost::asio::steady_timer timer_{io_};
  milliseconds pause_ = kFirstPause;
  std::shared_ptr<net::Connection> connection_;
  std::int64_t session_ = 0;  // results of an earlier one are stale
  bool busy_ = false;
  protocol::ChunkCache cache_;
  std::deque<protocol::Compute> waiting_;
  std::int64_t round_ = 0;
  std::shared_ptr<const data::Vector> state_;
  Executor executor_;  // last, so that its thread ends before what it calls back
};

void Worker::resolve() {
  resolver_.async_resolve(options_.driver.host, std::to_string(options_.driver.port),
                          [this](error_code error, const tcp::resolver::results_type& endpoints) {
                            error ? retry(error.message()) : connect(endpoints);
                          });
}

void Worker::connect(const tcp::resolver::results_type& endpoints) {
  socket_ = tcp::socket(io_);
  timer_.expires_after(kConnecting);
  timer_.async_wait([this](error_code error) {
    error_code ignored;
    if (!error) socket_.close(ignored);
  });
  boost::asio::async_connect(socket_, endpoints, [this](error_code error, const tcp::endpoint&) {
    timer_.cancel();
    error || !socket_.is_open() ? retry(error.message()) : talk();
  });
}

void Worker::retry(const std::string& why) {
  if (pause_ == kFirstPause) log_.info("waiting for the driver: {}", why);
  timer_.expires_after(pause_);
  timer_.async_wait([this](error_code) { resolve(); });
  pause_ = std::min(pause_ * 2, kLongestPause);
}

void Worker::talk() {
  connection_ = std::make_shared<net::Connection>(std::move(socket_));
  connection_->start(
      {[this](protocol::Message message) { receive(std::move(message)); }, [this] { lose(); }});
  connection_->send(protocol::Hello{protocol::kProtocol, options_.index, options_.job});
}

void Worker::receive(protocol::Message message) {
  if (auto* welcome = std::get_if<protocol::Welcome>(&message)) return begin(*welcome);
  if (std::holds_alternative<protocol::Over>(message)) {
    log_.info("the training is over");
    return io_.stop();
  }
  if (auto* state = std::get_if<protocol::State>(&message)) {
    round_ = state->round;
    state_ = std::make_shared<const data::Vector>(std::move(state->values));
    waiting_.clear();  // of a round that is over
    for (const std::int64_t chunk : cache_.beginRound(round_)) executor_.drop(chunk);
  } else if (auto* rows = std::get_if<protocol::Rows>(&message)) {
    executor_.supply(std::move(rows->chunk));
  } else if (auto* compute = std::get_if<protocol::Compute>(&message)) {
    cache_.use(compute->chunk);
    waiting_.push_back(*compute);
    computeNext();
  } else if (auto* forgotten = std::get_if<protocol::Forget>(&message)) {
    forget(*forgotten);
  }
}

void Worker::begin(const protocol::Welcome& welcome) {
  const auto prepared = executor_.prepare(welcome.problem);
  if (!prepared) {
    log_.error("the driver asks for what this worker cannot do: {}", prepared.error().message);
    connection_->close();
    return lose();
  }
  if (!*prepared) cache_ = {};
  cache_.renew();
  pause_ = kFirstPause;
  log_.info("joined the training of {}", welcome.problem.algorithm);
}

void Worker::forget(const protocol::Forget& forgotten) {
  std::erase_if(waiting_, [&](const protocol::Compute& compute) {
    return compute.round == forgotten.round && compute.chunk == forgotten.chunk;
  });
}

// One at a time is given to the executor, so that the others can still be forgotten.
void Worker::computeNext() {
  if (busy_ || waiting_.empty() || !state_) return;
  const protocol::Compute next = waiting_.front();
  waiting_.pop_front();
  busy_ = true;
  const auto finished = [this, next, session = session_](Executor::PartialResult result) {
    protocol::Partial partial{next.round, next.chunk, result.cpuSeconds, std::move(result.partial)};
    boost::asio::post(io_, [this, session, partial = std::move(partial)] { deliver(session, partial); });
  };
  executor_.compute({next.chunk, state_}, finished);
}

void Worker::deliver(std::int64_t session, protocol::Partial partial) {
  busy_ = false;
  if (session == session_ && connection_) connection_->send(partial);
  computeNext();
}

void Worker::lose() {
  log_.info("the driver is gone");
  connection_.reset();
  waiting_.clear();
  state_.reset();
  ++session_;
  retry("it closed the connection");
}

}  // namespace

void runWorker(const WorkerOptions& options, spdlog::logger& log) { Worker(options, log).run(); }

}  // namespace slaq::trainer::worker
