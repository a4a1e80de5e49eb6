#include "trainer/message.h"

#include <gtest/gtest.h>

namespace slaq::trainer {
namespace {

std::string bodyOf(const Message& message) { return encode(message).substr(kLengthBytes); }

template <class Kind>
Kind sendThrough(const Kind& message) {
  const std::string bytes = encode(message);
  EXPECT_EQ(decodeLength(std::string_view(bytes).substr(0, kLengthBytes)), bytes.size() - kLengthBytes);
  return std::get<Kind>(decodeBody(std::string_view(bytes).substr(kLengthBytes)).value());
}

// With a setting of each kind.
Problem anyProblem() {
  Problem problem{"k-means", "mixture", 1000, 20, 50, 64, 7, 11, {}};
  problem.settings.set("clusters", 50);
  problem.settings.set("shape", "round");
  problem.settings.set("sizes", std::vector<std::int64_t>{3, -4});
  return problem;
}

Chunk anyChunk() {
  return {3, Matrix{{1, 2, 3}, {4, 5, 6}}, Floats{{-1, 1}}, {{0, 2, 3}, {7, 8, 9}, {1, 2, 3}}};
}

std::vector<Message> oneOfEach() {
  return {Hello{kProtocol, "3"},
          Welcome{anyProblem()},
          State{4, Vector::LinSpaced(5, 0, 1)},
          Rows{anyChunk()},
          Compute{4, 11},
          Forget{4, 12},
          Partial{4, 11, 0.25, Vector::Ones(3)},
          Alive{},
          Over{}};
}

TEST(Message, ArrivesAsItWasSent) {
  EXPECT_EQ(sendThrough(Hello{kProtocol, "12"}).worker, "12");
  EXPECT_EQ(sendThrough(Welcome{anyProblem()}).problem, anyProblem());
  EXPECT_EQ(sendThrough(State{3, Vector::LinSpaced(4, 0, 1)}).values, Vector(Vector::LinSpaced(4, 0, 1)));
  EXPECT_EQ(sendThrough(State{3, Vector()}).values.size(), 0);
  const Chunk chunk = sendThrough(Rows{anyChunk()}).chunk;
  EXPECT_EQ(chunk.index, 3);
  EXPECT_EQ(chunk.features, anyChunk().features);
  EXPECT_EQ(chunk.targets, anyChunk().targets);
  EXPECT_EQ(chunk.documents, anyChunk().documents);
  EXPECT_EQ(sendThrough(Compute{5, 6}).chunk, 6);
  EXPECT_EQ(sendThrough(Forget{5, 6}).round, 5);
  const Partial partial = sendThrough(Partial{5, 6, 0.125, Vector::Constant(2, 1e-300)});
  EXPECT_EQ(partial.cpuSeconds, 0.125);
  EXPECT_EQ(partial.values, Vector(Vector::Constant(2, 1e-300)));
  sendThrough(Alive{});
  sendThrough(Over{});
}

TEST(Message, OfAWrongLengthIsRefused) {
  for (const Message& message : oneOfEach()) {
    const std::string body = bodyOf(message);
    for (std::size_t cut = 0; cut < body.size(); ++cut) EXPECT_FALSE(decodeBody(body.substr(0, cut)));
    EXPECT_FALSE(decodeBody(body + "x"));
  }
}

TEST(Message, OfAnUnknownKindIsRefused) { EXPECT_FALSE(decodeBody("\x7f")); }

TEST(Message, CannotClaimMoreNumbersThanItHas) {
  std::string body = bodyOf(State{1, Vector::Ones(2)});
  for (std::size_t at = 9; at < 17; ++at) body[at] = '\xff';  // the count
  EXPECT_FALSE(decodeBody(body));
}

TEST(Message, FramesOfStrangersAreRefused) {
  EXPECT_FALSE(decodeLength("GET "));
  EXPECT_FALSE(decodeLength(std::string(kLengthBytes, '\0')));
}

}  // namespace
}  // namespace slaq::trainer
