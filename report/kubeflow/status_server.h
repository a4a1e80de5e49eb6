// Receives the statuses that a training posts, instead of Kubeflow Trainer's controller.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "report/kubeflow/trainer_status.h"
#include "serve/request_loop.h"

namespace slaq::report {

class StatusServer {
 public:
  // Listens on a free port of the loopback address. Transient, with a sentence, if it can't.
  static Result<std::unique_ptr<StatusServer>> start();
  ~StatusServer();
  StatusServer(const StatusServer&) = delete;
  StatusServer& operator=(const StatusServer&) = delete;

  std::string url() const;
  // A file with the token that a client must send. The file exists as long as the server.
  std::string tokenFile() const;

  // Returns the statuses that were posted since the last call. Any thread may call this.
  std::vector<metrics::TrainerStatus> take();

 private:
  StatusServer(int socket, int file, std::string token);
  void answer(int client, const serve::Request& request);

  const int file_;  // in memory
  const std::string token_;
  std::mutex mutex_;
  std::vector<metrics::TrainerStatus> posted_;
  serve::RequestLoop loop_;  // the last member: it uses all the others
};

}  // namespace slaq::report
