// Reads the section `loss` of the configuration: the source of loss values.
#pragma once

#include "config/configuration.h"
#include "yaml/fields.h"

namespace slaq::config {

LossSettings readLoss(yaml::Fields& root);

}  // namespace slaq::config
