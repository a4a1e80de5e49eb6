// The API of a server of TrainingJobs: its answers, and clients that misbehave.
#include "cli/api/job_api.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cmath>

#include "cli/api/api_routes.h"
#include "cli/manifests/command_jobs.h"
#include "cli/played_jobs.h"
#include "http/client.h"

namespace slaq::cli::api {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string kGroup = "/apis/slaq.io/v1alpha1";
const std::string kJobs = kGroup + "/namespaces/default/trainingjobs";

std::string manifestOf(const std::string& name) {
  return manifests::manifestText({"python", "train.py"}, name, {.maxCpu = "2"});
}

class JobApiAnswers : public ::testing::Test {
 protected:
  ApiAnswer ask(const std::string& method, const std::string& target, const std::string& body = "") {
    return answerTo({method, target, body}, {1000, 100}, jobs);
  }
  rapidjson::Document get(const std::string& target) {
    const auto answer = ask("GET", target);
    EXPECT_EQ(answer.status, "200 OK") << answer.body;
    return kube::json::parseJson(answer.body);
  }
  std::vector<std::string> namesAt(const std::string& target, const char* field = "name") {
    std::vector<std::string> names;
    const auto list = get(target);
    for (const auto& item : kube::json::at(list, {"items"})->GetArray())
      names.push_back(kube::json::stringAt(item, {"metadata", field}));
    return names;
  }
  std::vector<std::string> reasonsAt(const std::string& target) {
    std::vector<std::string> reasons;
    const auto list = get(target);
    for (const auto& item : kube::json::at(list, {"items"})->GetArray())
      reasons.push_back(kube::json::stringAt(item, {"reason"}));
    return reasons;
  }

