// Reads which kinds of objects spec.workers.targetRef may name.
#pragma once

#include <vector>

#include "job/target_kind.h"
#include "yaml/fields.h"

namespace slaq::config {

// The keys `targets` (names of kinds that slaq knows) and `targetKinds` (other kinds, by their paths). Sorted
// by name.
std::vector<TargetKind> readTargets(yaml::Fields& root);

}  // namespace slaq::config
