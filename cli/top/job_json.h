// Jobs of a cluster as JSON for scripts: numbers are JSON numbers, unknown values are left out, times are RFC
// 3339 in UTC, cores are decimals.
#pragma once

#include <rapidjson/document.h>

#include <string>
#include <vector>

#include "cli/top/top_rows.h"
#include "manifest/object_writer.h"

namespace slaq::cli::top {

// Adds the fields of a row to an object.
void addRow(manifest::ObjectWriter& object, const TopRow& row, rapidjson::Document::AllocatorType& allocator);

// The rows in their order, and their totals.
std::string topJson(const std::vector<TopRow>& rows);

}  // namespace slaq::cli::top
