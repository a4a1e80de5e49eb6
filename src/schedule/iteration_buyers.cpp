#include "schedule/iteration_buyers.h"

#include <cmath>
#include <utility>

#include "schedule/lanes.h"

namespace slaq {
namespace {

// More iterations, and figures, are not counted, here.
constexpr float kMany = 0x1p30f;

template <class Real>
using Figure = std::conditional_t<std::is_same_v<Real, Lanes>, float, double>;

[[gnu::always_inline]] inline double whole(double x) {
  return static_cast<double>(static_cast<std::int64_t>(x));
}
[[gnu::always_inline]] inline Lanes whole(Lanes x) {
  return __builtin_convertvector(__builtin_convertvector(x, LaneBits), Lanes);
}
[[gnu::always_inline]] inline double squareRoot(double x) { return std::sqrt(x); }
using slaq::squareRoot;
[[gnu::always_inline]] inline double exponential(double x) { return std::exp(x); }
[[gnu::always_inline]] inline Lanes exponential(Lanes x) { return 1.0f - shareFallen(-x); }

template <class Real>
[[gnu::always_inline]] inline Real within(Real x, Real low, Real high) {
  const Real most = x < high ? x : high;
  return most > low ? most : low;
}

template <class Real>
struct Price {
  Figure<Real> logarithm, inverse;
};

// A unit begins and ends within these iterations, after so much of them.
template <class Real>
struct Unit {
  Real from, fromPart, to, toPart;
};

// The gain of iteration n+1 is worth the price where (T + n)(T + n + 1) <= first / price, second = T - 1/2.
struct Hyperbola {
  template <class Real>
  [[gnu::always_inline]] static Real reached(const IterationTerms<Real>& t, Price<Real> price) {
    return squareRoot(t.first * price.inverse + Figure<Real>(0.25)) - t.second;
  }
  // What the unit gains, in prices.
  template <class Real>
  [[gnu::always_inline]] static Real gain(const IterationTerms<Real>& t, Price<Real> price,
                                          const Unit<Real>& unit) {
    const Real from = t.second + unit.from + Figure<Real>(0.5);
    const Real to = t.second + unit.to + Figure<Real>(0.5);
    const Real one = Real{} + Figure<Real>(1);
    const Real sum = (unit.to - unit.from) / (from * to) + unit.toPart / (to * (to + one)) -
                     unit.fromPart / (from * (from + one));
    return t.first * price.inverse * sum / t.each;
  }
};

// The gains of iterations are a geometric series: its ratio is exp(-1/second), and the price is its member of
// the number `reached`. third = 1/(1 - ratio).
struct Exponential {
  template <class Real>
  [[gnu::always_inline]] static Real reached(const IterationTerms<Real>& t, Price<Real> price) {
    return t.first - t.second * price.logarithm;
  }
  template <class Real>
  [[gnu::always_inline]] static Real gain(const IterationTerms<Real>& t, Price<Real> price,
                                          const Unit<Real>& unit) {
    const Real ahead = reached(t, price) - Figure<Real>(1);
    const Real from = exponential((ahead - unit.from) / t.second);
    const Real to = exponential((ahead - unit.to) / t.second);
    return (from * (t.third - unit.fromPart) - to * (t.third - unit.toPart)) / t.each;
  }
};

// Iterations that are worth a price, the one under way if it is for what it still costs.
template <class Real>
[[gnu::always_inline]] inline Real iterationsOf(const IterationTerms<Real>& t, Real reached) {
  const Real none = Real{};
  const Real one = none + Figure<Real>(1);
  const Real all = whole(within<Real>(reached, none, none + static_cast<Figure<Real>>(kMany)));
  const Real first = reached >= t.least ? one : none;
  return all < one ? first : all;
}

// Units of which so many iterations take all, but for the last.
template <class Real>
[[gnu::always_inline]] inline Real unitsIn(const IterationTerms<Real>& t, Real iterations) {
  return whole(within<Real>((iterations - t.start) / t.each, Real{}, t.max));
}

// The part of an iteration that is done, where the one under way costs less.
template <class Real>
[[gnu::always_inline]] inline Real partOf(const IterationTerms<Real>& t, Real at, Real iteration) {
  const Real one = Real{} + Figure<Real>(1);
  return iteration < one ? (at - t.begun) / (one - t.begun) : at - iteration;
}

template <class Real>
[[gnu::always_inline]] inline Unit<Real> unitAfter(const IterationTerms<Real>& t, Real units) {
  const Real most = Real{} + static_cast<Figure<Real>>(kMany);
  const Real from = within<Real>(units * t.each + t.start, Real{}, most);
  const Real to = within<Real>(from + t.each, Real{}, most);
  const Real first = whole(from);
  const Real last = whole(to);
  return {first, partOf(t, from, first), last, partOf(t, to, last)};
}

template <class Family, class Real>
[[gnu::always_inline]] inline Real countOf(const IterationTerms<Real>& t, Price<Real> price) {
  const Real one = Real{} + Figure<Real>(1);
  const Real units = unitsIn(t, iterationsOf(t, Family::reached(t, price)));
  const Real gain = Family::gain(t, price, unitAfter(t, units));
  return within<Real>(gain >= one ? units + one : units, t.min, t.max);
}

[[gnu::always_inline]] inline IterationTerms<Lanes> lanesOf(const IterationColumns::Rough& rough) {
  return {load(rough.first.data()), load(rough.second.data()), load(rough.third.data()),
          load(rough.least.data()), load(rough.each.data()),   load(rough.start.data()),
          load(rough.begun.data()), load(rough.min.data()),    load(rough.max.data())};
}

using RoughColumns = std::vector<IterationColumns::Rough>;

// Of every so manyth group of lanes.
template <class Family>
[[gnu::always_inline]] inline double sumOf(const RoughColumns& rough, double logPrice, std::size_t every) {
  const Price<Lanes> price{static_cast<float>(logPrice), static_cast<float>(std::exp(-logPrice))};
  WideLanes sums = {};
  for (std::size_t i = every / 2; i < rough.size(); i += every) {
    sums += __builtin_convertvector(countOf<Family>(lanesOf(rough[i]), price), WideLanes);
  }
  double sum = 0;
  for (std::size_t i = 0; i < kLanes; ++i) sum += sums[i];
  return sum;
}

SLAQ_FOR_EACH_PROCESSOR
double sumOfHyperbolas(const RoughColumns& rough, double logPrice, std::size_t every) {
  return sumOf<Hyperbola>(rough, logPrice, every);
}

SLAQ_FOR_EACH_PROCESSOR
double sumOfExponentials(const RoughColumns& rough, double logPrice, std::size_t every) {
  return sumOf<Exponential>(rough, logPrice, every);
}

Price<double> priceOf(double logPrice) { return {logPrice, std::exp(-logPrice)}; }

// Higher by so many times the price, or lower. The logarithm of 1 + by is `by` within less than the doubt
// that prices have in any case (PriceSearch), where it is small.
Price<double> raised(Price<double> price, double by) {
  const double logarithm = std::abs(by) < 1e-4 ? by : std::log1p(by);
  return {price.logarithm + logarithm, price.inverse / (1 + by)};
}
Price<double> lowered(Price<double> price, double by) {
  constexpr double kLowest = -600;
  return by < 1 ? raised(price, -by) : Price<double>{kLowest, std::exp(-kLowest)};
}

// At the higher price, and at the lower one: the same unit is in doubt there, as a rule.
template <class Family>
std::pair<double, double> countsOf(const IterationTerms<double>& t, Price<double> high, Price<double> low) {
  const double iterations = iterationsOf(t, Family::reached(t, high));
  const double units = unitsIn(t, iterations);
  const double gain = Family::gain(t, high, unitAfter(t, units));
  const auto count = [&](bool isMore) { return within(isMore ? units + 1 : units, t.min, t.max); };
  const bool isSame = iterations == iterationsOf(t, Family::reached(t, low));
  return {count(gain >= 1), isSame ? count(gain * low.inverse >= high.inverse) : countOf<Family>(t, low)};
}

template <class Family>
void countEachOf(IterationColumns& columns, double higher, double lower, Counts& sums) {
  const auto high = priceOf(higher);
  const auto low = priceOf(lower);
  columns.fewest.resize(columns.size());
  columns.most.resize(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double rounding = columns.rounding[i];
    const auto [fewest, most] = countsOf<Family>(columns.terms[i], raised(high, rounding * high.inverse),
                                                 lowered(low, rounding * low.inverse));
    sums.fewest += columns.fewest[i] = static_cast<std::int32_t>(fewest);
    sums.most += columns.most[i] = static_cast<std::int32_t>(most);
  }
}

bool isUsable(const IterationTerms<double>& t) {
  return isRoughlyFinite(t.first) && isRoughlyFinite(t.second) && isRoughlyFinite(t.third) &&
         isRoughlyFinite(t.least) && isRoughlyFinite(t.start) && isRoughlyFinite(1 / t.each) &&
         static_cast<float>(t.first) != 0 && static_cast<float>(t.each) > 0 && t.begun < 1 &&
         t.start + t.each * t.max < static_cast<double>(kMany);
}

void assignLane(IterationColumns::Rough& to, std::size_t lane, const IterationTerms<double>& from) {
  const auto assign = [lane](auto& lanes, double figure) { lanes[lane] = static_cast<float>(figure); };
  assign(to.first, from.first);
  assign(to.second, from.second);
  assign(to.third, from.third);
  assign(to.least, from.least);
  assign(to.each, from.each);
  assign(to.start, from.start);
  assign(to.begun, from.begun);
  assign(to.min, from.min);
  assign(to.max, from.max);
}

// In a lane where no job is it buys nothing.
constexpr IterationTerms<double> kNobody{
    .first = 1, .second = 1, .third = 2, .least = 1, .each = 1, .start = 0, .begun = 0, .min = 0, .max = 0};

IterationTerms<double> termsOf(const Candidate& candidate, const Prospect& prospect, Seconds epoch) {
  IterationTerms<double> terms{};
  terms.each = inCores(candidate.perUnit) * epoch.count() / candidate.coreSecondsPerIteration;
  terms.begun = prospect.begun();
  terms.start = terms.begun + candidate.iterations(0, epoch.count());
  terms.min = candidate.min;
  terms.max = candidate.max;
  return terms;
}

void setHyperbola(IterationTerms<double>& terms, const Candidate& candidate, double done) {
  const Curve& curve = candidate.curve;
  const double before = done - curve.origin + curve.c / curve.b;
  terms.first = candidate.weight / candidate.normalizer / curve.b / candidate.coreSecondsPerIteration;
  terms.second = before - 0.5;
  terms.least = std::sqrt((1 - terms.begun) * before * (before + 1) + 0.25) - terms.second;
}

void setExponential(IterationTerms<double>& terms, const Candidate& candidate, double done) {
  const Curve& curve = candidate.curve;
  const double share = -std::expm1(-curve.rate);
  const double ofFirst = std::log(candidate.weight / candidate.normalizer * curve.amplitude * share /
                                  candidate.coreSecondsPerIteration) -
                         curve.rate * (done - curve.origin);
  terms.first = ofFirst / curve.rate + 1;
  terms.second = 1 / curve.rate;
  terms.third = 1 / share;
  terms.least = 1 + std::log1p(-terms.begun) / curve.rate;
}

}  // namespace

void IterationColumns::clear() {
  terms.clear();
  rough.clear();
  rounding.clear();
  place.clear();
  minimum = 0;
}

void IterationColumns::add(const IterationTerms<double>& added, double ofGains, std::uint32_t at) {
  static_assert(kTogether == kLanes);
  const std::size_t lane = place.size() % kTogether;
  if (lane == 0) {
    rough.emplace_back();
    for (std::size_t i = 0; i < kTogether; ++i) assignLane(rough.back(), i, kNobody);
  }
  assignLane(rough.back(), lane, added);
  terms.push_back(added);
  rounding.push_back(ofGains);
  place.push_back(at);
  minimum += static_cast<std::int64_t>(added.min);
}

void IterationBuyers::clear() {
  hyperbolas_.clear();
  exponentials_.clear();
}

bool IterationBuyers::add(const Candidate& candidate, const Prospect& prospect, std::uint32_t place,
                          Seconds epoch) {
  const Curve& curve = candidate.curve;
  const bool isHyperbola = curve.family == CurveFamily::Sublinear;
  const bool isExponential = curve.family == CurveFamily::Superlinear || curve.family == CurveFamily::Trend;
  if (!prospect.isOwnHull() || !(isHyperbola ? curve.a == 0 : isExponential)) return false;
  auto terms = termsOf(candidate, prospect, epoch);
  if (isHyperbola) {
    setHyperbola(terms, candidate, prospect.done());
  } else {
    setExponential(terms, candidate, prospect.done());
  }
  if (!isUsable(terms)) return false;
  const double perUnit = inCores(candidate.perUnit) * epoch.count();
  (isHyperbola ? hyperbolas_ : exponentials_).add(terms, prospect.rounding() / perUnit, place);
  return true;
}

double IterationBuyers::sampleAt(double logPrice, std::size_t every) const {
  return sumOfHyperbolas(hyperbolas_.rough, logPrice, every) +
         sumOfExponentials(exponentials_.rough, logPrice, every);
}

Counts IterationBuyers::countEach(double higher, double lower) {
  Counts counts;
  countEachOf<Hyperbola>(hyperbolas_, higher, lower, counts);
  countEachOf<Exponential>(exponentials_, higher, lower, counts);
  return counts;
}

}  // namespace slaq
