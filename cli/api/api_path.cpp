#include "cli/api/api_path.h"

#include <charconv>
#include <vector>

#include "cli/cluster/training_cluster.h"

namespace slaq::cli::api {
namespace {

std::optional<std::string> percentDecoded(std::string_view text, bool plusIsSpace) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += plusIsSpace && text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const auto digits = text.substr(i + 1, 2);
    unsigned byte = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2) return std::nullopt;
    out += static_cast<char>(byte);
    i += 2;
  }
  return out;
}

std::vector<std::string_view> partsOf(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto cut = text.find(separator);
    parts.push_back(text.substr(0, cut));
    if (cut == std::string_view::npos) return parts;
    text.remove_prefix(cut + 1);
  }
}

using Segments = std::vector<std::string>;

bool beginsWith(const Segments& segments, std::initializer_list<std::string_view> words) {
  if (segments.size() < words.size()) return false;
  std::size_t i = 0;
  for (const auto word : words) {
    if (segments[i++] != word) return false;
  }
  return true;
}

bool isNamed(const std::string& segment) { return !segment.empty(); }

// `own`: the segments after /apis/slaq.io/v1alpha1.
ApiPath pathAmongJobs(const Segments& own) {
  if (own == Segments{"trainingjobs"}) return {Place::Jobs, {}, {}};
  if (own.size() < 3 || own[0] != "namespaces" || !isNamed(own[1]) || own[2] != "trainingjobs") return {};
  if (own.size() == 3) return {Place::Jobs, {own[1], ""}, {}};
  if (own.size() > 5 || !isNamed(own[3])) return {};
  const JobKey job{own[1], own[3]};
  if (own.size() == 4) return {Place::Job, job, {}};
  if (own[4] == cluster::kLosses) return {Place::Losses, job, {}};
  return {};
}

// `own`: the segments after /api/v1.
ApiPath pathAmongCore(const Segments& own) {
  if (own == Segments{"namespaces"}) return {Place::Namespaces, {}, {}};
  if (own == Segments{"events"}) return {Place::Events, {}, {}};
  if (own.size() == 3 && own[0] == "namespaces" && isNamed(own[1]) && own[2] == "events")
    return {Place::Events, {own[1], ""}, {}};
  return {};
}

ApiPath pathOfSegments(const Segments& segments) {
  if (beginsWith(segments, {"", "apis", "slaq.io", "v1alpha1"}))
    return pathAmongJobs({segments.begin() + 4, segments.end()});
  if (beginsWith(segments, {"", "api", "v1"})) return pathAmongCore({segments.begin() + 3, segments.end()});
  return {};
}

tl::unexpected<Error> unreadable() {
  return failure(ErrorKind::Invalid, "what is percent-encoded in the path or the query can't be read");
}

}  // namespace

Result<ApiPath> apiPathFrom(std::string_view target) {
  const auto question = target.find('?');
  Segments segments;
  for (const auto part : partsOf(target.substr(0, question), '/')) {
    auto segment = percentDecoded(part, false);
    if (!segment) return unreadable();
    segments.push_back(std::move(*segment));
  }
  ApiPath path = pathOfSegments(segments);
  if (question == std::string_view::npos) return path;
  for (const auto part : partsOf(target.substr(question + 1), '&')) {
    const auto equals = part.find('=');
    auto name = percentDecoded(part.substr(0, equals), true);
    auto value =
        equals == std::string_view::npos ? std::string() : percentDecoded(part.substr(equals + 1), true);
    if (!name || !value) return unreadable();
    path.query.insert_or_assign(std::move(*name), std::move(*value));
  }
  return path;
}

Result<EventSelector> eventSelectorFrom(std::string_view fields) {
  EventSelector selector;
  if (fields.empty()) return selector;
  const std::map<std::string_view, std::string*> known = {{"involvedObject.kind", &selector.kind},
                                                          {"involvedObject.namespace", &selector.ns},
                                                          {"involvedObject.name", &selector.name},
                                                          {"involvedObject.uid", &selector.uid}};
  for (const auto part : partsOf(fields, ',')) {
    const auto equals = part.find('=');
    const auto field = known.find(part.substr(0, equals));
    if (equals == std::string_view::npos || field == known.end())
      return failure(ErrorKind::Invalid, "fieldSelector: " + printable(part) +
                                             " is not one of involvedObject.kind, .namespace, .name and .uid "
                                             "with = and a value");
    const auto value = part.substr(equals + 1);
    *field->second = value.starts_with('=') ? value.substr(1) : value;
  }
  return selector;
}

}  // namespace slaq::cli::api
