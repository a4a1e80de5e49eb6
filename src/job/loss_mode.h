// Whether a training's metric is to fall, as a loss does, or to rise, as accuracy does. All that forecasts
// and decides goes by numbers that are to fall: a metric that is to rise is negated where its samples are
// taken in (loop/learning.h), and again where its numbers are told to people.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"

namespace slaq {

enum class LossMode { Minimize, Maximize };

std::string_view name(LossMode mode);
std::optional<LossMode> lossModeFrom(std::string_view text);

// From what the trainer exports to what is to fall, and back.
Loss oriented(LossMode mode, Loss loss);

// That it has not come on since the first one, as it was exported, so that nothing can be said of how far
// it is; with what to write where it goes the other way.
std::string notImprovedText(LossMode mode, Loss first, bool goesTheOtherWay);

}  // namespace slaq
