#include "scheduler/runtime/pause_population.h"

namespace slaq::scheduler {

ExpectedPauses PausePopulation::expected(const std::string& kind) const {
  const Record* known = kinds_.find(kind);
  const auto of = [&](PauseRecord<15> Record::*which) -> const PauseRecord<15>& {
    return known && (known->*which).median() ? known->*which : all_.*which;
  };
  const auto& grow = of(&Record::grow);
  const auto& shrink = of(&Record::shrink);
  return {grow.median(), shrink.median(), grow.lowerQuartile().value_or(Seconds(0)),
          shrink.lowerQuartile().value_or(Seconds(0))};
}

void PausePopulation::update(const std::string& kind, bool grew, Seconds pause) {
  (grew ? all_.grow : all_.shrink).add(pause);
  if (kind.empty()) return;
  Record& record = kinds_.change(kind, [] { return Record(); });
  (grew ? record.grow : record.shrink).add(pause);
}

}  // namespace slaq::scheduler
