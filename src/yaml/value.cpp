#include "yaml/value.h"

#include <algorithm>

namespace slaq::yaml {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const auto first = std::min(text.find_first_not_of(kSpace), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

}  // namespace

std::string_view kindOf(const rapidjson::Value& value) {
  if (value.IsString()) return "a string";
  if (value.IsNumber()) return "a number";
  if (value.IsBool()) return "true or false";
  if (value.IsArray()) return "a list";
  if (value.IsObject()) return "an object";
  return "null";
}

Result<Cores> readCores(const rapidjson::Value& value) {
  if (value.IsString()) return parseCores(trimmed({value.GetString(), value.GetStringLength()}));
  if (value.IsInt64()) return parseCores(std::to_string(value.GetInt64()));
  if (value.IsNumber()) return parseCores(toDecimal(value.GetDouble(), 15));
  return failure(ErrorKind::Invalid,
                 "must be a quantity of cores such as \"2\" or \"200m\", not " + std::string(kindOf(value)));
}

std::optional<double> readQuantity(const rapidjson::Value& value) {
  if (value.IsNumber()) return value.GetDouble();
  if (!value.IsString()) return std::nullopt;
  return quantityFrom(trimmed({value.GetString(), value.GetStringLength()}));
}

}  // namespace slaq::yaml
