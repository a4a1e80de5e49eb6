// What the driver knows about one connected worker, and what it sends for an assignment: the state of the
// round and the rows of the chunk, each only if the worker does not have them yet.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "trainer/data/source.h"
#include "trainer/net/connection.h"
#include "trainer/protocol/chunk_cache.h"
#include "trainer/training/training.h"

namespace slaq::trainer::driver {

// The message with the state of the current round, encoded once for all workers.
class StateMessage {
 public:
  const net::Connection::Bytes& of(const training::Training& training);

 private:
  net::Connection::Bytes bytes_;
  std::int64_t round_ = 0;
};

struct WorkerSession {
  std::shared_ptr<net::Connection> connection;
  std::string worker;           // its name in the log
  std::int64_t knownRound = 0;  // the round whose state it was sent
  protocol::ChunkCache cache;

  // Sends the state of the round unless the worker has it.
  void beginRound(const net::Connection::Bytes& state, std::int64_t round);
  // Sends the chunk, with its rows if `rows` is given and the worker does not keep them. REQUIRES:
  // beginRound().
  void assign(std::int64_t chunk, const data::Source* rows);
};

}  // namespace slaq::trainer::driver
