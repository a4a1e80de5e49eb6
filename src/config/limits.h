// Limits of settings that several sections of the configuration share.
#pragma once

#include "base/units.h"

namespace slaq::config {

inline constexpr Seconds kHour{3600};
inline constexpr Seconds kTenth{0.1};

}  // namespace slaq::config
