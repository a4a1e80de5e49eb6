// Tells a program, before it starts, where to post its status.
#pragma once

#include <string>

namespace slaq::report {

// Sets the environment variables that Kubeflow Trainer's controller sets for its pods. The server speaks
// HTTP, so no certificate authority is set.
void announce(const std::string& url, const std::string& tokenFile);

}  // namespace slaq::report
