#include "page/steps.h"

#include <utility>

namespace slaq::page {

void Steps::set(std::size_t epoch, std::optional<double> value) {
  const auto place = static_cast<std::uint32_t>(epoch);
  if (!changes_.empty() && changes_.back().epoch == place) changes_.pop_back();
  const auto before = changes_.empty() ? std::nullopt : changes_.back().value;
  if (value != before) changes_.push_back({place, value});
}

void Steps::renumber(std::span<const std::size_t> places) {
  for (const auto& each : std::exchange(changes_, {})) set(places[each.epoch], each.value);
}

}  // namespace slaq::page
