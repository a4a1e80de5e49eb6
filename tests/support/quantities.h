// The forms in which people write quantities, which field/quantities_test.py asks a real API server about.
#pragma once

#include <rapidjson/document.h>
#include <rapidjson/istreamwrapper.h>

#include <fstream>

namespace slaq::test {

// A list of [quantity, thousandths], where null stands for a refusal.
inline rapidjson::Document quantities() {
  std::ifstream file(SLAQ_QUANTITIES);
  rapidjson::IStreamWrapper stream(file);
  rapidjson::Document table;
  table.ParseStream(stream);
  return table;
}

}  // namespace slaq::test
