#include "kube/client/api.h"

#include <gmock/gmock.h>

#include "kube/json/json_fields.h"
#include "kube/support/fake_server.h"
#include "kube/support/jobs.h"

namespace slaq::kube::client {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ApiTest : public testing::Test {
 protected:
  ApiOptions options() {
    ApiOptions out;
    out.pause = [this](Seconds pause) {
      slept.push_back(pause.count());
      return isStopped;
    };
    out.chance = [] { return 0.5; };
    out.refreshCredentials = [this] { ++refreshed; };
    out.observe = [this](const ApiCall& call) {
      calls.push_back(std::string(call.verb) + " " + std::string(call.resource) + " " + call.outcome);
    };
    return out;
  }

  // The next answers, in order; after them the server's own.
  void script(std::vector<Result<http::HttpResponse>> answers) {
    server.before = [answers = std::move(answers), next = std::size_t{0}](
                        const http::HttpRequest&) mutable -> std::optional<Result<http::HttpResponse>> {
      if (next >= answers.size()) return std::nullopt;
      return answers[next++];
    };
  }

  FakeServer server;
  std::vector<double> slept;
  std::vector<std::string> calls;
  int refreshed = 0;
  bool isStopped = false;
  Api api{server, options()};
  const Target job{kTrainingJobs, "team-a", "logreg"};
};

struct Meaning {
  int status;
  ErrorKind kind;
};

TEST_F(ApiTest, EveryStatusIsAKindOfErrorWithTheServersMessage) {
  for (const auto& [status, kind] :
       {Meaning{400, ErrorKind::Invalid}, Meaning{401, ErrorKind::Forbidden},
        Meaning{403, ErrorKind::Forbidden}, Meaning{404, ErrorKind::NotFound},
        Meaning{405, ErrorKind::Invalid}, Meaning{408, ErrorKind::Transient},
        Meaning{409, ErrorKind::Conflict}, Meaning{410, ErrorKind::Gone}, Meaning{415, ErrorKind::Invalid},
        Meaning{422, ErrorKind::Invalid}, Meaning{429, ErrorKind::Transient},
        Meaning{500, ErrorKind::Transient}, Meaning{503, ErrorKind::Transient},
        Meaning{504, ErrorKind::Transient}, Meaning{302, ErrorKind::Malformed}}) {
    EXPECT_EQ(errorOf(status, refusal(status, "", "because").body, job), (Error{kind, "because"})) << status;
  }
  EXPECT_EQ(errorOf(500, R"({"message":"a\n\u001b[31mb"})", job).message, "a\\x0a\\x1b[31mb");
  EXPECT_EQ(errorOf(500, "<html>", job).message, "trainingjobs team-a/logreg: the API server answered 500");
}

TEST_F(ApiTest, WhatMayPassIsTriedAgainWithGrowingPauses) {
  server.put(kJobPath, jobText());
  script(
      {answer(500, ""), answer(503, ""), Result<http::HttpResponse>(failure(ErrorKind::Transient, "cut"))});
  EXPECT_TRUE(api.get(job));
  EXPECT_THAT(slept, ElementsAre(0.2, 0.4, 0.8));
  EXPECT_THAT(calls, ElementsAre("get trainingjobs 500", "get trainingjobs 503", "get trainingjobs error",
                                 "get trainingjobs 200"));
}

TEST_F(ApiTest, TriesAreLimited) {
  server.before = [](const http::HttpRequest&) {
    return Result<http::HttpResponse>(refusal(503, "", "later"));
  };
  EXPECT_EQ(api.get(job).error(), (Error{ErrorKind::Transient, "later"}));
  EXPECT_EQ(server.takeRequests().size(), 4u);
}

TEST_F(ApiTest, DoesNotTryAgainOnceTheProgramIsToStop) {
  isStopped = true;
  script({answer(503, ""), answer(503, "")});
  EXPECT_EQ(api.get(job).error().kind, ErrorKind::Transient);
  EXPECT_EQ(server.takeRequests().size(), 1u);
}

TEST_F(ApiTest, WaitsAsLongAsTheServerAsksWithinABound) {
  http::HttpResponse busy = refusal(429, "TooManyRequests", "busy");
  busy.retryAfter = Seconds(3);
  http::HttpResponse closed = busy;
  closed.retryAfter = Seconds(3600);
  script({busy, closed});
  EXPECT_EQ(api.get(job).error(), (Error{ErrorKind::Transient, "busy"}));
  EXPECT_THAT(slept, ElementsAre(3, 5));
}

TEST_F(ApiTest, LaterWritesWaitForTheirTurnOnceTheServerHadTooMany) {
  ApiOptions atOneMoment = options();
  atOneMoment.now = [] { return Seconds(1000); };
  Api quick(server, atOneMoment);
  server.put(kJobPath, jobText());
  for (int n = 0; n < 20; ++n) EXPECT_TRUE(quick.patch(job, "{}"));
  EXPECT_THAT(slept, IsEmpty());
  script({refusal(429, "TooManyRequests", "busy")});
  EXPECT_TRUE(quick.patch(job, "{}"));
  slept.clear();
  for (int n = 0; n < 3; ++n) EXPECT_TRUE(quick.patch(job, "{}"));
  EXPECT_THAT(slept, ElementsAre(testing::Gt(0.05), testing::Gt(0.15), testing::Gt(0.25)));
  EXPECT_TRUE(quick.get(job));
  EXPECT_THAT(slept, SizeIs(3)) << "reads do not wait";
}

TEST_F(ApiTest, WhatWillNotPassIsNotTriedAgain) {
  for (const int status : {400, 403, 404, 409, 410, 422}) {
    script({answer(status, "")});
    EXPECT_FALSE(api.get(job)) << status;
    EXPECT_EQ(server.takeRequests().size(), 1u) << status;
  }
}

TEST_F(ApiTest, CredentialsAreReadAgainOnceAfterA401) {
  server.put(kJobPath, jobText());
  script({answer(401, "")});
  EXPECT_TRUE(api.get(job));
  EXPECT_EQ(refreshed, 1);
  script({answer(401, ""), answer(401, "")});
  EXPECT_EQ(api.get(job).error().kind, ErrorKind::Forbidden);
  EXPECT_EQ(refreshed, 2);
}

TEST_F(ApiTest, ATakenNameIsNotTheSameAsAConflict) {
  server.put(kWorkersPath, "{}");
  const Target jobs{kJobs, "team-a", "logreg-workers"};
  const auto taken = api.create(jobs, quoted("{'metadata':{'name':'logreg-workers'}}"));
  EXPECT_TRUE(taken && !*taken);
  script({refusal(409, "Conflict", "the quota was being counted")});
  EXPECT_EQ(api.create(jobs, "{}").error(), (Error{ErrorKind::Conflict, "the quota was being counted"}));
}

TEST_F(ApiTest, DeletionsNameTheUidAndRunInTheBackground) {
  std::string body;
  server.before = [&](const http::HttpRequest& request) {
    body = request.method + " " + request.body;
    return Result<http::HttpResponse>(answer(200, "{}"));
  };
  ASSERT_TRUE(api.remove(job, "u-1"));
  EXPECT_EQ(body, quoted("DELETE {'propagationPolicy':'Background','preconditions':{'uid':'u-1'}}"));
}

TEST_F(ApiTest, DeletingWhatIsGoneIsASuccess) {
  script({answer(404, "")});
  EXPECT_TRUE(api.remove(job, "u-1"));
}

TEST_F(ApiTest, AnAnswerThatIsNoObjectIsMalformed) {
  for (const char* body : {"", "[]", "{", "<html></html>", "\xff\xfe"}) {
    script({answer(200, body)});
    EXPECT_EQ(api.get(job).error().kind, ErrorKind::Malformed) << body;
  }
}

TEST_F(ApiTest, AListWithoutItemsOrVersionIsMalformed) {
  for (const char* body :
       {"{}", "{'items':{},'metadata':{'resourceVersion':'1'}}", "{'items':[],'metadata':{}}"}) {
    script({answer(200, quoted(body))});
    EXPECT_EQ(api.list(job, {}, "").error().kind, ErrorKind::Malformed) << body;
  }
}

TEST_F(ApiTest, ListsSelectByFields) {
  script({answer(200, quoted("{'metadata':{'resourceVersion':'7'},'items':[]}"))});
  EXPECT_TRUE(api.list({kEvents, "team-a"}, {.labels = "", .fields = "involvedObject.name=logreg"}, ""));
  EXPECT_THAT(server.takeRequests(),
              ElementsAre("GET /api/v1/namespaces/team-a/"
                          "events?limit=500&fieldSelector=involvedObject.name%3Dlogreg"));
}

TEST_F(ApiTest, ListsArePagedAndSelectByLabels) {
  script({answer(200, quoted("{'metadata':{'resourceVersion':'7','continue':'a/b='},'items':[]}")),
          answer(200, quoted("{'metadata':{'resourceVersion':'7'},'items':[]}"))});
  const Target all{kJobs, ""};
  const auto first = api.list(all, {"slaq.io/job"}, "");
  EXPECT_EQ(first->continueToken, "a/b=");
  EXPECT_EQ(api.list(all, {"slaq.io/job"}, first->continueToken)->continueToken, "");
  EXPECT_THAT(server.takeRequests(),
              ElementsAre("GET /apis/batch/v1/jobs?limit=500&labelSelector=slaq.io%2Fjob",
                          "GET /apis/batch/v1/jobs?limit=500&labelSelector=slaq.io%2Fjob&continue=a%2Fb%3D"));
}

TEST_F(ApiTest, AVeryDeepAnswerDoesNotOverflowTheStack) {
  script({answer(200, std::string(1000000, '['))});
  EXPECT_EQ(api.get(job).error().kind, ErrorKind::Malformed);
}

}  // namespace
}  // namespace slaq::kube::client
