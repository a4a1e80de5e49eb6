#include "local/system/gpus.h"

#include <cstdlib>

#include "local/system/command_output.h"

namespace slaq::local::system {
namespace {

// A driver that hangs must not hang slaq.
constexpr const char* kListGpus =
    "timeout -k 1 20 nvidia-smi --query-gpu=index --format=csv,noheader 2>/dev/null";

}  // namespace

Gpus::Lease::Lease(std::shared_ptr<Gpus> from, std::vector<std::string> ids)
    : from_(std::move(from)), ids_(std::move(ids)) {
  for (const auto& id : ids_) from_->free_.erase(id);
}

Gpus::Lease::~Lease() { from_->free_.insert(ids_.begin(), ids_.end()); }

std::string Gpus::Lease::visible() const {
  std::string text;
  for (const auto& id : ids_) text += (text.empty() ? "" : ",") + id;
  return text;
}

std::shared_ptr<Gpus> Gpus::of(std::vector<std::string> ids) {
  return std::shared_ptr<Gpus>(new Gpus(std::move(ids)));
}

Result<std::shared_ptr<Gpus::Lease>> Gpus::take(std::size_t count) {
  std::vector<std::string> taken;
  for (const auto& id : ids_) {
    if (taken.size() < count && free_.contains(id)) taken.push_back(id);
  }
  if (taken.size() < count)
    return failure(ErrorKind::Transient, "fewer than " + std::to_string(count) +
                                             " GPUs are free; a process that had one has not ended yet");
  return std::make_shared<Lease>(shared_from_this(), std::move(taken));
}

std::shared_ptr<Gpus::Lease> Gpus::claim(const std::string& visible) {
  std::vector<std::string> had;
  for (const auto& id : partsOf(visible, ',')) {
    if (free_.contains(id)) had.push_back(id);
  }
  return std::make_shared<Lease>(shared_from_this(), std::move(had));
}

Result<std::string> sharedGpuId(const std::string& text) {
  const char* visible = std::getenv(kVisibleGpus);
  const auto named = text == "all" ? std::vector<std::string>() : partsOf(text, ',');
  if (text == "all" || named.size() > 1)
    return failure(ErrorKind::Invalid,
                   "names more than the one GPU that is shared; write such as 0, and "
                   "give each other GPU a slaq of its own");
  auto ids = !named.empty() ? named : partsOf(visible ? visible : "", ',');
  if (ids.empty()) ids = partsOf(outputOf(kListGpus), '\n');
  if (ids.empty())
    return failure(ErrorKind::Invalid, "nvidia-smi lists no GPU, or does not answer; name it, such as 0");
  const bool isId = ids.front().find_first_not_of("0123456789abcdefABCDEFGPUMIG-") == std::string::npos;
  if (!isId) return failure(ErrorKind::Invalid, "is no index and no UUID of a GPU: " + ids.front());
  return ids.front();
}

Result<std::vector<std::string>> gpuIds(const std::string& text) {
  const auto ids = text == "all" ? partsOf(outputOf(kListGpus), '\n') : partsOf(text, ',');
  if (ids.empty())
    return failure(ErrorKind::Invalid,
                   text == "all" ? "nvidia-smi lists no GPU, or does not answer; name them, such as 0,1"
                                 : "names no GPU; write such as 0,1, or all");
  if (std::set<std::string>(ids.begin(), ids.end()).size() < ids.size())
    return failure(ErrorKind::Invalid, "has a GPU twice: " + text);
  return ids;
}

}  // namespace slaq::local::system
