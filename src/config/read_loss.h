// The section `loss` of the configuration: where loss comes from.
#pragma once

#include "config/configuration.h"
#include "yaml/fields.h"

namespace slaq {

LossSettings readLoss(Fields& root);

}  // namespace slaq
