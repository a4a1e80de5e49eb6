// The word that was probably meant: for sentences about unknown keys and choices ("did you mean policy?").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slaq {

// The word that `text` begins, or the one that the fewest slips of the finger lead to, letters' case aside;
// nothing if none is near.
std::optional<std::string> nearest(std::string_view text, const std::vector<std::string>& words);

}  // namespace slaq
