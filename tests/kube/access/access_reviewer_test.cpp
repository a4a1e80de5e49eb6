#include "kube/access/access_reviewer.h"

#include <gmock/gmock.h>

#include <set>
#include <vector>

#include "kube/support/cluster_fixture.h"

namespace slaq::kube::access {
namespace {

using ::testing::HasSubstr;

// An API server that knows the token "secret" of a user who may get /metrics.
class AccessReviewerTest : public ClusterTest {
 protected:
  AccessReviewerTest() {
    server.before = [this](const http::HttpRequest& request) -> std::optional<Result<http::HttpResponse>> {
      bodies.push_back(request.body);
      if (isDown) return refusal(503, "ServiceUnavailable", "down");
      if (request.path == "/apis/authentication.k8s.io/v1/tokenreviews") {
        const bool isKnown = request.body.find(R"("token":"secret")") != std::string::npos;
        return answer(201, isKnown ? R"({"status":{"authenticated":true,"user":{"username":"prometheus",)"
                                     R"("groups":["system:authenticated"],"extra":{"a":["b"]}}}})"
                                   : R"({"status":{"authenticated":false,"user":{}}})");
      }
      EXPECT_EQ(request.path, "/apis/authorization.k8s.io/v1/subjectaccessreviews");
      const bool may = request.body.find(R"("path":"/metrics","verb":"get")") != std::string::npos;
      return answer(201, may ? R"({"status":{"allowed":true}})" : R"({"status":{"allowed":false}})");
    };
  }

  std::vector<std::string> bodies;
  bool isDown = false;
  AccessReviewer reviewer{api, clock};
};

TEST_F(AccessReviewerTest, LetsInWhoMay) {
  EXPECT_TRUE(reviewer.mayGet("secret", "/metrics"));
  ASSERT_EQ(bodies.size(), 2U);
  EXPECT_THAT(bodies[1],
              HasSubstr(R"("user":"prometheus","groups":["system:authenticated"],"extra":{"a":["b"]})"));
}

TEST_F(AccessReviewerTest, TellsAStrangerFromOneWhoMayNot) {
  EXPECT_EQ(reviewer.mayGet("", "/metrics").error().kind, ErrorKind::Invalid);
  EXPECT_TRUE(bodies.empty());
  EXPECT_EQ(reviewer.mayGet("wrong", "/metrics").error().kind, ErrorKind::Invalid);
  const auto other = reviewer.mayGet("secret", "/other");
  EXPECT_EQ(other.error(), (Error{ErrorKind::Forbidden, "prometheus has no right to get /other"}));
}

TEST_F(AccessReviewerTest, AsksAgainAfterAMinuteAndAfterEachOutage) {
  isDown = true;
  EXPECT_EQ(reviewer.mayGet("secret", "/metrics").error().kind, ErrorKind::Transient);
  isDown = false;
  EXPECT_TRUE(reviewer.mayGet("secret", "/metrics"));
  bodies.clear();
  clock.advance(Seconds(59));
  EXPECT_TRUE(reviewer.mayGet("secret", "/metrics"));
  EXPECT_TRUE(bodies.empty());
  clock.advance(Seconds(2));
  isDown = true;
  EXPECT_FALSE(reviewer.mayGet("secret", "/metrics"));
}

TEST_F(AccessReviewerTest, KeepsNoMoreThanSomeAnswers) {
  for (int i = 0; i < 200; ++i) {
    EXPECT_FALSE(reviewer.mayGet("wrong-" + std::to_string(i), "/metrics"));
    clock.advance(Seconds(1));
  }
  EXPECT_TRUE(reviewer.mayGet("secret", "/metrics"));
}

TEST_F(AccessReviewerTest, AFloodOfMadeUpTokensKeepsNoReaderOut) {
  EXPECT_TRUE(reviewer.mayGet("secret", "/metrics"));
  for (const double later : {0.0, 61.0}) {
    clock.advance(Seconds(later));
    bodies.clear();
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(reviewer.mayGet("wrong-" + std::to_string(i), "/metrics"));
    EXPECT_LE(bodies.size(), 5U);
    EXPECT_TRUE(reviewer.mayGet("secret", "/metrics"));
  }
}

}  // namespace
}  // namespace slaq::kube::access
