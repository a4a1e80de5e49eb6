#include "trainer/data/one_against_rest.h"

#include <utility>

namespace slaq::trainer::data {
namespace {

class OneAgainstRest final : public Source {
 public:
  OneAgainstRest(std::unique_ptr<Source> classes, std::int64_t positive)
      : classes_(std::move(classes)), positive_(positive) {}

  Chunk chunk(std::int64_t index) const override {
    Chunk chunk = classes_->chunk(index);
    setAgainstRest(chunk.targets, positive_);
    return chunk;
  }

 private:
  std::unique_ptr<Source> classes_;
  std::int64_t positive_;
};

}  // namespace

void setAgainstRest(Floats& targets, std::int64_t positive) {
  for (float& target : targets) target = target == static_cast<float>(positive) ? 1.0f : -1.0f;
}

std::unique_ptr<Source> oneAgainstRest(std::unique_ptr<Source> classes, std::int64_t positive) {
  return std::make_unique<OneAgainstRest>(std::move(classes), positive);
}

}  // namespace slaq::trainer::data
