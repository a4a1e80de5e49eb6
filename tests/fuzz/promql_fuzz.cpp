// Queries for Prometheus that are put together from what others wrote, and what it says about them.
#include <algorithm>
#include <cctype>
#include <string>

#include "fuzz/checks.h"
#include "prometheus/queries.h"
#include "prometheus/user_query.h"

namespace slaq::fuzz {
namespace {

// The form's value of `query`, decoded.
std::string queryOf(const prom::Query& query) {
  const auto hex = [](char c) { return c <= '9' ? c - '0' : c - 'A' + 10; };
  const std::string& form = query.form;
  check(form.starts_with("query="), "a form begins with its query");
  std::string text;
  for (std::size_t at = 6; at < form.size() && form[at] != '&'; ++at) {
    if (form[at] != '%') {
      text += form[at];
      continue;
    }
    check(at + 2 < form.size(), "an escape is whole");
    text += static_cast<char>(hex(form[at + 1]) * 16 + hex(form[at + 2]));
    at += 2;
  }
  return text;
}

void checkForm(const prom::Query& query) {
  check(std::ranges::all_of(query.form,
                            [](unsigned char c) {
                              return std::isalnum(c) != 0 ||
                                     std::string_view("-_.%=&").find(char(c)) != std::string_view::npos;
                            }),
        "a form has only characters that need no escape");
}

// Nothing in a name ends the text that it stands in.
void checkQuotes(const std::string& promql) {
  bool within = false;
  int braces = 0;
  for (std::size_t at = 0; at < promql.size(); ++at) {
    const char c = promql[at];
    if (within && c == '\\') ++at;
    if (c == '"') within = !within;
    if (!within && c == '{') ++braces;
    if (!within && c == '}') --braces;
  }
  check(!within && braces == 0, "quotes and braces are closed");
  check(promql.ends_with("ms]"), "a selector ends with its range");
}

}  // namespace
}  // namespace slaq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const std::string text(fuzz::textOf(data, size));
  const auto half = text.size() / 2;
  LossRequest job;
  job.job = {text.substr(0, half), text.substr(half)};
  job.metric = kDefaultLossMetric;
  job.iterationMetric = kDefaultIterationMetric;
  job.query = text.substr(0, half);
  job.iterationQuery = text.substr(half);
  const Time now(Seconds(1.7e9));
  job.since = now - Seconds(double(size));
  const auto raw = prom::rawQuery({&job}, {}, {now, Seconds(60)});
  fuzz::checkForm(raw);
  fuzz::checkQuotes(fuzz::queryOf(raw));
  const auto own = prom::userQuery(job, now, Seconds(1));
  fuzz::checkForm(own);
  fuzz::check(fuzz::queryOf(own).find(job.query) != std::string::npos, "the user's query is in it as it is");
  fuzz::checkForm(prom::historyQuery({&job}, {}, now));
  fuzz::checkSentence(prom::explainRefusal(printable(text), job));
  return 0;
}
