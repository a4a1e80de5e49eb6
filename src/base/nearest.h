// The word that was probably meant: for sentences about unknown keys and choices ("did you mean policy?").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slaq {

// The choice that begins with `text`, or else the one with the smallest edit distance, ignoring letters'
// case; nothing if all are too far.
std::optional<std::string> nearest(std::string_view text, const std::vector<std::string>& words);

}  // namespace slaq
