// Reads the section `loss` of the configuration: the source of loss values.
#pragma once

#include "config/configuration.h"
#include "yaml/fields.h"

namespace slaq {

LossSettings readLoss(Fields& root);

}  // namespace slaq
