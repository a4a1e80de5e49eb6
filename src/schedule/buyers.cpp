#include "schedule/buyers.h"

#include "schedule/total_quality.h"

namespace slaq {
namespace {

template <class Real>
Real bySquareRoot(Real first, Real second, Real perPrice) {
  return std::sqrt(first * perPrice + Real(0.25)) - second;
}

template <class Real>
Real byLogarithm(Real first, Real second, Real logPrice) {
  return first - second * logPrice;
}

template <class Real>
std::int32_t within(Real count, Real min, Real max) {
  const Real most = count < max ? count : max;
  return static_cast<std::int32_t>(most > min ? most : min);
}

bool isSized(const Candidate& candidate, Cores unit) {
  return candidate.perUnit == unit && candidate.group == kNoGroup && candidate.coreSecondsPerIteration > 0;
}

bool isLevel(const Curve& curve) {
  switch (curve.family) {
    case CurveFamily::Constant:
      return true;
    case CurveFamily::Superlinear:
    case CurveFamily::Trend:
      return curve.amplitude == 0 || curve.rate == 0;
    case CurveFamily::Sublinear:
      return curve.a == 0 && curve.b == 0;
    case CurveFamily::Tabulated:
      break;
  }
  return false;
}

}  // namespace

void Buyers::Columns::clear(std::size_t most) {
  const auto renew = [most](auto&... columns) { ((columns.clear(), columns.reserve(most)), ...); };
  renew(first, second, roughFirst, roughSecond, min, max, place);
  minimum = 0;
}

void Buyers::Columns::add(double one, double two, const Candidate& candidate, std::uint32_t at) {
  first.push_back(one);
  second.push_back(two);
  roughFirst.push_back(static_cast<float>(one));
  roughSecond.push_back(static_cast<float>(two));
  min.push_back(static_cast<float>(candidate.min));
  max.push_back(static_cast<float>(candidate.max));
  place.push_back(at);
  minimum += candidate.min;
}

bool Buyers::load(std::span<const Candidate> candidates, Seconds epoch, double iterations) {
  candidates_ = candidates;
  epoch_ = epoch;
  prospects_ = nullptr;
  return loadAll(iterations);
}

bool Buyers::load(const Prospects& prospects) {
  candidates_ = prospects.candidates();
  epoch_ = prospects.epoch();
  prospects_ = &prospects;
  return loadAll(0);
}

bool Buyers::loadAll(double iterations) {
  for (auto* columns : {&hyperbolas_, &exponentials_, &others_}) {
    columns->clear(prospects_ ? 0 : candidates_.size());
  }
  iterations_.clear();
  minimums_.resize(candidates_.size());
  minimumCores_ = Cores();
  const double perUnit = inCores(candidates_.front().perUnit) * epoch_.count();
  for (std::uint32_t i = 0; i < candidates_.size(); ++i) {
    const Candidate& candidate = candidates_[i];
    if (!isSized(candidate, candidates_.front().perUnit)) return false;
    if (perUnit < iterations * candidate.coreSecondsPerIteration || !add(i)) return false;
    minimums_[i] = candidate.min;
    minimumCores_ += candidate.cores(candidate.min);
  }
  return true;
}

// Who has all that it can have, or never gains, is no buyer.
bool Buyers::add(std::uint32_t place) {
  const Candidate& candidate = candidates_[place];
  if (candidate.min >= candidate.max || isLevel(candidate.curve)) return true;
  if (!prospects_) return addByCurve(place);
  addByProspect(place);
  return true;
}

void Buyers::addByProspect(std::uint32_t place) {
  const Candidate& candidate = candidates_[place];
  if (!iterations_.add(candidate, (*prospects_)[place], place, epoch_)) others_.add(0, 0, candidate, place);
}

bool Buyers::addByCurve(std::uint32_t place) {
  const Candidate& candidate = candidates_[place];
  const Curve& curve = candidate.curve;
  switch (curve.family) {
    case CurveFamily::Superlinear:
    case CurveFamily::Trend:
      return addExponential(place);
    case CurveFamily::Sublinear:
      if (curve.a == 0) return addHyperbola(place);
      if (!curve.fallsEverSlower(candidate.iteration)) return false;
      others_.add(0, 0, candidate, place);
      return true;
    case CurveFamily::Constant:
    case CurveFamily::Tabulated:
      break;
  }
  return false;
}

double Buyers::gainPerCore(std::uint32_t place, std::int32_t units) const {
  return prospects_ ? prospects_->gainPerCore(place, units)
                    : slaq::gainPerCore(candidates_[place], units, epoch_);
}

double Buyers::iterationsOfUnit(const Candidate& candidate) const {
  return inCores(candidate.perUnit) * epoch_.count() / candidate.coreSecondsPerIteration;
}

// 1/(b x + c): the gain of unit n+1 is worth the price where (T + n)(T + n + 1) <= first / price.
bool Buyers::addHyperbola(std::uint32_t place) {
  const Candidate& candidate = candidates_[place];
  const Curve& curve = candidate.curve;
  const double each = iterationsOfUnit(candidate);
  const double now = curve.b * (candidate.iteration - curve.origin) + curve.c;
  if (!(curve.b > 0) || !(now > 0)) return false;
  const double before = (now / curve.b + candidate.iterations(0, epoch_.count())) / each;
  const double worth = candidate.weight / candidate.normalizer / curve.b / candidate.coreSecondsPerIteration;
  hyperbolas_.add(worth / (each * each), before - 0.5, candidate, place);
  return isRoughlyFinite(hyperbolas_.first.back()) && isRoughlyFinite(before);
}

// amplitude exp(-rate x): the gains of units are a geometric series.
bool Buyers::addExponential(std::uint32_t place) {
  const Candidate& candidate = candidates_[place];
  const Curve& curve = candidate.curve;
  if (!(curve.amplitude > 0) || !(curve.rate > 0)) return false;
  const double each = curve.rate * iterationsOfUnit(candidate);
  const double start = candidate.iteration - curve.origin + candidate.iterations(0, epoch_.count());
  const double ofFirst = std::log(candidate.weight / candidate.normalizer * curve.amplitude *
                                  -std::expm1(-each) / (inCores(candidate.perUnit) * epoch_.count())) -
                         curve.rate * start;
  if (std::isinf(ofFirst) && ofFirst < 0) return true;
  exponentials_.add(ofFirst / each + 1, 1 / each, candidate, place);
  return isRoughlyFinite(exponentials_.first.back()) && isRoughlyFinite(1 / each);
}

double Buyers::countAt(double logPrice) const {
  const auto perPrice = static_cast<float>(std::exp(-logPrice));
  const auto price = static_cast<float>(logPrice);
  std::int64_t sum = 0;
  const Columns& h = hyperbolas_;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < h.size(); ++i) {
    sum += within(bySquareRoot(h.roughFirst[i], h.roughSecond[i], perPrice), h.min[i], h.max[i]);
  }
  const Columns& e = exponentials_;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < e.size(); ++i) {
    sum += within(byLogarithm(e.roughFirst[i], e.roughSecond[i], price), e.min[i], e.max[i]);
  }
  const double exactPrice = std::exp(logPrice);
  for (const auto place : others_.place) sum += countOf(place, exactPrice);
  return static_cast<double>(sum) + iterations_.countAt(logPrice);
}

