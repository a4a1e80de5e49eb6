// The controller's configuration.
#include "config/read_configuration.h"
#include "fuzz/checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const auto read = config::readConfiguration("slaq.yaml", fuzz::textOf(data, size));
  if (!read) {
    fuzz::checkSentences(read.error().message);
    return 0;
  }
  const auto& scheduling = read->scheduling;
  fuzz::check(scheduling.epoch >= Seconds(0.1) && scheduling.epoch <= Seconds(3600), "an epoch is in bounds");
  fuzz::check(scheduling.price.grow < scheduling.price.horizon, "more workers can pay");
  if (scheduling.capacity) fuzz::check(*scheduling.capacity > Cores(), "there is capacity");
  return 0;
}
