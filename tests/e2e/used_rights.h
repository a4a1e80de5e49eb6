// Which of its rights the operator used, by the audit log of the API server.
#pragma once

#include <set>
#include <string>

namespace slaq::e2e {

// The rights of all configurations that no request of the log made use of. `log` has one event of
// audit.k8s.io in a line; those of the operator alone.
std::set<std::string> unusedRights(const std::string& log);

}  // namespace slaq::e2e
