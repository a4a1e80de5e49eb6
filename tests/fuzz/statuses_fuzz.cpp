// Requests with statuses of a training, as Kubeflow Trainer's protocol has them.
#include <algorithm>
#include <string_view>

#include "fuzz/checks.h"
#include "metrics/status_reader.h"
#include "report/kubeflow/trainer_status.h"
#include "report/output/output_reader.h"
#include "serve/request.h"

namespace {

constexpr std::size_t kMost = 64u << 10;

void readRequestOf(std::string_view bytes) {
  const auto [request, isMalformed, hasHead] = slaq::serve::readRequest(bytes, kMost);
  if (!request) return;
  slaq::fuzz::check(!isMalformed, "a request is not malformed");
  slaq::fuzz::check(request->body.size() <= kMost, "a body has its bounds");
  static_cast<void>(slaq::serve::headerOf(*request, "authorization"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const auto text = fuzz::textOf(data, std::min(size, kMost));
  readRequestOf(text);
  metrics::StatusReader statuses;
  report::OutputReader reader({});
  const auto status = report::trainerStatusFrom(text.substr(std::min(text.find('{'), text.size())));
  if (!status) return 0;
  const auto news = statuses.read(*status);
  fuzz::check(news.values.size() <= status->metrics.size(), "news are of the status");
  fuzz::check(statuses.read(*status).values.size() <= news.values.size(), "the same again is no news");
  static_cast<void>(reader.readScalars(news.step, news.values));
  return 0;
}
