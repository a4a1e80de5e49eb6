#include "trainer/driver/worker_session.h"

#include "trainer/protocol/message.h"

namespace slaq::trainer::driver {

const net::Connection::Bytes& StateMessage::of(const training::Training& training) {
  if (round_ != training.round()) {
    round_ = training.round();
    bytes_ = std::make_shared<const std::string>(protocol::encode(protocol::State{round_, training.state()}));
  }
  return bytes_;
}

void WorkerSession::beginRound(const net::Connection::Bytes& state, std::int64_t round) {
  if (knownRound == round) return;
  connection->send(state);
  cache.beginRound(round);
  knownRound = round;
}

void WorkerSession::assign(std::int64_t chunk, const data::Source* rows) {
  const bool kept = cache.use(chunk);
  if (rows && !kept) connection->send(protocol::Rows{rows->chunk(chunk)});
  connection->send(protocol::Compute{knownRound, chunk});
}

}  // namespace slaq::trainer::driver
