#include "scheduler/state/settings.h"

namespace slaq::scheduler {

std::string_view name(Mode mode) { return mode == Mode::Observe ? "Observe" : "Schedule"; }

}  // namespace slaq::scheduler
