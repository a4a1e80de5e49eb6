// Figures in sentences for people: how they are rounded, and the plurals of what they count.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/units.h"

namespace slaq {

// "1 worker", "4 workers". `noun` has a plural in s.
std::string counted(std::int64_t count, std::string_view noun);
std::string counted(Workers count);

// "1 core", "2 cores", "1500m cores".
std::string coresText(Cores cores);
// "0.5 cores", "1 core", for people who do not know Kubernetes' quantities.
std::string decimalCoresText(Cores cores);

// "20 GiB", "1.5 GiB", "512 MiB".
std::string memoryText(Mebibytes memory);

// A gain of a core-second, or its price, in weighted normalized loss, with `digits` significant digits; "0"
// where it is too small to be one.
std::string gainText(double gain, int digits = 2);

}  // namespace slaq