double Buyers::sampleAt(double logPrice, std::size_t every) const {
  const double perPrice = std::exp(-logPrice);
  const double price = std::exp(logPrice);
  std::int64_t sum = 0;
  const Columns& h = hyperbolas_;
  for (std::size_t i = 0; i < h.size(); i += every) {
    sum += within<double>(bySquareRoot(h.first[i], h.second[i], perPrice), h.min[i], h.max[i]);
  }
  const Columns& e = exponentials_;
  for (std::size_t i = 0; i < e.size(); i += every) {
    sum += within<double>(byLogarithm(e.first[i], e.second[i], logPrice), e.min[i], e.max[i]);
  }
  for (std::size_t i = 0; i < others_.size(); i += every) sum += countOf(others_.place[i], price);
  return (static_cast<double>(sum) + iterations_.sampleAt(logPrice, every)) * static_cast<double>(every);
}

Counts Buyers::countEach(double higher, double lower) {
  Counts counts = iterations_.countEach(higher, lower);
  countOthers(higher, lower, counts);
  countEachAt(higher, &Columns::fewest, counts.fewest);
  countEachAt(lower, &Columns::most, counts.most);
  return counts;
}

void Buyers::countEachAt(double logPrice, std::vector<std::int32_t> Columns::*column, std::int64_t& sum) {
  const double perPrice = std::exp(-logPrice);
  for (auto* columns : {&hyperbolas_, &exponentials_}) (columns->*column).resize(columns->size());
  Columns& h = hyperbolas_;
  std::int32_t* counts = (h.*column).data();
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < h.size(); ++i) {
    counts[i] = within<double>(bySquareRoot(h.first[i], h.second[i], perPrice), h.min[i], h.max[i]);
    sum += counts[i];
  }
  Columns& e = exponentials_;
  counts = (e.*column).data();
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < e.size(); ++i) {
    counts[i] = within<double>(byLogarithm(e.first[i], e.second[i], logPrice), e.min[i], e.max[i]);
    sum += counts[i];
  }
}

void Buyers::countOthers(double higher, double lower, Counts& sums) {
  const double high = std::exp(higher);
  const double low = std::exp(lower);
  others_.fewest.resize(others_.size());
  others_.most.resize(others_.size());
  for (std::size_t i = 0; i < others_.size(); ++i) {
    const std::uint32_t place = others_.place[i];
    const double rounding = prospects_ ? prospects_->rounding(place) : 0;
    sums.fewest += others_.fewest[i] = countOf(place, high + rounding);
    sums.most += others_.most[i] = countOf(place, low - rounding);
  }
}

// By halves.
std::int32_t Buyers::countOf(std::uint32_t place, double price) const {
  const Candidate& candidate = candidates_[place];
  std::int32_t low = candidate.min;
  std::int32_t high = candidate.max;
  while (low < high) {
    const std::int32_t middle = low + (high - low) / 2;
    if (gainPerCore(place, middle) >= price) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace slaq
