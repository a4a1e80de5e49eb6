#include "cli/check/check_report.h"

#include <algorithm>

#include "cli/output/json.h"
#include "cli/terminal/page.h"
#include "manifest/object_writer.h"

namespace slaq::cli::check {
namespace {

using terminal::Colour;

constexpr std::size_t kSubject = 15;

std::string mark(Verdict verdict, const terminal::Style& style) {
  switch (verdict) {
    case Verdict::Good:
      return terminal::paint("ok  ", Colour::Green, style);
    case Verdict::Unknown:
      return terminal::paint("?   ", Colour::Yellow, style);
    case Verdict::Bad:
      return terminal::paint("FAIL", Colour::Red, style);
  }
  return "";
}

std::string last(const std::vector<Finding>& findings) {
  const auto failed = std::ranges::count(findings, Verdict::Bad, &Finding::verdict);
  const auto untold = std::ranges::count(findings, Verdict::Unknown, &Finding::verdict);
  if (failed == 0 && untold == 0) return "slaq can do its work on this cluster\n";
  if (failed == 0) return "no check failed; look at " + std::to_string(untold) + " with a ?\n";
  return std::to_string(failed) + " of " + std::to_string(findings.size()) + " checks failed\n";
}

}  // namespace

std::string checkReport(const std::vector<Finding>& findings, const terminal::Frame& frame) {
  const std::string margin(kSubject + 6, ' ');
  const std::size_t width = std::max<std::size_t>(frame.columns, 60) - margin.size();
  std::string text;
  const auto add = [&](std::string head, const std::string& paragraph) {
    for (const auto& line : terminal::wrapped(paragraph, width)) {
      text += head + line + "\n";
      head = margin;
    }
  };
  for (const auto& each : findings) {
    add(mark(each.verdict, frame.style) + "  " + terminal::left(each.subject, kSubject), each.text);
    if (!each.mend.empty()) add(margin, "-> " + each.mend);
  }
  return text + last(findings);
}

std::string checkJson(const std::vector<Finding>& findings) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  rapidjson::Value checks(rapidjson::kArrayType);
  for (const auto& each : findings) {
    manifest::ObjectWriter check(allocator);
    check.add("check", each.subject).add("verdict", name(each.verdict)).add("message", each.text);
    if (!each.mend.empty()) check.add("mend", each.mend);
    checks.PushBack(check.take(), allocator);
  }
  return output::indented(manifest::ObjectWriter(allocator)
                              .add("ok", !haveFailed(findings))
                              .add("checks", std::move(checks))
                              .take());
}

}  // namespace slaq::cli::check
