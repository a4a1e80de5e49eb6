// Values of YAML and JSON documents: what they are, and quantities of cores, which are text and numbers
// alike.
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"

namespace slaq::yaml {

// "a string", "a list", ...: the type of a value, for error messages.
std::string_view kindOf(const rapidjson::Value& value);

// "must be a string, not a number; quote it": the sentence about a value of another type than `expected`.
std::string wrongType(std::string_view expected, const rapidjson::Value& found);

// The member of an object, or nullptr where there is none or `value` is no object.
const rapidjson::Value* memberOf(const rapidjson::Value& value, std::string_view key);

// The whole number of 4, and of 4.0 and 1e5, which the API server takes for whole numbers too. Empty for all
// else.
std::optional<std::int64_t> wholeOf(const rapidjson::Value& value);

// The cores of 2, 0.5, "500m" or " 1 ", read as Kubernetes' Quantity.UnmarshalJSON does. Invalid, with a
// sentence, where it is neither text nor a number, or text that parseCores refuses.
Result<Cores> readCores(const rapidjson::Value& value);

// The number that a quantity of any resource stands for; empty where readCores would be Invalid for its form.
std::optional<double> readQuantity(const rapidjson::Value& value);

}  // namespace slaq::yaml
