#include "kube/objects/runbooks.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace slaq::kube::objects {
namespace {

constexpr std::string_view kPage = "/conditions.md#";

// The reasons of conditions that are False because all is well.
constexpr std::array<std::string_view, 5> kCalm = {"Observed", "Settled", "Over", "Resumed", "Resolved"};

}  // namespace

std::string withRunbook(std::string message, std::string_view reason, const std::string& docsUrl) {
  if (docsUrl.empty()) return message;
  // Web pages make such anchors of headings.
  return message + " (" + docsUrl + std::string(kPage) + lowerCase(reason) + ")";
}

std::string withoutRunbook(std::string message) {
  const auto begin = message.rfind(" (");
  if (begin == std::string::npos || !message.ends_with(')')) return message;
  const std::string_view address = std::string_view(message).substr(begin + 2);
  const bool isRunbook =
      address.find(kPage) != std::string_view::npos && address.find(' ') == std::string_view::npos;
  if (isRunbook) message.erase(begin);
  return message;
}

bool needsRunbook(const Condition& condition) {
  if (isHint(condition)) return true;
  switch (condition.type) {
    case ConditionType::Failed:
    case ConditionType::Stalled:
      return condition.status == Truth::True;
    case ConditionType::MetricsAvailable:
      if (condition.reason == "LossSourceDown") return true;
      break;
    default:
      break;
  }
  return condition.status == Truth::False && std::ranges::find(kCalm, condition.reason) == kCalm.end();
}

}  // namespace slaq::kube::objects
