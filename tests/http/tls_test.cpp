#include <gmock/gmock.h>
#include <openssl/ssl.h>

#include "http/bounded_requests.h"

namespace slaq::http {
namespace {

using test::answering;
using test::Authority;
using test::CertificateWish;
using test::Connection;
using test::ReceivedRequest;
using test::ScriptedServer;
using test::TlsSettings;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ScriptedServer::Script greeting() {
  return answering([](const ReceivedRequest&, Connection& c) { c.reply(200, "hello"); });
}

class Tls : public ::testing::Test {
 protected:
  Result<HttpResponse> get(const CertificateWish& wish, const std::string& host = "127.0.0.1",
                           const std::string& serverName = "", bool skipVerify = false) {
    ScriptedServer server(greeting(), TlsSettings{authority_.sign(wish), "", 0});
    HttpEndpoint endpoint;
    endpoint.url = server.url(host);
    endpoint.caPem = authority_.pem();
    endpoint.serverName = serverName;
    endpoint.insecureSkipVerify = skipVerify;
    return makeHttpClient(endpoint)->send({});
  }

  Authority authority_;
  const CertificateWish good_{"anything", "IP:127.0.0.1,DNS:localhost,DNS:kubernetes.default.svc", -3600,
                              3600};
};

void expectForbidden(const Result<HttpResponse>& response, const std::string& why) {
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ErrorKind::Forbidden) << response.error().message;
  EXPECT_THAT(response.error().message, HasSubstr(why));
}

TEST_F(Tls, TrustsTheGivenAuthorityByNameAndByAddress) {
  EXPECT_TRUE(get(good_, "127.0.0.1"));
  EXPECT_TRUE(get(good_, "localhost"));
}

TEST_F(Tls, TrustsByAnIPv6Address) {
  const auto get = [&](const char* names) {
    ScriptedServer server(greeting(), TlsSettings{authority_.sign({.subjectAltName = names}), "", 0},
                          test::Loopback::V6);
    HttpEndpoint endpoint;
    endpoint.url = server.url("[::1]");
    endpoint.caPem = authority_.pem();
    return makeHttpClient(endpoint)->send({});
  };
  EXPECT_TRUE(get("IP:::1"));
  expectForbidden(get("IP:fd00::1"), "IP address mismatch");
}

TEST_F(Tls, GoesThroughATunnelOfAProxy) {
  std::string asked;
  ScriptedServer proxy(answering([&](const ReceivedRequest& request, Connection& connection) {
    asked = request.method + " " + request.path;
    connection.reply(403, "");
  }));
  HttpEndpoint endpoint;
  endpoint.url = "https://prometheus.example:9090";
  endpoint.caPem = authority_.pem();
  endpoint.proxyUrl = "http://" + proxy.address();
  const auto response = makeHttpClient(endpoint)->send({});
  ASSERT_FALSE(response);
  EXPECT_THAT(response.error().message, HasSubstr("403"));
  EXPECT_EQ(asked, "CONNECT prometheus.example:9090");
}

TEST_F(Tls, VerifiesTheServerNameInPlaceOfTheHost) {
  EXPECT_TRUE(get(good_, "127.0.0.1", "kubernetes.default.svc"));
  expectForbidden(get(good_, "127.0.0.1", "other.default.svc"), "hostname mismatch");
}

TEST_F(Tls, SaysTheNameInTheGreetingButNoAddress) {
  std::vector<std::string> names;
  ScriptedServer server(
      [&](Connection& c) {
        if (!c.receive()) return;
        names.push_back(c.greetedName());
        c.reply(200, "");
      },
      TlsSettings{authority_.sign(good_), "", 0});
  for (const auto& [host, name] :
       {std::pair{"localhost", ""}, {"127.0.0.1", "kubernetes.default.svc"}, {"127.0.0.1", ""}}) {
    HttpEndpoint endpoint;
    endpoint.url = server.url(host);
    endpoint.caPem = authority_.pem();
    endpoint.serverName = name;
    ASSERT_TRUE(makeHttpClient(endpoint)->send({}));
  }
  EXPECT_THAT(names, ::testing::ElementsAre("localhost", "kubernetes.default.svc", ""));
}

TEST_F(Tls, RefusesACommonNameThatMatchesWhileTheAlternativeNamesDoNot) {
  expectForbidden(get({"localhost", "DNS:elsewhere", -3600, 3600}, "localhost"), "hostname mismatch");
  expectForbidden(get({"127.0.0.1", "IP:127.0.0.2", -3600, 3600}, "127.0.0.1"), "IP address mismatch");
}

TEST_F(Tls, RefusesACommonNameAlone) {
  expectForbidden(get({"localhost", "", -3600, 3600}, "localhost"), "hostname mismatch");
}

TEST_F(Tls, AnAddressInPlaceOfANameIsNoMatch) {
  expectForbidden(get({"x", "DNS:127.0.0.1", -3600, 3600}, "127.0.0.1"), "IP address mismatch");
}

TEST_F(Tls, RefusesExpiredAndFutureCertificates) {
  expectForbidden(get({"x", "IP:127.0.0.1", -7200, -3600}), "expired");
  expectForbidden(get({"x", "IP:127.0.0.1", 3600, 7200}), "not yet valid");
}

TEST_F(Tls, RefusesAnUnknownAuthority) {
  const Authority other;
  ScriptedServer server(greeting(), TlsSettings{other.sign(good_), "", 0});
  HttpEndpoint endpoint = endpointOf(server);
  endpoint.caPem = authority_.pem();
  expectForbidden(makeHttpClient(endpoint)->send({}), "unable to get local issuer certificate");
  endpoint.caPem.clear();  // the system's authorities don't know it either
  expectForbidden(makeHttpClient(endpoint)->send({}), "unable to get local issuer certificate");
}

TEST_F(Tls, RefusesAnAuthorityOfTheSameNameWithAnotherKey) {
  const Authority ours(false);
  const Authority other(false);
  ScriptedServer server(greeting(), TlsSettings{other.sign(good_), "", 0});
  HttpEndpoint endpoint = endpointOf(server);
  endpoint.caPem = ours.pem();
  expectForbidden(makeHttpClient(endpoint)->send({}), "certificate signature failure");
}

TEST_F(Tls, TrustsAnyOfSeveralAuthorities) {
  const Authority other;
  ScriptedServer server(greeting(), TlsSettings{authority_.sign(good_), "", 0});
  HttpEndpoint endpoint = endpointOf(server);
  endpoint.caPem = other.pem() + authority_.pem();
  EXPECT_TRUE(makeHttpClient(endpoint)->send({}));
}

TEST_F(Tls, SkipsVerificationOnlyWhenToldTo) {
  const CertificateWish bad{"x", "DNS:elsewhere", -7200, -3600};
  EXPECT_TRUE(get(bad, "127.0.0.1", "", true));
  EXPECT_FALSE(get(bad));
}

TEST_F(Tls, RefusesProtocolsBefore12) {
  for (const auto& [version, accepted] : {std::pair{TLS1_1_VERSION, false}, {TLS1_2_VERSION, true}}) {
    ScriptedServer server(greeting(), TlsSettings{authority_.sign(good_), "", version});
    HttpEndpoint endpoint = endpointOf(server);
    endpoint.caPem = authority_.pem();
    const auto response = makeHttpClient(endpoint)->send({});
    EXPECT_EQ(response.has_value(), accepted);
    if (!response) {
      EXPECT_EQ(response.error().kind, ErrorKind::Forbidden);
    }
  }
}

TEST_F(Tls, PresentsTheClientCertificate) {
  const Authority clients;
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    ScriptedServer server(greeting(), TlsSettings{authority_.sign(good_), clients.pem(), version});
    HttpEndpoint endpoint = endpointOf(server);
    endpoint.caPem = authority_.pem();
    const auto without = makeHttpClient(endpoint)->send({});
    ASSERT_FALSE(without);

    const auto client = clients.sign({"controller", "", -3600, 3600});
    endpoint.clientCertificatePem = client.certificatePem;
    endpoint.clientKeyPem = client.keyPem;
    const auto with = makeHttpClient(endpoint)->send({});
    EXPECT_TRUE(with) << with.error().message;
  }
}

