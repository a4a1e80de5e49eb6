// The direction in which a training improves its metric: a loss falls, accuracy rises. All forecasts and
// decisions work with numbers that improve by falling. A metric that rises is negated where its samples are
// taken in (loop/learning.h), and again where its numbers are shown to people.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"

namespace slaq {

enum class LossMode { Minimize, Maximize };

std::string_view name(LossMode mode);
std::optional<LossMode> lossModeFrom(std::string_view text);

// Turns an exported value into one that improves by falling, and back.
Loss oriented(LossMode mode, Loss loss);

// The message that the metric has not improved since its first value, as it was exported, so that the
// progress is unknown. `goesTheOtherWay` adds what to write if the mode is wrong.
std::string notImprovedText(LossMode mode, Loss first, bool goesTheOtherWay);

}  // namespace slaq
