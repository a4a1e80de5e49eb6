// The loss source that the configuration asks for.
#pragma once

#include <memory>

#include "base/clock.h"
#include "config/configuration.h"
#include "ports/loss_source.h"

namespace slaq::controller {

// Invalid when a file that the configuration names can't be read. The clock outlives the source.
Result<std::unique_ptr<LossSource>> makeLossSource(const config::LossSettings& settings, Seconds epoch,
                                                   const Clock& clock);

}  // namespace slaq::controller
