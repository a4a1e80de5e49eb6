// Requests to a server of TrainingJobs: a line with the method and the target, and the body behind it.
#include <algorithm>
#include <string>
#include <utility>

#include "cli/api/api_routes.h"
#include "fuzz/checks.h"
#include "kube/json/json_fields.h"

namespace slaq::fuzz {
namespace {

// Takes in whatever has the size of a manifest.
class OneJob final : public cli::api::ServedJobs {
 public:
  std::vector<cli::api::ServedJob> jobs() const override { return {{{"default", "a"}, "uid-a", "{}"}}; }
  std::vector<cli::api::ServedEvent> events() const override { return {{{"default", "a"}, "uid-a", "{}"}}; }
  std::vector<LossSample> losses(const JobKey&) const override { return {{Time(), Iterations(1), Loss(2)}}; }
  Result<JobKey> submit(const cli::api::Peer&, const std::string& manifest) override {
    if (manifest.size() > 100) return JobKey{"default", "b"};
    return failure(ErrorKind::Invalid, printable(manifest));
  }
  Result<void> stop(const cli::api::Peer&, const JobKey& job) override {
    return job.name == "a" ? Result<void>() : failure(ErrorKind::NotFound, job.name);
  }
};

}  // namespace
}  // namespace slaq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const std::string text(fuzz::textOf(data, size));
  const auto end = std::min(text.find('\n'), text.size());
  const auto space = std::min(text.find(' '), end);
  cli::api::ApiRequest request{text.substr(0, space),
                               text.substr(std::min(space + 1, end), end - std::min(space + 1, end)),
                               text.substr(std::min(end + 1, text.size()))};
  fuzz::OneJob jobs;
  const auto answer = cli::api::answerTo(request, {}, jobs);
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag>(answer.body.data(), answer.body.size());
  fuzz::check(!document.HasParseError() && document.IsObject(), "an answer is a JSON object");
  fuzz::check(answer.status.size() > 4, "an answer has a status");
  return 0;
}
