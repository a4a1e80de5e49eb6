// The loss source that the configuration asks for.
#pragma once

#include <memory>

#include "base/clock.h"
#include "config/configuration.h"
#include "ports/loss_source.h"

namespace slaq {

// Invalid when a file that the configuration names can't be read. The clock outlives the source.
Result<std::unique_ptr<LossSource>> makeLossSource(const LossSettings& settings, Seconds epoch,
                                                   const Clock& clock);

}  // namespace slaq
