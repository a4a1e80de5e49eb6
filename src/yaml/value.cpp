#include "yaml/value.h"

#include <algorithm>
#include <cmath>

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

std::string wrongType(std::string_view expected, const rapidjson::Value& found) {
  const bool needsQuotes = expected == "a string" && (found.IsNumber() || found.IsBool());
  return "must be " + std::string(expected) + ", not " + std::string(kindOf(found)) +
         (needsQuotes ? "; quote it" : "");
}

const rapidjson::Value* memberOf(const rapidjson::Value& value, std::string_view key) {
  if (!value.IsObject()) return nullptr;
  const rapidjson::Value name(rapidjson::StringRef(key.data(), key.size()));
  const auto found = value.FindMember(name);
  return found == value.MemberEnd() ? nullptr : &found->value;
}

std::optional<std::int64_t> wholeOf(const rapidjson::Value& value) {
  if (value.IsInt64()) return value.GetInt64();
  if (!value.IsNumber()) return std::nullopt;
  const double number = value.GetDouble();
  const bool isWhole = std::abs(number) < 1e18 && std::trunc(number) == number;
  return isWhole ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
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
