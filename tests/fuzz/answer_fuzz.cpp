// Answers of Prometheus, and what becomes of them.
#include <string>

#include "fuzz/checks.h"
#include "prometheus/matching.h"
#include "prometheus/matrix.h"
#include "prometheus/user_query.h"

namespace slaq::fuzz {
namespace {

LossRequest request() {
  LossRequest request;
  request.job = {"team-a", "job"};
  request.uid = "u";
  request.metric = kDefaultLossMetric;
  request.iterationMetric = kDefaultIterationMetric;
  request.query = "max(loss)";
  request.iterationQuery = "max(iterations)";
  return request;
}

void checkSamples(const JobLoss& loss) {
  if (loss.problem) checkSentence(*loss.problem);
  for (std::size_t i = 1; i < loss.samples.size(); ++i)
    check(loss.samples[i - 1].time <= loss.samples[i].time, "samples are in the order of time");
}

void checkMatrix(const prom::Matrix& matrix) {
  for (const auto& series : matrix.series) {
    for (const auto& point : series.points) {
      const double seconds = point.time.time_since_epoch().count();
      check(seconds >= 0 && seconds < 253402300800, "a sample is of a year that has a date");
    }
  }
}

void match(const prom::Matrix& matrix) {
  const auto job = request();
  const std::vector<const LossRequest*> jobs = {&job};
  for (const auto origin : {prom::SeriesMatching::Origin::Raw, prom::SeriesMatching::Origin::History}) {
    prom::SeriesMatching matching(jobs, {});
    matching.add(matrix, origin);
    checkSamples(matching.lossOf(job));
  }
  checkSamples(prom::readUserQuery(matrix, job));
}

}  // namespace
}  // namespace slaq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const std::string text(fuzz::textOf(data, size));
  const auto matrix = prom::readMatrix(text);
  if (matrix) {
    fuzz::checkMatrix(*matrix);
    fuzz::match(*matrix);
  } else {
    fuzz::checkSentence(matrix.error().message);
    fuzz::checkSentence(prom::explainRefusal(matrix.error().message, fuzz::request()));
  }
  for (const int status : {302, 404, 422, 503}) {
    http::HttpResponse response;
    response.status = status;
    response.body = text;
    const auto answer = prom::readAnswer(std::move(response));
    fuzz::check(!answer, "only the status 200 brings a matrix");
    fuzz::checkSentence(answer.error().message);
  }
  return 0;
}
