// What is kept of a kind of trainings as JSON text, and back.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "job/training_record.h"

namespace slaq::manifest {

std::string toText(const KindRecord& record);

// Malformed where it is no such text, or holds numbers that no training can show.
Result<KindRecord> readKindRecord(std::string_view text);

}  // namespace slaq::manifest
