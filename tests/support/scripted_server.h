// An HTTP or HTTPS server on 127.0.0.1, or on ::1, that does what a test tells it, byte by byte if need be:
// answers, streams, stalls, and cuts connections anywhere. One thread for each connection runs the test's
// script.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/certificates.h"

namespace slaq::test {

struct ReceivedRequest {
  std::string method;
  std::string path;                            // with its query, as sent
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

// One accepted connection, seen from the server.
class Connection {
 public:
  virtual ~Connection() = default;

  // The next request. Nothing when the client has closed, or the server is being destroyed.
  virtual std::optional<ReceivedRequest> receive() = 0;
  // Sends bytes as they are. False once the connection is closed.
  virtual bool write(std::string_view bytes) = 0;
  // Waits until the client closes, sends something, or the server is destroyed.
  virtual void waitForClose() = 0;
  // The name in the TLS greeting, if there was one.
  virtual std::string greetedName() const = 0;

  // A whole answer. `headers` are lines that each end in \r\n.
  bool reply(int status, std::string_view body, std::string_view headers = "");
  // A chunked 200: the head, then a chunk for each text, then the end.
  bool startStream();
  bool chunk(std::string_view text);
  bool endStream();
};

struct TlsSettings {
  Identity identity;
  std::string clientCaPem;     // asks for a client certificate signed by it, if not empty
  int maxProtocolVersion = 0;  // an OpenSSL constant; 0 for any
};

enum class Loopback { V4, V6 };

class ScriptedServer {
 public:
  using Script = std::function<void(Connection&)>;

  // Runs `script` for each connection; the connection is closed when it returns.
  explicit ScriptedServer(Script script, std::optional<TlsSettings> tls = std::nullopt,
                          Loopback family = Loopback::V4);
  ~ScriptedServer();
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  int port() const { return port_; }
  std::string url(const std::string& host = "127.0.0.1") const;
  std::string address() const;  // "127.0.0.1:port"
  int connections() const { return connections_; }

 private:
  void accept();
  void serve(int socket);

  const Script script_;
  const std::optional<TlsSettings> tls_;
  int port_ = 0;
  const int listener_;
  std::atomic<int> connections_ = 0;
  std::mutex mutex_;
  bool closing_ = false;
  std::vector<int> open_;
  std::vector<std::jthread> threads_;
  std::jthread acceptor_;
};

// Sends `request` to a port of 127.0.0.1 as it is and gives all that comes back until the other side closes.
std::string exchangeRaw(int port, std::string_view request);

// A script that answers each request of a connection by a function.
ScriptedServer::Script answering(std::function<void(const ReceivedRequest&, Connection&)> answer);

}  // namespace slaq::test
