#include "scheduler/runtime/pause_population.h"

namespace slaq::scheduler {

void PausePopulation::Record::add(const LearnedPauses::Cost& cost) {
  if (cost.pause) (cost.grew ? grow : shrink).add(*cost.pause);
  if (cost.lost) lost.add(*cost.lost);
}

ExpectedPauses PausePopulation::expected(const std::string& kind) const {
  const Record* known = kinds_.find(kind);
  const auto least = [&](PauseRecord<15> Record::*which) {
    const PauseRecord<15>& record = known && (known->*which).median() ? known->*which : all_.*which;
    return record.lowerQuartile().value_or(Seconds(0));
  };
  return {.ofKind = known ? known->typical() : TypicalPauses(),
          .ofAll = all_.typical(),
          .leastGrow = least(&Record::grow),
          .leastShrink = least(&Record::shrink)};
}

void PausePopulation::update(const std::string& kind, const LearnedPauses::Cost& cost) {
  all_.add(cost);
  if (!kind.empty()) kinds_.change(kind, [] { return Record(); }).add(cost);
}

}  // namespace slaq::scheduler
