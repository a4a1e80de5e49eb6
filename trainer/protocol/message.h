// What driver and workers tell each other, and its form on the wire: a length, a kind, the fields in the
// machine's own byte order. Both ends are the same program, and a hello of another kind is refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "trainer/data/chunk.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::protocol {

// A worker's first message.
struct Hello {
  std::uint64_t protocol = 0;
  std::string worker;  // its index, for the driver's log
  std::string job;     // the uid of its job, which only those know who may read the job
};

// The driver's answer.
struct Welcome {
  problem::Problem problem;
};

// The state of a round, before the round's first chunk.
struct State {
  std::int64_t round = 0;
  data::Vector values;
};

struct Compute {
  std::int64_t round = 0;
  std::int64_t chunk = 0;
};

// The rows of a chunk, before its first Compute, if the worker cannot make them itself.
struct Rows {
  data::Chunk chunk;
};

// The chunk need not be begun any more. If it was begun, its result does no harm.
struct Forget {
  std::int64_t round = 0;
  std::int64_t chunk = 0;
};

struct Partial {
  std::int64_t round = 0;
  std::int64_t chunk = 0;
  double cpuSeconds = 0;
  data::Vector values;
};

// From both sides, every second: who is silent for long is taken for dead.
struct Alive {};

// The training is over: the worker may exit with success.
struct Over {};

using Message = std::variant<Hello, Welcome, State, Rows, Compute, Forget, Partial, Alive, Over>;

inline constexpr std::uint64_t kProtocol = 0x736c61712d743033;  // "slaq-t03"
inline constexpr std::size_t kLengthBytes = 4;
inline constexpr std::size_t kLongestBody = 64u << 20;

// The length, then the body.
std::string encode(const Message& message);
// REQUIRES: kLengthBytes bytes. Malformed if it is longer than any message.
Result<std::size_t> decodeLength(std::string_view bytes);
Result<Message> decodeBody(std::string_view body);

}  // namespace slaq::trainer::protocol
