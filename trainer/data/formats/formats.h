// The table of the file formats that the driver reads and the `data` command writes.
#pragma once

#include <span>
#include <string_view>

#include "trainer/data/formats/format.h"

namespace slaq::trainer::data::formats {

std::span<const Format> formats();
// Null if there is none of that name.
const Format* findFormat(std::string_view name);

}  // namespace slaq::trainer::data::formats
