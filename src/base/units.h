// The quantities of the domain as types of their own, so that adding workers to iterations does not
// compile. The words are those of docs/glossary.md.
#pragma once

#include <chrono>
#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace slaq {

// Sums, differences and products that end at the bounds of a whole number's type instead of wrapping around.
template <class Rep>
constexpr Rep boundedSum(Rep a, Rep b) {
  return a + b;
}
template <class Rep>
constexpr Rep boundedDifference(Rep a, Rep b) {
  return a - b;
}
template <class Rep>
constexpr Rep boundedProduct(Rep a, Rep b) {
  return a * b;
}
template <std::integral Rep>
constexpr Rep boundedSum(Rep a, Rep b) {
  Rep sum{};
  const bool isBeyond = __builtin_add_overflow(a, b, &sum);
  return !isBeyond ? sum : b < 0 ? std::numeric_limits<Rep>::min() : std::numeric_limits<Rep>::max();
}
template <std::integral Rep>
constexpr Rep boundedDifference(Rep a, Rep b) {
  Rep difference{};
  const bool isBeyond = __builtin_sub_overflow(a, b, &difference);
  return !isBeyond ? difference : b > 0 ? std::numeric_limits<Rep>::min() : std::numeric_limits<Rep>::max();
}
template <std::integral Rep>
constexpr Rep boundedProduct(Rep a, Rep b) {
  Rep product{};
  const bool isBeyond = __builtin_mul_overflow(a, b, &product);
  const bool isNegative = (a < 0) != (b < 0);
  return !isBeyond ? product : isNegative ? std::numeric_limits<Rep>::min() : std::numeric_limits<Rep>::max();
}

// A number of one kind: it adds to and compares with its own kind only, and scales by plain numbers. Whole
// numbers stay within their type's range, so that no sum of what others wrote wraps around.
template <class Tag, class Rep>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(Rep value) : value_(value) {}

  constexpr Rep value() const { return value_; }

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity other) { return value_ = boundedSum(value_, other.value_), *this; }
  constexpr Quantity& operator-=(Quantity other) {
    return value_ = boundedDifference(value_, other.value_), *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator*(Quantity a, Rep factor) {
    return Quantity(boundedProduct(a.value_, factor));
  }

 private:
  Rep value_{};
};

// Training pods (or processes) of one job.
using Workers = Quantity<struct WorkersTag, std::int32_t>;
// Steps of a trainer's optimiser; fractions arise in forecasts.
using Iterations = Quantity<struct IterationsTag, double>;
// A value of a job's loss function, in the job's own unit.
using Loss = Quantity<struct LossTag, double>;
// The unit of capacity, in thousandths: Kubernetes' millicores.
using Cores = Quantity<struct CoresTag, std::int64_t>;
// Memory, in units of 2^20 bytes.
using Mebibytes = Quantity<struct MebibytesTag, std::int64_t>;

constexpr Cores operator*(Cores each, Workers count) { return each * std::int64_t{count.value()}; }
constexpr double inCores(Cores cores) { return static_cast<double>(cores.value()) / 1000.0; }

using Seconds = std::chrono::duration<double>;
// Wall time, the clock of Kubernetes objects and Prometheus samples.
using Time = std::chrono::sys_time<Seconds>;

// More than any cluster has.
inline constexpr Cores kMostCores{1'000'000'000};

// The number that a Kubernetes quantity stands for (k8s.io/apimachinery/pkg/api/resource): "8Gi", "-500m".
// Empty if it is malformed.
std::optional<double> quantityFrom(std::string_view text);

// Reads a Kubernetes quantity of cores: "2", "200m", "0.5", "1e3",
// "1k", "1Ki". Anything finer than a thousandth is rounded up, as Kubernetes does. Invalid when malformed,
// negative or above kMostCores.
Result<Cores> parseCores(std::string_view text);
// The canonical form: "2", "200m".
std::string toString(Cores cores);

// Reads a Kubernetes quantity of bytes: "20Gi", "512Mi"; a part of a mebibyte counts as a whole one. Invalid
// when malformed, below 1Mi or above 1Pi.
Result<Mebibytes> parseMemory(std::string_view text);

// RFC 3339 in UTC, to the second ("2026-01-31T12:00:00Z"), as metav1.Time has it. Times before the year 0 or
// after 9999 are written as the first or the last that has a form.
std::string toRfc3339(Time time);
// Also with a fraction of up to 20 digits, as metav1.MicroTime has it. Malformed when it is anything else, a
// 30th of February or an offset among it.
Result<Time> parseRfc3339(std::string_view text);

// A decimal for people and for status fields: `digits` significant digits, no exponent where it can be
// avoided ("0.0123", "1240").
std::string toDecimal(double value, int digits = 4);
// Reads a decimal: "0.12", "-3e-5", "NaN"; empty if the text is not exactly one number.
std::optional<double> decimalFrom(std::string_view text);

}  // namespace slaq
