// Reads the controller's log from the files that the kubelet writes on this machine, which costs the API
// server nothing.
#pragma once

#include <filesystem>
#include <ios>
#include <string>
#include <utility>
#include <vector>

namespace slaq::e2e {

class ControllerLog {
 public:
  // From here on read() reads the logs of these pods only. Each is named by the folder in which the kubelet
  // has them.
  void follow(std::vector<std::filesystem::path> pods) { pods_ = std::move(pods); }

  // All lines of the container that wrote last, and so, of two controllers, of the one that leads.
  const std::string& read();

 private:
  std::filesystem::path newest() const;

  std::vector<std::filesystem::path> pods_;
  std::filesystem::path file_;
  std::streamoff end_ = 0;  // of what was read of it
  std::string text_;
};

}  // namespace slaq::e2e
