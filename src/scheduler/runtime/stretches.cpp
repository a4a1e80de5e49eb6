#include "scheduler/runtime/stretches.h"

namespace slaq::scheduler {

double Stretches::workBetween(Time from, Time to, const forecast::SpeedCurve& speed) const {
  double work = 0;
  for (std::size_t n = count_; n > first() && to > from; --n) {
    const Stretch& each = at(n - 1);
    const Time begin = n - 1 == first() ? from : std::max(from, each.since);
    if (begin >= to) continue;
    work += std::max(0.0, (to - std::max(begin, each.works)).count()) * speed.at(each.cores);
    to = begin == each.since ? begin - each.lost : begin;
  }
  return work;
}

std::map<double, double> Stretches::sharesBetween(Time from, Time to,
                                                  const forecast::SpeedCurve& speed) const {
  const double work = workBetween(from, to, speed);
  std::map<double, double> shares;
  for (std::size_t n = first(); n < count_ && work > 0; ++n) {
    const Stretch& each = at(n);
    const Time begin = std::max(from, each.since);
    const Time end = n + 1 < count_ ? std::min(to, at(n + 1).since) : to;
    if (each.cores > 0 && begin < end) shares[each.cores] += workBetween(begin, end, speed) / work;
  }
  return shares;
}

double Stretches::pausedBetween(Time from, Time to) const {
  Seconds paused{0};
  for (std::size_t n = first(); n < count_; ++n) {
    const Stretch& each = at(n);
    const bool isWithin = from < each.since && each.since < to;
    if (isWithin && !each.isCostKnown) return 1;
    const Seconds within = std::min(to, each.works) - std::max(from, each.since - each.lost);
    paused += std::max(Seconds(0), within);
  }
  return paused / (to - from);
}

}  // namespace slaq::scheduler
