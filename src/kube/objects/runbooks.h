// The addresses of runbooks, the sections of docs/conditions.md that say what to do about a condition or a
// Warning event. Only messages on the API server end with them; the loop and its comparisons know none.
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

// True if the condition may show a fault that has a runbook. That is so if it is False outside its calm
// state, is a hint, reports a loss source that does not answer, or is what kstatus calls Stalled.
bool needsRunbook(const Condition& condition);

}  // namespace slaq::kube::objects
