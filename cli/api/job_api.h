// The API of a server of TrainingJobs: HTTP on a Unix socket, in the form of the Kubernetes API server, on a
// thread of its own.
#pragma once

#include <filesystem>
#include <memory>

#include "base/result.h"
#include "cli/api/served_jobs.h"
#include "serve/request_loop.h"

namespace slaq::cli::api {

enum class Clients { AllUsers, OwnUser };  // root always

class JobApi {
 public:
  // Listens on `socket`, and makes its directory if it is missing. `clients` may connect, and `jobs` gets the
  // user of each request. Conflict if another server listens there. Invalid if it can't
  // listen for another reason, or if the directory belongs to another user than this one or root. `jobs`
  // outlives the API.
  static Result<std::unique_ptr<JobApi>> start(const std::filesystem::path& socket, ServedJobs& jobs,
                                               Clients clients = Clients::AllUsers);
  // Removes the socket.
  ~JobApi();
  JobApi(const JobApi&) = delete;
  JobApi& operator=(const JobApi&) = delete;

 private:
  JobApi(int listening, std::filesystem::path socket, ServedJobs& jobs);
  void answer(int client, slaq::serve::Request& request);

  const std::filesystem::path socket_;
  ServedJobs& jobs_;
  slaq::serve::RequestLoop loop_;  // the last member: it uses all the others
};

}  // namespace slaq::cli::api
