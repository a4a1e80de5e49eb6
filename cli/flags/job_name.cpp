#include "cli/flags/job_name.h"

namespace slaq::cli::flags {

Result<JobKey> jobNamed(const std::string& text, const std::string& flagged, const std::string& current) {
  const auto slash = text.find('/');
  if (slash == std::string::npos && !text.empty()) return JobKey{flagged.empty() ? current : flagged, text};
  const JobKey key{text.substr(0, text.find('/')), text.substr(slash + 1)};
  if (key.ns.empty() || key.name.empty() || key.name.find('/') != std::string::npos) {
    return failure(ErrorKind::Invalid, "\"" + text + "\" names no job; write JOB or NAMESPACE/JOB");
  }
  if (!flagged.empty() && flagged != key.ns) {
    return failure(ErrorKind::Invalid, "\"" + text + "\" is not in the namespace " + flagged +
                                           " that --namespace names; give one of them");
  }
  return key;
}

}  // namespace slaq::cli::flags
