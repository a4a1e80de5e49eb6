// Jobs of a cluster as JSON for scripts: numbers are numbers, what is not known is left out, times are RFC
// 3339 in UTC, cores are decimals.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>

#include "cli/top_rows.h"
#include "manifest/object_writer.h"

namespace slaq {

// Adds a number, unless it is not known or no finite number.
void addNumber(ObjectWriter& object, const char* key, std::optional<double> value);

// Adds the fields of a row to an object.
void addRow(ObjectWriter& object, const TopRow& row, rapidjson::Document::AllocatorType& allocator);

// The rows in their order and their totals.
std::string topJson(const std::vector<TopRow>& rows);

// The value as indented JSON, with a newline at its end.
std::string indented(const rapidjson::Value& value);

}  // namespace slaq
