#include "cli/api/job_api.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "cli/api/api_routes.h"
#include "serve/connections.h"

namespace slaq::cli::api {
namespace {

namespace connections = slaq::serve;

constexpr std::size_t kMostOfBody = 1u << 20;
constexpr const char* kJson = "application/json";

// The method and the target of "GET /apis/slaq.io/v1alpha1/trainingjobs HTTP/1.1".
std::optional<ApiRequest> requestLineOf(const connections::Request& request) {
  const std::string line = request.head.substr(0, request.head.find("\r\n"));
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == 0 || first == last || first == std::string::npos) return std::nullopt;
  if (!line.substr(last + 1).starts_with("HTTP/1.") || line[first + 1] != '/') return std::nullopt;
  return ApiRequest{line.substr(0, first), line.substr(first + 1, last - first - 1), ""};
}

// The directory's owner could replace a server's socket by another one.
Result<void> makeDirectoryOf(const std::filesystem::path& socket, Clients clients) {
  std::error_code ignored;
  const auto directory = std::filesystem::absolute(socket).parent_path();
  const bool isNew = std::filesystem::create_directories(directory, ignored);
  // Whatever the umask is.
  if (isNew && clients == Clients::AllUsers) ::chmod(directory.c_str(), 0755);
  struct stat about {};
  if (::stat(directory.c_str(), &about) == 0 && (about.st_uid == ::geteuid() || about.st_uid == 0)) return {};
  return failure(ErrorKind::Invalid,
                 "the directory " + directory.string() + " does not belong to this user or root");
}

bool send(int client, const ApiAnswer& answer) {
  return connections::answerWith(client, answer.status, kJson, answer.body);
}

}  // namespace

Result<std::unique_ptr<JobApi>> JobApi::start(const std::filesystem::path& socket, ServedJobs& jobs,
                                              Clients clients) {
  if (const auto made = makeDirectoryOf(socket, clients); !made) return failure(made.error());
  const int listening = connections::listenOn(socket.string(), clients == Clients::AllUsers);
  if (listening >= 0) return std::unique_ptr<JobApi>(new JobApi(listening, socket, jobs));
  if (errno == EADDRINUSE) return failure(ErrorKind::Conflict, "another slaq listens at " + socket.string());
  return failure(ErrorKind::Invalid, socket.string() + " cannot be listened on: " + std::strerror(errno));
}

JobApi::JobApi(int listening, std::filesystem::path socket, ServedJobs& jobs)
    : socket_(std::move(socket)),
      jobs_(jobs),
      loop_(listening, kMostOfBody,
            [this](int client, connections::Request& request) { answer(client, request); }) {}

// The socket's file is removed before the socket is closed, since after that another server may have made a
// file of that name.
JobApi::~JobApi() {
  loop_.stop();
  std::error_code ignored;
  std::filesystem::remove(socket_, ignored);
}

void JobApi::answer(int client, connections::Request& request) {
  const auto who = connections::peerOf(client);
  if (!who) return;
  auto asked = requestLineOf(request);
  if (!asked) {
    send(client, refusal(400, "the request line can't be read"));
    return;
  }
  if (request.isTooLong) {
    send(client, refusal(413, "the body has more than " + std::to_string(kMostOfBody) + " bytes"));
    return;
  }
  asked->body = std::move(request.body);
  send(client, answerTo(*asked, {who->user, who->group}, jobs_));
}

}  // namespace slaq::cli::api
