// Several numbers at a time: loading and storing, sums over them, and the logarithm and the exponential,
// which are right to a relative 1e-6, near zero too, and give finite numbers for finite ones. All is always
// inlined, without optimization too: no call passes lanes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

// Of a lambda that computes with lanes.
#define SLAQ_INLINE __attribute__((always_inline))

// Of a function that computes with lanes: compiled several times, and chosen when the program starts by what
// the processor can do. Not under sanitizers, which are not ready that early.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SLAQ_FOR_EACH_PROCESSOR __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SLAQ_FOR_EACH_PROCESSOR
#endif

namespace slaq {

inline constexpr std::size_t kLanes = 8;
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));
// -1 where a comparison holds, else 0.
using LaneBits = std::int32_t __attribute__((vector_size(kLanes * sizeof(float))));

// As many doubles.
using WideLanes = double __attribute__((vector_size(kLanes * sizeof(double))));

[[gnu::always_inline]] inline Lanes narrowed(WideLanes values) {
  return __builtin_convertvector(values, Lanes);
}

[[gnu::always_inline]] inline Lanes least(Lanes a, Lanes b) { return a < b ? a : b; }
[[gnu::always_inline]] inline Lanes most(Lanes a, Lanes b) { return a > b ? a : b; }
[[gnu::always_inline]] inline Lanes magnitude(Lanes a) { return most(a, -a); }

template <class Values = Lanes, class Value>
[[gnu::always_inline]] inline Values load(const Value* from) {
  Values values;
  static_assert(sizeof(values) == kLanes * sizeof(Value));
  std::memcpy(&values, from, sizeof(values));
  return values;
}

template <class Values, class Value>
[[gnu::always_inline]] inline void store(Values values, Value* to) {
  static_assert(sizeof(values) == kLanes * sizeof(Value));
  std::memcpy(to, &values, sizeof(values));
}

// work(group) for each group of lanes that so many numbers fill, as a constant.
template <std::size_t numbers, class Work>
[[gnu::always_inline]] inline void forEachGroup(Work work) {
  static_assert(numbers % kLanes == 0);
  [&]<std::size_t... group>(std::index_sequence<group...>) SLAQ_INLINE {
    (work(std::integral_constant<std::size_t, group>()), ...);
  }
  (std::make_index_sequence<numbers / kLanes>());
}

// lane(i) in each.
template <class Values, class Lane, std::size_t... i>
[[gnu::always_inline]] inline Values lanesOf(Lane lane, std::index_sequence<i...>) {
  using Value = std::remove_reference_t<decltype(std::declval<Values&>()[0])>;
  return Values{static_cast<Value>(lane(i))...};
}
template <class Values = Lanes, class Lane>
[[gnu::always_inline]] inline Values lanesOf(Lane lane) {
  return lanesOf<Values>(lane, std::make_index_sequence<kLanes>());
}

[[gnu::always_inline]] inline Lanes squareRoot(Lanes a) {
  return lanesOf([&](std::size_t i) SLAQ_INLINE { return __builtin_sqrtf(a[i]); });
}

// Each folded with those that are `distance`, twice that, four times that and so on away.
template <std::size_t distance, class Fold>
[[gnu::always_inline]] inline Lanes folded(Lanes a, Fold fold) {
  if constexpr (distance == kLanes) {
    return a;
  } else {
    const auto others = lanesOf<LaneBits>([](std::size_t i) SLAQ_INLINE { return i ^ distance; });
    return folded<2 * distance>(fold(a, __builtin_shuffle(a, others)), fold);
  }
}

[[gnu::always_inline]] inline float sum(Lanes a) {
  return folded<1>(a, [](Lanes left, Lanes right) SLAQ_INLINE { return left + right; })[0];
}
[[gnu::always_inline]] inline float leastOf(Lanes a) {
  return folded<1>(a, [](Lanes left, Lanes right) SLAQ_INLINE { return least(left, right); })[0];
}

// By turns sums of two of a's and of b's that are `distance` apart: for 1 it is a0+a1, b0+b1, a2+a3, b2+b3...
template <std::size_t distance>
[[gnu::always_inline]] inline Lanes merged(Lanes a, Lanes b) {
  const auto from = lanesOf<LaneBits>(
      [](std::size_t i) SLAQ_INLINE { return ((i & distance) != 0 ? kLanes : 0) + (i & ~distance); });
  return __builtin_shuffle(a, b, from) + __builtin_shuffle(a, b, from + static_cast<std::int32_t>(distance));
}

// The four sums, and again.
[[gnu::always_inline]] inline Lanes sums(Lanes a, Lanes b, Lanes c, Lanes d) {
  const Lanes fours = merged<2>(merged<1>(a, b), merged<1>(c, d));
  return folded<4>(fours, [](Lanes left, Lanes right) SLAQ_INLINE { return left + right; });
}

// log(1 + x) for x > -1. The polynomial is x^-3 (log(1 + x) - x + x^2/2), interpolated at
// Chebyshev's nodes.
[[gnu::always_inline]] inline Lanes logOnePlus(Lanes x) {
  constexpr std::int32_t kRootOfHalf = 0x3f3504f3;
  const LaneBits bits = __builtin_bit_cast(LaneBits, 1.0f + x) - kRootOfHalf;
  const LaneBits exponent = bits >> 23;
  const Lanes mantissa = __builtin_bit_cast(Lanes, (bits & 0x7fffff) + kRootOfHalf);
  const Lanes f = exponent == 0 ? x : mantissa - 1.0f;
  const Lanes square = f * f;
  Lanes p = 7.14975389e-2f * f - 1.15712007e-1f;
  p = p * f + 1.16615111e-1f;
  p = p * f - 1.24110507e-1f;
  p = p * f + 1.42499365e-1f;
  p = p * f - 1.66684802e-1f;
  p = p * f + 2.00007075e-1f;
  p = p * f - 2.49999890e-1f;
  p = p * f + 3.33333312e-1f;
  const Lanes near = f + square * (p * f - 0.5f);
  return near + __builtin_convertvector(exponent, Lanes) * 0.69314718f;
}

// 1 - exp(-r), as if r were between -40 and 80. The polynomial is t^-2 (exp(t) - 1 - t), likewise.
[[gnu::always_inline]] inline Lanes shareFallen(Lanes r) {
  constexpr float kRounding = 0x1.8p23f;  // added to a number it leaves its integer in the last bits
  r = least(most(r, Lanes{} - 40.0f), Lanes{} + 80.0f);
  const Lanes shifted = r * 1.44269504f + kRounding;
  const Lanes halvings = shifted - kRounding;
  const Lanes t = halvings * 0.693359375f - r - halvings * 2.12194440e-4f;
  const LaneBits count = __builtin_bit_cast(LaneBits, shifted) - __builtin_bit_cast(std::int32_t, kRounding);
  const Lanes scale = __builtin_bit_cast(Lanes, (127 - count) << 23);
  Lanes p = 1.99004438e-4f * t + 1.39345445e-3f;
  p = p * t + 8.33329706e-3f;
  p = p * t + 4.16664568e-2f;
  p = p * t + 1.66666667e-1f;
  p = p * t + 5.00000001e-1f;
  return (1.0f - scale) - scale * (t + t * t * p);
}

}  // namespace slaq
