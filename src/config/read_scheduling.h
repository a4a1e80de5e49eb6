// Reads the part of the configuration about decisions: mode, epoch, policy, capacity, limits and the price of
// a resize.
#pragma once

#include "config/configuration.h"
#include "yaml/fields.h"

namespace slaq::config {

scheduler::Settings readScheduling(yaml::Fields& root);

}  // namespace slaq::config
