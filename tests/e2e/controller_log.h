// The controller's log as the kubelet writes it on this machine: reading it costs the cluster nothing.
#pragma once

#include <filesystem>
#include <ios>
#include <string>
#include <utility>
#include <vector>

namespace slaq::e2e {

class ControllerLog {
 public:
  // From here on the log is that of these pods: the names of the kubelet's folders, "NAMESPACE_NAME_UID".
  void follow(std::vector<std::string> pods) { pods_ = std::move(pods); }

  // All lines of the container that wrote last, and so, of two controllers, of the one that leads.
  const std::string& read();

 private:
  std::filesystem::path newest() const;

  std::vector<std::string> pods_;
  std::filesystem::path file_;
  std::streamoff end_ = 0;  // of what was read of it
  std::string text_;
};

}  // namespace slaq::e2e
