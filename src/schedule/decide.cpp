#include "schedule/admission.h"
#include "schedule/division.h"
#include "schedule/lifecycle.h"
#include "schedule/plan.h"
#include "schedule/sequence.h"
#include "schedule/workspace.h"

namespace slaq {

std::string_view name(Standing standing) {
  switch (standing) {
    case Standing::Refused:
      return "Refused";
    case Standing::Over:
      return "Over";
    case Standing::Closing:
      return "Closing";
    case Standing::Suspended:
      return "Suspended";
    case Standing::Waiting:
      return "Waiting";
    case Standing::Pinned:
      return "Pinned";
    case Standing::Resizing:
      return "Resizing";
    case Standing::Reserved:
      return "Reserved";
    case Standing::Fair:
      return "Fair";
    case Standing::Held:
      return "Held";
    case Standing::Learning:
      return "Learning";
    case Standing::Quality:
      return "Quality";
  }
  return "Learning";
}

Plan decide(const Snapshot& snapshot, const Settings& settings) {
  Workspace workspace;
  return decide(snapshot, settings, workspace);
}

Plan decide(const Snapshot& snapshot, const Settings& settings, Workspace& workspace) {
  Plan plan;
  plan.jobs.reserve(snapshot.jobs.size());
  for (const auto& job : snapshot.jobs) plan.jobs.push_back(standingOf(job, snapshot, settings));
  const Terms terms = termsOf(snapshot, settings);
  const auto admitted = admit(terms, plan.jobs);
  plan.price = divide(terms, admitted, plan.jobs, workspace);
  plan.actions = sequence(terms, admitted, plan.jobs);
  return plan;
}

}  // namespace slaq
