#include "trainer/io/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/text_file.h"

namespace slaq::trainer::io {
namespace {

// Closed, and the error kept, whatever happens.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

bool writeAll(int file, const std::string& content) {
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t written = ::write(file, content.data() + done, content.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

bool writeDurably(const std::string& path, const std::string& content) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  return file.number() >= 0 && writeAll(file.number(), content) && fsync(file.number()) == 0;
}

// The new name is on disk only when its folder is.
void syncFolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const Descriptor opened(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() >= 0) fsync(opened.number());
}

}  // namespace

Result<std::string> readWhole(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    return failure(ErrorKind::NotFound, "there is no file " + path);
  return readTextFile(path);
}

Result<void> replaceWhole(const std::string& path, const std::string& content) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    return failure(ErrorKind::Invalid, "cannot write " + path + ": it is not a regular file");
  }
  const std::string neighbour = path + ".tmp";
  if (!writeDurably(neighbour, content) || std::rename(neighbour.c_str(), path.c_str()) != 0) {
    const std::string cause = std::strerror(errno);
    unlink(neighbour.c_str());
    return failure(ErrorKind::Invalid, "cannot write " + path + ": " + cause);
  }
  syncFolderOf(path);
  return {};
}

bool areSame(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const auto whole = [&](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(path, ignored), ignored);
  };
  return fs::equivalent(one, other, ignored) || whole(one) == whole(other);
}

}  // namespace slaq::trainer::io