TEST_F(Tls, TrustsANewAuthorityOnceItsFileHasIt) {
  const Authority later;
  Certificates now{authority_.pem()};
  bool wasToldToRead = false;
  HttpEndpoint endpoint;
  endpoint.caPem = now.caPem;
  endpoint.certificates = [&](Reading reading) {
    if (reading == Reading::Fresh) wasToldToRead = true;
    return now;
  };
  ScriptedServer server(greeting(), TlsSettings{later.sign(good_), "", 0});
  endpoint.url = server.url();
  const auto client = makeHttpClient(endpoint);
  EXPECT_FALSE(client->send({}));
  EXPECT_TRUE(wasToldToRead);
  now.caPem = later.pem();
  const auto trusted = client->send({});
  EXPECT_TRUE(trusted) << trusted.error().message;
}

// They are two files, and one is replaced before the other.
TEST_F(Tls, KeepsACertificateUntilTheNewOneHasItsKey) {
  const auto first = authority_.sign({"first", "", -3600, 3600});
  const auto second = authority_.sign({"second", "", -3600, 3600});
  Certificates now{authority_.pem(), first.certificatePem, first.keyPem};
  HttpEndpoint endpoint;
  endpoint.url = "https://127.0.0.1:1";
  endpoint.certificates = [&now](Reading) { return now; };
  std::vector<std::string> used;
  const auto client = makeRenewingClient(endpoint, [&used](const HttpEndpoint& with) {
    used.push_back(with.clientCertificatePem);
    return makeHttpClient({.url = "http://127.0.0.1:1"});
  });
  now.clientCertificatePem = second.certificatePem;
  EXPECT_FALSE(client->send({}));
  EXPECT_THAT(used, ElementsAre(first.certificatePem));
  now.clientKeyPem = second.keyPem;
  EXPECT_FALSE(client->send({}));
  EXPECT_THAT(used, ElementsAre(first.certificatePem, second.certificatePem));
}