  test::PlayedJobs jobs;
};

TEST_F(JobApiAnswers, ListsTheJobsOfANamespaceOrOfAll) {
  jobs.submit({}, manifestOf("a")).value();
  jobs.add({"team", "b"}, R"({"metadata": {"namespace": "team", "name": "b"}})");
  EXPECT_THAT(namesAt(kJobs), ElementsAre("a"));
  EXPECT_THAT(namesAt(kGroup + "/trainingjobs?limit=500"), ElementsAre("a", "b"));
  EXPECT_THAT(namesAt(kGroup + "/namespaces/none/trainingjobs"), IsEmpty());
  const auto list = get(kJobs);
  EXPECT_EQ(kube::json::stringAt(list, {"kind"}), "TrainingJobList");
  EXPECT_EQ(kube::json::stringAt(list, {"apiVersion"}), "slaq.io/v1alpha1");
  EXPECT_NE(kube::json::stringAt(list, {"metadata", "resourceVersion"}), "");
}

TEST_F(JobApiAnswers, GivesOneJob) {
  jobs.submit({}, manifestOf("a")).value();
  EXPECT_EQ(kube::json::stringAt(get(kJobs + "/a"), {"metadata", "name"}), "a");
  EXPECT_EQ(ask("GET", kJobs + "/b").status, "404 Not Found");
  EXPECT_EQ(ask("GET", kGroup + "/namespaces/team/trainingjobs/a").status, "404 Not Found");
}

TEST_F(JobApiAnswers, HasTheLossesOfAJob) {
  jobs.submit({}, manifestOf("a")).value();
  EXPECT_EQ(ask("GET", kJobs + "/a/losses").body, R"({"losses":[]})");
  jobs.addLoss({"default", "a"}, {Time(Seconds(1'700'000'000.25)), Iterations(1), Loss(0.5)});
  jobs.addLoss({"default", "a"}, {Time(Seconds(1'700'000'001)), Iterations(2), Loss(0.25)});
  EXPECT_EQ(ask("GET", kJobs + "/a/losses").body,
            R"({"losses":[[1700000000.25,1,0.5],[1700000001,2,0.25]]})");
  EXPECT_EQ(ask("GET", kJobs + "/b/losses").status, "404 Not Found");
  EXPECT_EQ(ask("DELETE", kJobs + "/a/losses").status, "405 Method Not Allowed");
  EXPECT_EQ(ask("GET", kJobs + "/a/others").status, "404 Not Found");
}

TEST(LossCurve, IsThinnedOutEvenly) {
  LossCurve curve(400);
  for (int i = 0; i < 100'000; ++i)
    EXPECT_TRUE(curve.add({Time(Seconds(i)), Iterations(i), Loss(1.0 / (1 + i))}));
  const auto samples = curve.samples();
  EXPECT_LE(samples.size(), 400u);
  EXPECT_EQ(samples.front().iteration, Iterations(0));
  EXPECT_EQ(samples.back().iteration, Iterations(99'999));
  for (std::size_t i = 1; i < samples.size(); ++i)
    EXPECT_LE(samples[i].iteration - samples[i - 1].iteration, Iterations(4 * 100'000 / 400));
}

TEST(LossCurve, HasALossOnceAndNothingThatIsNoNumber) {
  LossCurve curve(400);
  EXPECT_TRUE(curve.add({Time(Seconds(1)), Iterations(1), Loss(2)}));
  EXPECT_FALSE(curve.add({Time(Seconds(2)), Iterations(1), Loss(2)}));
  EXPECT_FALSE(curve.add({Time(Seconds(3)), Iterations(2), Loss(NAN)}));
  EXPECT_FALSE(curve.add({Time(Seconds(1)), Iterations(2), Loss(1)})) << "it is older";
  EXPECT_TRUE(curve.add({Time(Seconds(3)), Iterations(2), Loss(2)}));
  EXPECT_EQ(curve.samples().size(), 2u);
}

TEST(LossCurves, OfAnotherJobOfTheNameBeginAnew) {
  LossCurves curves;
  const JobKey job{"default", "a"};
  curves.add(job, "1", {Time(Seconds(5)), Iterations(5), Loss(1)});
  curves.add(job, "2", {Time(Seconds(4)), Iterations(1), Loss(2)});
  ASSERT_EQ(curves.of(job).size(), 1u);
  EXPECT_EQ(curves.of(job).front().iteration, Iterations(1));
  curves.forgetAllBut([](const JobKey&) { return false; });
  EXPECT_THAT(curves.of(job), IsEmpty());
}

TEST_F(JobApiAnswers, NamesTheNamespacesThatHaveJobs) {
  EXPECT_THAT(namesAt("/api/v1/namespaces"), ElementsAre("default"));
  jobs.add({"team", "b"}, "{}");
  EXPECT_THAT(namesAt("/api/v1/namespaces"), ElementsAre("default", "team"));
}

TEST_F(JobApiAnswers, SelectsEvents) {
  jobs.addEvent({"default", "a"}, "Running");
  jobs.addEvent({"default", "b"}, "Scaled");
  jobs.addEvent({"team", "a"}, "Failed");
  const std::string events = "/api/v1/namespaces/default/events";
  EXPECT_THAT(reasonsAt(events), ElementsAre("Running", "Scaled"));
  EXPECT_THAT(reasonsAt("/api/v1/events"), ElementsAre("Running", "Scaled", "Failed"));
  const std::string kind = events + "?limit=500&fieldSelector=involvedObject.kind%3DTrainingJob%2C";
  EXPECT_THAT(reasonsAt(kind + "involvedObject.name%3Db"), ElementsAre("Scaled"));
  EXPECT_THAT(reasonsAt(kind + "involvedObject.name==b"), ElementsAre("Scaled"));
  EXPECT_THAT(reasonsAt(kind + "involvedObject.uid%3Duid-a"), ElementsAre("Running"));
  EXPECT_THAT(reasonsAt(kind + "involvedObject.name%3Da,involvedObject.uid%3Dother"), IsEmpty());
  EXPECT_THAT(reasonsAt(events + "?fieldSelector=involvedObject.kind%3DPod"), IsEmpty());
  for (const char* odd : {"reason%3DScaled", "involvedObject.name", "involvedObject.name!%3Da", ","})
    EXPECT_EQ(ask("GET", events + "?fieldSelector=" + odd).status, "400 Bad Request") << odd;
}

TEST_F(JobApiAnswers, TakesInJobs) {
  const auto created = ask("POST", kJobs, manifestOf("a"));
  EXPECT_EQ(created.status, "201 Created") << created.body;
  EXPECT_EQ(kube::json::stringAt(kube::json::parseJson(created.body), {"metadata", "name"}), "a");
  EXPECT_EQ(jobs.peers().at(0).user, 1000u);
  EXPECT_EQ(jobs.peers().at(0).group, 100u);
  const auto again = ask("POST", kJobs, manifestOf("a"));
  EXPECT_EQ(again.status, "409 Conflict");
  const auto status = kube::json::parseJson(again.body);
  EXPECT_EQ(kube::json::stringAt(status, {"kind"}), "Status");
  EXPECT_EQ(kube::json::stringAt(status, {"reason"}), "AlreadyExists");
  EXPECT_EQ(kube::json::intAt(status, {"code"}), 409);
  EXPECT_EQ(kube::json::stringAt(status, {"message"}), "there is a TrainingJob default/a already");
}

TEST_F(JobApiAnswers, RefuseWhatIsNoJob) {
  for (const char* manifest :
       {"", "{", "a: [", "kind: Pod", "{\"kind\": \"TrainingJob\"}", "1", "[]", "\xff"})
    EXPECT_EQ(ask("POST", kJobs, manifest).status, "422 Unprocessable Entity") << manifest;
  EXPECT_EQ(ask("POST", kJobs, manifestOf("a") + "---\n" + manifestOf("b")).status,
            "422 Unprocessable Entity");
}

TEST_F(JobApiAnswers, PutJobsIntoTheNamespaceOfThePath) {
  const std::string team = kGroup + "/namespaces/team/trainingjobs";
  EXPECT_EQ(ask("POST", team, manifestOf("a")).status, "201 Created");
  EXPECT_NE(jobs.document({"team", "a"}), "");
  const std::string mine =
      R"({"apiVersion":"slaq.io/v1alpha1","kind":"TrainingJob","metadata":{"name":"b","namespace":"mine"}})";
  const auto other = ask("POST", team, mine);
  EXPECT_EQ(other.status, "400 Bad Request");
  EXPECT_THAT(other.body, HasSubstr("does not match the namespace sent on the request"));
  EXPECT_EQ(ask("POST", kGroup + "/namespaces/No%20Label/trainingjobs", manifestOf("a")).status,
            "400 Bad Request");
}

TEST_F(JobApiAnswers, StopJobs) {
  jobs.submit({}, manifestOf("a")).value();
  jobs.addForeign({"default", "theirs"});
  EXPECT_EQ(ask("DELETE", kJobs + "/a").status, "200 OK");
  EXPECT_EQ(ask("DELETE", kJobs + "/a").status, "404 Not Found");
  const auto foreign = ask("DELETE", kJobs + "/theirs");
  EXPECT_EQ(foreign.status, "403 Forbidden");
  EXPECT_THAT(foreign.body, HasSubstr("belongs to another user"));
  EXPECT_NE(jobs.document({"default", "theirs"}), "");
}

TEST_F(JobApiAnswers, KnowNothingElse) {
  for (const char* target : {"/", "", "/api", "/apis/slaq.io/v1alpha1", "/apis/slaq.io/v1/trainingjobs",
                             "/api/v1/namespaces/default/pods", "/api/v1/namespaces//events"})
    EXPECT_EQ(ask("GET", target).status, "404 Not Found") << target;
  EXPECT_EQ(ask("GET", kJobs + "/").status, "404 Not Found");
  EXPECT_EQ(ask("GET", kJobs + "/a/status").status, "404 Not Found");
  EXPECT_EQ(ask("PUT", kJobs + "/a").status, "405 Method Not Allowed");
  EXPECT_EQ(ask("DELETE", kJobs).status, "405 Method Not Allowed");
  EXPECT_EQ(ask("POST", kGroup + "/trainingjobs", manifestOf("a")).status, "405 Method Not Allowed");
  EXPECT_EQ(ask("POST", "/api/v1/namespaces").status, "405 Method Not Allowed");
  EXPECT_EQ(ask("GET", kJobs + "?watch=true").status, "400 Bad Request");
  EXPECT_EQ(ask("GET", kJobs + "?labelSelector=a").status, "400 Bad Request");
}

TEST_F(JobApiAnswers, AreJsonWhateverTheNames) {
  for (const char* name : {"%22", "%5C", "%0A%1b", "%ff%fe", "a%2Fb", "%C3%A4", "%F0%9F%98%80", "%00", "%ED",
                           "%ED%A0%80", "%E0%80%80", "%F4%90%80%80", "%C3"}) {
    const auto answer = ask("GET", kJobs + "/" + name);
    EXPECT_EQ(answer.status, "404 Not Found") << name;
    rapidjson::Document document;
    document.Parse<rapidjson::kParseValidateEncodingFlag>(answer.body.data(), answer.body.size());
    EXPECT_FALSE(document.HasParseError()) << answer.body;
    EXPECT_EQ(ask("DELETE", kJobs + "/" + name).status, "404 Not Found") << name;
  }
  for (const char* name : {"%", "%4", "%zz", "%+1", "a%"})
    EXPECT_EQ(ask("GET", kJobs + "/" + name).status, "400 Bad Request") << name;
}

class JobApiOnSocket : public ::testing::Test {
 protected:
  // A connection that has sent the text.
  int sent(const std::string& text) {
    const int client = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    server.socket().copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::send(client, text.data(), text.size(), MSG_NOSIGNAL);
    return client;
  }
  // All that comes back until the server closes.
  std::string answered(const std::string& text) {
    const int client = sent(text);
    std::string answer;
    char buffer[4096];
    for (ssize_t n = 0; (n = ::recv(client, buffer, sizeof buffer, 0)) > 0;)
      answer.append(buffer, static_cast<std::size_t>(n));
    ::close(client);
    return answer;
  }
  Result<http::HttpResponse> post(const std::string& body) {
    http::HttpRequest request{.method = "POST", .path = kJobs};
    request.body = body;
    return client->send(request);
  }

  test::PlayedServer server;
  std::unique_ptr<http::HttpClient> client = http::makeHttpClient({.url = "unix:" + server.socket()});
};

TEST_F(JobApiOnSocket, TellsTheJobsWhoAsks) {
  EXPECT_EQ(post(manifestOf("a")).value().status, 201);
  ASSERT_EQ(server.jobs.peers().size(), 1u);
  EXPECT_EQ(server.jobs.peers()[0].user, ::geteuid());
  EXPECT_EQ(server.jobs.peers()[0].group, ::getegid());
}

TEST_F(JobApiOnSocket, TakesAThousandSubmissions) {
  for (int i = 0; i < 1000; ++i) {
    const auto response = post(manifestOf("job-" + std::to_string(i)));
    ASSERT_TRUE(response) << i << ": " << response.error().message;
    ASSERT_EQ(response->status, 201) << response->body;
  }
  const auto list = client->send({.path = kGroup + "/trainingjobs?limit=500"});
  ASSERT_TRUE(list) << list.error().message;
  const auto document = kube::json::parseJson(list->body);
  EXPECT_EQ(kube::json::at(document, {"items"})->Size(), 1000u);
}

TEST_F(JobApiOnSocket, OutlivesClientsThatStopHalfWay) {
  const std::string head = "POST " + kJobs + " HTTP/1.1\r\n";
  for (const auto& half : {std::string(), head, head + "Content-Length: 100\r\n\r\nhalf"}) {
    const int gone = sent(half);
    ::close(gone);
    const int silent = sent(half);
    const auto begun = std::chrono::steady_clock::now();
    EXPECT_EQ(client->send({.path = kJobs}).value().status, 200) << half;
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(8)) << half;
    ::close(silent);
  }
}

TEST_F(JobApiOnSocket, RefusesWhatIsTooLargeBeforeItHasCome) {
  const auto response = post(std::string((1u << 20) + 1, ' '));
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 413);
  EXPECT_THAT(response->body, HasSubstr("RequestEntityTooLarge"));
  EXPECT_EQ(post(manifestOf("a") + std::string(900'000, '\n')).value().status, 201);
  EXPECT_THAT(answered("POST " + kJobs + " HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n"),
              StartsWith("HTTP/1.1 413 "));
}

TEST_F(JobApiOnSocket, OutlivesWhatIsNoRequest) {
  for (const char* text : {"\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", " / HTTP/1.1\r\n\r\n",
                           "GET x HTTP/1.1\r\n\r\n", "GET  HTTP/1.1\r\n\r\n", "GET / SMTP\r\n\r\n"})
    EXPECT_THAT(answered(text), StartsWith("HTTP/1.1 400 ")) << text;
  EXPECT_EQ(answered("GET /" + std::string(20'000, 'x')), "");
  EXPECT_EQ(answered("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"), "");
  EXPECT_EQ(client->send({.path = kJobs}).value().status, 200);
}

TEST_F(JobApiOnSocket, IsAloneAtItsSocket) {
  const auto second = JobApi::start(server.socket(), server.jobs);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::Conflict);
  EXPECT_EQ(second.error().message, "another slaq listens at " + server.socket());
  const auto nowhere = JobApi::start("/dev/null/slaq.sock", server.jobs);
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().message, "/dev/null/slaq.sock cannot be listened on: Not a directory");
  EXPECT_EQ(client->send({.path = kJobs}).value().status, 200);
}

TEST(JobApi, TakesItsSocketAwayAtItsEnd) {
  const local::TemporaryDirectory directory;
  const auto socket = directory / "slaq.sock";
  test::PlayedJobs jobs;
  { const auto api = JobApi::start(socket, jobs).value(); }
  EXPECT_FALSE(std::filesystem::exists(socket));
}

}  // namespace
}  // namespace slaq::cli::api
