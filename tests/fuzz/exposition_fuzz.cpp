// Metrics as programs export them.
#include "fuzz/checks.h"
#include "job/validate.h"
#include "prometheus/scrape/exposition.h"
#include "prometheus/scrape/scrape_source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const auto text = fuzz::textOf(data, size);
  std::size_t samples = 0;
  const auto read = prom::readExposition(text, [&](const prom::ExposedSample& sample) {
    ++samples;
    fuzz::check(isMetricName(sample.name), "a sample has a name");
    for (const auto& [name, value] : sample.labels) fuzz::check(isMetricName(name), "a label has a name");
  });
  fuzz::check(samples <= size, "a sample takes text");
  if (!read) fuzz::checkSentence(read.error().message);

  LossRequest request;
  request.metric = kDefaultLossMetric;
  request.iterationMetric = kDefaultIterationMetric;
  const auto loss = prom::readLoss(text, request, Time(Seconds(1e9)));
  if (!loss) fuzz::checkSentence(loss.error().message);
  return 0;
}
