#include "cli/api/api_answer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "manifest/object_writer.h"

namespace slaq::cli::api {
namespace {

struct StatusCode {
  int code;
  std::string_view phrase;
  std::string_view reason;  // metav1.StatusReason
};

constexpr std::array<StatusCode, 11> kCodes = {{{200, "OK", ""},
                                                {201, "Created", ""},
                                                {400, "Bad Request", "BadRequest"},
                                                {403, "Forbidden", "Forbidden"},
                                                {404, "Not Found", "NotFound"},
                                                {405, "Method Not Allowed", "MethodNotAllowed"},
                                                {409, "Conflict", "AlreadyExists"},
                                                {410, "Gone", "Expired"},
                                                {413, "Payload Too Large", "RequestEntityTooLarge"},
                                                {422, "Unprocessable Entity", "Invalid"},
                                                {503, "Service Unavailable", "ServiceUnavailable"}}};

// Clients can watch from the version that a list names, but no client watches these lists.
constexpr const char* kListVersion = "1";

const StatusCode& statusCodeOf(int code) {
  const auto found = std::ranges::find(kCodes, code, &StatusCode::code);
  return found == kCodes.end() ? kCodes.back() : *found;
}

int codeOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Malformed:
    case ErrorKind::Invalid:
      return 422;
    case ErrorKind::Forbidden:
      return 403;
    case ErrorKind::NotFound:
      return 404;
    case ErrorKind::Conflict:
      return 409;
    case ErrorKind::Gone:
      return 410;
    case ErrorKind::Transient:
      break;
  }
  return 503;
}

// True if the second byte may follow the first in UTF-8. Other second bytes would encode a number that has a
// shorter form, half of a pair (U+D800 to U+DFFF), or a number above U+10FFFF.
bool isSecondByte(unsigned char second, unsigned char first) {
  const unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  return second >= least && second <= most;
}

// The length of the UTF-8 character at the beginning of the text; 0 if there is none.
std::size_t lengthOfCharacter(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const std::size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length > text.size() || !isSecondByte(static_cast<unsigned char>(text[1]), first)) return 0;
  const bool isWhole =
      std::ranges::all_of(text.substr(2, length - 2), [](char c) { return (c & 0xc0) == 0x80; });
  return isWhole ? length : 0;
}

std::string asUtf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto length = lengthOfCharacter(text);
    out += length == 0 ? "?" : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return out;
}

}  // namespace

ApiAnswer documentAnswer(int code, std::string document) {
  return {std::to_string(code) + " " + std::string(statusCodeOf(code).phrase), std::move(document)};
}

ApiAnswer listAnswer(const std::string& apiVersion, const std::string& kind,
                     const std::vector<std::string>& items) {
  std::string body = R"({"apiVersion":")" + apiVersion + R"(","kind":")" + kind +
                     R"(","metadata":{"resourceVersion":")" + kListVersion + R"("},"items":[)";
  for (std::size_t i = 0; i < items.size(); ++i) body.append(i == 0 ? "" : ",").append(items[i]);
  return documentAnswer(200, body + "]}");
}

ApiAnswer refusal(int code, std::string_view message) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  return documentAnswer(code, manifest::toText(manifest::ObjectWriter(allocator)
                                                   .add("kind", "Status")
                                                   .add("apiVersion", "v1")
                                                   .add("metadata", rapidjson::Value(rapidjson::kObjectType))
                                                   .add("status", "Failure")
                                                   .add("message", asUtf8(message))
                                                   .add("reason", statusCodeOf(code).reason)
                                                   .add("code", code)
                                                   .take()));
}

ApiAnswer refusal(const Error& error) { return refusal(codeOf(error.kind), error.message); }

ApiAnswer success() {
  return documentAnswer(200, R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"})");
}

}  // namespace slaq::cli::api
