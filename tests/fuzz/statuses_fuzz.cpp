// Requests with statuses of a training, as Kubeflow Trainer's protocol has them.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "fuzz/checks.h"
#include "report/kubeflow/status_reader.h"
#include "report/output/output_reader.h"
#include "serve/connections.h"

namespace {

constexpr std::size_t kMost = 64u << 10;  // less than a socket holds

// As a client sends it, which then ends.
void readRequestOf(std::string_view bytes) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) return;
  const auto sent = ::send(ends[0], bytes.data(), bytes.size(), MSG_DONTWAIT);
  ::close(ends[0]);
  auto head = slaq::serve::readHead(ends[1]);
  const auto request = head ? slaq::serve::readBody(ends[1], std::move(*head), kMost) : std::nullopt;
  ::close(ends[1]);
  if (sent < 0 || !request) return;
  slaq::fuzz::check(request->body.size() <= kMost, "a body has its bounds");
  static_cast<void>(slaq::serve::headerOf(*request, "authorization"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const auto text = fuzz::textOf(data, std::min(size, kMost));
  readRequestOf(text);
  report::StatusReader statuses;
  report::OutputReader reader({});
  const auto status = report::trainerStatusFrom(text.substr(std::min(text.find('{'), text.size())));
  if (!status) return 0;
  const auto news = statuses.read(*status);
  fuzz::check(news.values.size() <= status->metrics.size(), "news are of the status");
  fuzz::check(statuses.read(*status).values.size() <= news.values.size(), "the same again is no news");
  static_cast<void>(reader.readScalars(news.step, news.values));
  return 0;
}
