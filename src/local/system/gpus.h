// The GPUs of this machine: each belongs to one process at a time.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"

namespace slaq::local::system {

// The variable that tells CUDA, and programs built on it, the GPUs that a process may use.
inline constexpr const char* kVisibleGpus = "CUDA_VISIBLE_DEVICES";
// With this order CUDA counts GPUs as nvidia-smi does. Otherwise CUDA counts the fastest first.
inline constexpr const char* kGpuOrder = "CUDA_DEVICE_ORDER";
inline constexpr const char* kOrderOfNvidiaSmi = "PCI_BUS_ID";

class Gpus : public std::enable_shared_from_this<Gpus> {
 public:
  // Some GPUs, which are free again when the lease is destroyed.
  class Lease {
   public:
    Lease(std::shared_ptr<Gpus> from, std::vector<std::string> ids);
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    // The value for kVisibleGpus, such as "0,2".
    std::string visible() const;

   private:
    const std::shared_ptr<Gpus> from_;
    const std::vector<std::string> ids_;
  };

  // `ids` are indices or UUIDs, as in kVisibleGpus.
  static std::shared_ptr<Gpus> of(std::vector<std::string> ids);

  std::size_t count() const { return ids_.size(); }
  // Takes the first free GPUs. Transient if fewer are free.
  Result<std::shared_ptr<Lease>> take(std::size_t count);
  // Takes the GPUs of a process that an earlier program started. GPUs that this machine does not have are
  // left out.
  std::shared_ptr<Lease> claim(const std::string& visible);

 private:
  explicit Gpus(std::vector<std::string> ids) : ids_(std::move(ids)), free_(ids_.begin(), ids_.end()) {}

  const std::vector<std::string> ids_;
  std::set<std::string> free_;
};

// The id of the GPU that trainings are to share. `text` names it; if empty, it is the first of kVisibleGpus
// in this process' environment, or else the first that nvidia-smi lists. Invalid if there is none, or if
// `text` names several.
Result<std::string> sharedGpuId(const std::string& text);

// The ids of a list such as "0,1", or for "all" those that nvidia-smi lists. Invalid if there are none, or
// one occurs twice.
Result<std::vector<std::string>> gpuIds(const std::string& text);

}  // namespace slaq::local::system
