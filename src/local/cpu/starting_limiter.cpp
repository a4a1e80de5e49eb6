#include "local/cpu/starting_limiter.h"

namespace slaq::local::cpu {
namespace {

// A limit that divides the starting cores first, and later the shared cores.
class StartingLimit final : public CpuLimit {
 public:
  StartingLimit(std::string name, std::unique_ptr<CpuLimit> first, std::shared_ptr<CpuLimiter> shared)
      : name_(std::move(name)), limit_(std::move(first)), shared_(std::move(shared)) {}

  int entry() const override { return limit_->entry(); }
  const cpu_set_t* cpus() const override { return limit_->cpus(); }
  void attach(pid_t process) override { limit_->attach(process_ = process); }
  void adopt(pid_t process) override { limit_->adopt(process_ = process); }
  Result<void> change(const CpuResources& resources) override {
    if (resources.isStarting || !shared_) return limit_->change(resources);
    auto next = shared_->limit(name_, resources);
    if (!next) return failure(next.error());
    const Seconds before = limit_->used();
    (*next)->adopt(process_);
    // Some limits count what a process has used since it was started, others since it was adopted.
    usedBefore_ = before - (*next)->used();
    limit_ = std::move(*next);
    shared_.reset();
    return {};
  }
  Seconds used() override { return usedBefore_ + limit_->used(); }
  void release() override { limit_->release(); }

 private:
  const std::string name_;
  std::unique_ptr<CpuLimit> limit_;
  std::shared_ptr<CpuLimiter> shared_;  // null once the limit belongs to the shared cores
  pid_t process_ = 0;
  Seconds usedBefore_{0};
};

}  // namespace

Result<std::unique_ptr<CpuLimit>> StartingLimiter::limit(const std::string& name,
                                                         const CpuResources& resources) {
  if (!resources.isStarting) return shared_->limit(name, resources);
  auto first = starting_->limit(name, resources);
  if (!first) return first;
  return std::unique_ptr<CpuLimit>(std::make_unique<StartingLimit>(name, std::move(*first), shared_));
}

std::vector<std::filesystem::path> StartingLimiter::directories() const {
  auto all = starting_->directories();
  for (auto& each : shared_->directories()) all.push_back(std::move(each));
  return all;
}

}  // namespace slaq::local::cpu
