#include "http/answer_head.h"

#include <cpprest/asyncrt_utils.h>

#include "base/text.h"

namespace slaq::http {
namespace {

constexpr double kSecondsTo1970 = 11'644'473'600;  // from 1601, from where the library counts

std::optional<Seconds> seconds(const std::optional<std::string>& text) {
  const auto seconds = text ? numberFrom<long>(*text) : std::nullopt;
  if (!seconds || *seconds < 0) return std::nullopt;
  return Seconds(static_cast<double>(*seconds));
}

std::optional<Time> date(const std::optional<std::string>& text) {
  using utility::datetime;
  if (!text) return std::nullopt;
  const auto date = datetime::from_string(*text, datetime::RFC_1123);
  if (!date.is_initialized()) return std::nullopt;
  return Time(Seconds(static_cast<double>(date.to_interval() / 10'000'000) - kSecondsTo1970));
}

}  // namespace

HttpResponse headOf(int status, const std::function<std::optional<std::string>(const char* name)>& header) {
  return {status, {}, seconds(header("Retry-After")), date(header("Date")), header("Location").value_or("")};
}

}  // namespace slaq::http
