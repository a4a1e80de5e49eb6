#include "cli/flags/server_socket.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "serve/connections.h"

namespace slaq::cli::flags {
namespace {

constexpr const char* kSocketOfTheMachine = "/run/slaq/slaq.sock";

}  // namespace

bool isSocket(const std::string& path) {
  std::error_code unreadable;
  return std::filesystem::is_socket(path, unreadable);
}

std::string defaultSocket() { return isSocket(kSocketOfTheMachine) ? kSocketOfTheMachine : ownSocket(); }

std::string ownSocket() {
  if (::geteuid() == 0) return kSocketOfTheMachine;
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  if (runtime != nullptr && *runtime != 0) return std::string(runtime) + "/slaq/slaq.sock";
  return "/tmp/slaq-" + std::to_string(::geteuid()) + "/slaq.sock";
}

std::string runSocket() { return (std::filesystem::path(ownSocket()).parent_path() / "run.sock").string(); }

std::string secondRunSocket() {
  const auto name = "run-" + std::to_string(::getpid()) + ".sock";
  return (std::filesystem::path(runSocket()).parent_path() / name).string();
}

std::vector<std::string> otherRunSockets(const std::string& meant) {
  std::vector<std::string> others;
  std::error_code unreadable;
  for (const auto& each :
       std::filesystem::directory_iterator(std::filesystem::path(runSocket()).parent_path(), unreadable)) {
    const std::string path = each.path().string();
    if (each.path().filename().string().starts_with("run") && path != meant && serve::isServed(path))
      others.push_back(path);
  }
  std::ranges::sort(others);
  return others;
}

std::string meantSocket() {
  std::string served = defaultSocket();
  if (serve::isServed(served)) return served;
  const auto run = runSocket();
  if (serve::isServed(run)) return run;
  const auto others = otherRunSockets(run);
  return others.empty() ? served : others.front();
}

}  // namespace slaq::cli::flags
