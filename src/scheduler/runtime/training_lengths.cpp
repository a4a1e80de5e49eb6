#include "scheduler/runtime/training_lengths.h"

#include <algorithm>
#include <vector>

namespace slaq::scheduler {

std::optional<double> TrainingLengths::expected(const std::string& kind, double done) const {
  const std::deque<double>* lengths = kinds_.find(kind);
  if (!lengths) return std::nullopt;
  std::vector<double> longer;
  std::ranges::copy_if(*lengths, std::back_inserter(longer), [&](double length) { return length > done; });
  if (longer.empty()) return std::nullopt;
  const auto middle = longer.begin() + static_cast<std::ptrdiff_t>((longer.size() - 1) / 2);
  std::ranges::nth_element(longer, middle);
  return *middle;
}

void TrainingLengths::update(const std::string& kind, double iterations) {
  if (kind.empty()) return;
  auto& lengths = kinds_.change(kind, [] { return std::deque<double>(); });
  lengths.push_back(iterations);
  if (lengths.size() > kKept) lengths.pop_front();
}

}  // namespace slaq::scheduler
