// Tells a program that is yet to be started where to post its status.
#pragma once

#include <string>

namespace slaq::report {

// Sets the variables of the environment that Kubeflow Trainer's controller sets for its pods. The server
// speaks HTTP, so that no authority is named.
void announce(const std::string& url, const std::string& tokenFile);

}  // namespace slaq::report
