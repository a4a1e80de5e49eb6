#include "trainer/protocol/message.h"

#include <gtest/gtest.h>

namespace slaq::trainer {
namespace {

std::string bodyOf(const protocol::Message& message) {
  return protocol::encode(message).substr(protocol::kLengthBytes);
}

template <class Kind>
Kind sendThrough(const Kind& message) {
  const std::string bytes = protocol::encode(message);
  EXPECT_EQ(protocol::decodeLength(std::string_view(bytes).substr(0, protocol::kLengthBytes)),
            bytes.size() - protocol::kLengthBytes);
  return std::get<Kind>(protocol::decodeBody(std::string_view(bytes).substr(protocol::kLengthBytes)).value());
}

// With a setting of each kind.
problem::Problem anyProblem() {
  problem::Problem problem{"k-means", "mixture", 1000, 20, 50, 64, 7, 11, {}};
  problem.settings.set("clusters", 50);
  problem.settings.set("shape", "round");
  problem.settings.set("sizes", std::vector<std::int64_t>{3, -4});
  return problem;
}

data::Chunk anyChunk() {
  return {3, data::Matrix{{1, 2, 3}, {4, 5, 6}}, data::Floats{{-1, 1}}, {{0, 2, 3}, {7, 8, 9}, {1, 2, 3}}};
}

std::vector<protocol::Message> oneOfEach() {
  return {protocol::Hello{protocol::kProtocol, "3"},
          protocol::Welcome{anyProblem()},
          protocol::State{4, data::Vector::LinSpaced(5, 0, 1)},
          protocol::Rows{anyChunk()},
          protocol::Compute{4, 11},
          protocol::Forget{4, 12},
          protocol::Partial{4, 11, 0.25, data::Vector::Ones(3)},
          protocol::Alive{},
          protocol::Over{}};
}

TEST(Message, ArrivesAsItWasSent) {
  EXPECT_EQ(sendThrough(protocol::Hello{protocol::kProtocol, "12", "uid"}).worker, "12");
  EXPECT_EQ(sendThrough(protocol::Hello{protocol::kProtocol, "12", "uid"}).job, "uid");
  EXPECT_EQ(sendThrough(protocol::Welcome{anyProblem()}).problem, anyProblem());
  EXPECT_EQ(sendThrough(protocol::State{3, data::Vector::LinSpaced(4, 0, 1)}).values,
            data::Vector(data::Vector::LinSpaced(4, 0, 1)));
  EXPECT_EQ(sendThrough(protocol::State{3, data::Vector()}).values.size(), 0);
  const data::Chunk chunk = sendThrough(protocol::Rows{anyChunk()}).chunk;
  EXPECT_EQ(chunk.index, 3);
  EXPECT_EQ(chunk.features, anyChunk().features);
  EXPECT_EQ(chunk.targets, anyChunk().targets);
  EXPECT_EQ(chunk.documents, anyChunk().documents);
  EXPECT_EQ(sendThrough(protocol::Compute{5, 6}).chunk, 6);
  EXPECT_EQ(sendThrough(protocol::Forget{5, 6}).round, 5);
  const protocol::Partial partial =
      sendThrough(protocol::Partial{5, 6, 0.125, data::Vector::Constant(2, 1e-300)});
  EXPECT_EQ(partial.cpuSeconds, 0.125);
  EXPECT_EQ(partial.values, data::Vector(data::Vector::Constant(2, 1e-300)));
  sendThrough(protocol::Alive{});
  sendThrough(protocol::Over{});
}

TEST(Message, OfAWrongLengthIsRefused) {
  for (const protocol::Message& message : oneOfEach()) {
    const std::string body = bodyOf(message);
    for (std::size_t cut = 0; cut < body.size(); ++cut)
      EXPECT_FALSE(protocol::decodeBody(body.substr(0, cut)));
    EXPECT_FALSE(protocol::decodeBody(body + "x"));
  }
}

TEST(Message, OfAnUnknownKindIsRefused) { EXPECT_FALSE(protocol::decodeBody("\x7f")); }

TEST(Message, CannotClaimMoreNumbersThanItHas) {
  std::string body = bodyOf(protocol::State{1, data::Vector::Ones(2)});
  for (std::size_t at = 9; at < 17; ++at) body[at] = '\xff';  // the count
  EXPECT_FALSE(protocol::decodeBody(body));
}

TEST(Message, FramesOfStrangersAreRefused) {
  EXPECT_FALSE(protocol::decodeLength("GET "));
  EXPECT_FALSE(protocol::decodeLength(std::string(protocol::kLengthBytes, '\0')));
}

}  // namespace
}  // namespace slaq::trainer
