#pragma once

#include <string>

#include "yaml/fields.h"

namespace slaq::config {

// Returns the base of URLs that was read at `key`, without a slash at its end. If it is not a base (http or
// https, a host, no query), `fields` gets a mistake with the example.
std::string checkedHttpUrl(yaml::Fields& fields, const char* key, std::string url, const char* example);

}  // namespace slaq::config