TEST_F(Tls, SaysWhichPemIsUnreadable) {
  const auto client = authority_.sign({"controller", "", -3600, 3600});
  const auto stranger = authority_.sign({"stranger", "", -3600, 3600});
  struct Case {
    std::string ca, certificate, key, why;
  };
  for (const auto& [ca, certificate, key, why] :
       {Case{"not PEM", "", "", "no PEM certificate"},
        Case{"", client.certificatePem, "", "needs a PEM certificate and its PEM key"},
        Case{"", "", client.keyPem, "needs a PEM certificate and its PEM key"},
        Case{"", client.certificatePem, stranger.keyPem, "is not its certificate's"}}) {
    HttpEndpoint endpoint{"https://127.0.0.1:1", ca, certificate, key, {}, false, ""};
    const auto response = makeHttpClient(endpoint)->send({});
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().kind, ErrorKind::Invalid);
    EXPECT_THAT(response.error().message, HasSubstr(why));
  }
}

TEST_F(Tls, APlainServerIsForbiddenAndACutHandshakeTransient) {
  HttpEndpoint endpoint;
  endpoint.caPem = authority_.pem();
  ScriptedServer plain([](Connection& c) {
    c.write("HTTP/1.1 400 Bad Request\r\n\r\n");
    c.waitForClose();
  });
  endpoint.url = "https://" + plain.address();
  EXPECT_EQ(makeHttpClient(endpoint)->send({}).error().kind, ErrorKind::Forbidden);
  ScriptedServer cut([](Connection&) {});
  endpoint.url = "https://" + cut.address();
  EXPECT_EQ(makeHttpClient(endpoint)->send({}).error().kind, ErrorKind::Transient);
}

TEST_F(Tls, StreamsEndAtACutWithoutHalfALine) {
  ScriptedServer server(
      [](Connection& c) {
        c.receive();
        c.startStream();
        c.chunk("whole\nhalf");
      },
      TlsSettings{authority_.sign(good_), "", 0});
  HttpEndpoint endpoint = endpointOf(server);
  endpoint.caPem = authority_.pem();
  std::vector<std::string> lines;
  const auto result = makeHttpClient(endpoint)->stream({},
                                                       [&](const std::string& line) {
                                                         lines.push_back(line);
                                                         return true;
                                                       },
                                                       {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::Transient) << result.error().message;
  EXPECT_THAT(lines, ::testing::ElementsAre("whole"));
}

}  // namespace
}  // namespace slaq::http
