// The addresses of runbooks: where docs/conditions.md says what to do about a condition or a Warning event.
// They stand at the end of messages on the API server alone; the loop and its comparisons know none.
#pragma once

#include <string>
#include <string_view>

#include "job/status.h"

namespace slaq::kube::objects {

// The message with the address of the runbook of that reason, under `docsUrl` (no slash at its end). An empty
// `docsUrl` leaves the message alone.
std::string withRunbook(std::string message, std::string_view reason, const std::string& docsUrl);

// The message without the address of a runbook, whatever its docsUrl was.
std::string withoutRunbook(std::string message);

// True if something may be wrong for which there is a runbook: a False condition that is not its calm state,
// a hint, a loss source that does not answer, and all that kstatus calls Stalled.
bool needsRunbook(const Condition& condition);

}  // namespace slaq::kube::objects
