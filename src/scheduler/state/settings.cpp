#include "scheduler/state/settings.h"

namespace slaq {

std::string_view name(Mode mode) { return mode == Mode::Observe ? "Observe" : "Schedule"; }

}  // namespace slaq
