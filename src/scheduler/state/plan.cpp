#include "scheduler/state/plan.h"

namespace slaq::scheduler {

std::string_view name(Phase phase) {
  switch (phase) {
    case Phase::Refused:
      return "Refused";
    case Phase::Over:
      return "Over";
    case Phase::Closing:
      return "Closing";
    case Phase::Suspended:
      return "Suspended";
    case Phase::Waiting:
      return "Waiting";
    case Phase::Observed:
      return "Observed";
    case Phase::Pinned:
      return "Pinned";
    case Phase::Resizing:
      return "Resizing";
    case Phase::Reserved:
      return "Reserved";
    case Phase::Fair:
      return "Fair";
    case Phase::Held:
      return "Held";
    case Phase::Learning:
      return "Learning";
    case Phase::Trial:
      return "Trial";
    case Phase::Quality:
      return "Quality";
  }
  return "Learning";
}

}  // namespace slaq::scheduler
