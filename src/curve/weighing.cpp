#include "curve/weighing.h"

#include <algorithm>

#include "curve/expert_table.h"

namespace slaq {
namespace {

constexpr float kDiscount = 0.9f;  // of what was judged, with each pair
constexpr float kWorstError = 10;  // times the mean of all experts: more says nothing more
constexpr float kLeastError = 1e-3f;

// So many times the weight of the experts that know the floor is the share of the logarithmic mean,
constexpr float kKnowing = 2;
// in which an expert is heard as if it expected so much of the height to go at most.
constexpr float kDeepest = 0.9f;
constexpr float kLeastHeight = 1e-12f;  // in units: nothing of note is left below it
constexpr float kMostHeight = 1e18f;    // and floats end somewhere

constexpr std::size_t kGroups = kExperts / kLanes;

// A number for each expert, in lanes.
struct Seated {
  Lanes lanes[kGroups];
};

// lanesOf(group) for each group.
template <class Of>
[[gnu::always_inline]] inline Seated ofAll(Of of) {
  Seated seated;
  forEachGroup<kExperts>([&](auto group) SLAQ_INLINE { seated.lanes[group] = of(group); });
  return seated;
}

[[gnu::always_inline]] inline float total(const Seated& seated) {
  Lanes lanes = seated.lanes[0];
  for (std::size_t i = 1; i < kGroups; ++i) lanes += seated.lanes[i];
  return sum(lanes);
}

// 1 for each expert that takes the known floor for the floor.
template <std::size_t group>
[[gnu::always_inline]] inline Lanes knowing() {
  return ofEach<group>([](const Expert& expert) SLAQ_INLINE {
    const bool knows = expert.floor == Floor::Known || expert.floor == Floor::Likely;
    return expert.shape != Shape::Level && knows ? 1.0f : 0.0f;
  });
}

// Of those who can say anything, in some unit; 0 of others.
[[gnu::always_inline]] inline Seated weightsOf(const Opinions& opinions, const Errors& errors) {
  // Of somebody who was always right: then none is more than 1.
  constexpr float kMost = 1 / kLeastError;
  const float each = errors.judged > 0 ? kMost / errors.judged : 0;
  const float least = errors.judged > 0 ? 1 : 1 + kMost;
  return ofAll([&](auto group) SLAQ_INLINE {
    const Lanes error = load(&errors.sums[group * kLanes]) * each + least;
    const Lanes square = error * error;
    return load(&opinions.reach[group * kLanes]) > 0.0f ? 1.0f / (square * square) : Lanes{};
  });
}

// What is to be averaged of one job.
struct Draft {
  Seated weights;
  Seated changes[3];  // as in Means
};

[[gnu::always_inline]] inline Draft draftOf(const Weighed& job) {
  const auto within = [&](float ahead) SLAQ_INLINE {
    return ofAll([&](auto group) SLAQ_INLINE { return changesExpected<group>(*job.opinions, ahead); });
  };
  return {weightsOf(*job.opinions, *job.errors),
          {ofAll([&](auto group) SLAQ_INLINE { return load(&job.opinions->lift[group * kLanes]); }),
           within(job.near), within(job.far)}};
}

bool hasFloor(const Weighed& job) { return job.height > kLeastHeight && job.height < kMostHeight; }

// The sums of the weights and of what they weigh.
struct Sums {
  Lanes plain;       // in the order of Means, then the weights
  Lanes logarithms;  // likewise, then the weights of those that know the floor
};

[[gnu::always_inline]] inline Sums sumsOf(const Draft& draft, float perHeight) {
  const auto weighted = [&](auto number) SLAQ_INLINE {
    Lanes lanes = {};
    forEachGroup<kExperts>([&](auto group)
                               SLAQ_INLINE { lanes += draft.weights.lanes[group] * number(group); });
    return lanes;
  };
  const auto plain = [&](std::size_t i) SLAQ_INLINE {
    return weighted([&](auto group) SLAQ_INLINE { return draft.changes[i].lanes[group]; });
  };
  const auto logarithm = [&](std::size_t i) SLAQ_INLINE {
    return weighted([&](auto group) SLAQ_INLINE {
      return logOnePlus(most(draft.changes[i].lanes[group] * perHeight, Lanes{} - kDeepest));
    });
  };
  const Lanes weights = weighted([](auto) SLAQ_INLINE { return Lanes{} + 1.0f; });
  const Lanes knows = weighted([](auto group) SLAQ_INLINE { return knowing<group>(); });
  return {sums(plain(0), plain(1), plain(2), weights), sums(logarithm(0), logarithm(1), logarithm(2), knows)};
}

// Plain or, in part, of the logarithms of what is above the floor.
[[gnu::always_inline]] inline Means meansOf(const Sums& sums, const Weighed& job) {
  const float share = 1 / sums.plain[3];
  const Lanes plain = sums.plain * share;
  const Lanes logarithms = sums.logarithms * share;
  const float logarithmic = hasFloor(job) ? std::min(1.0f, kKnowing * logarithms[3]) : 0;
  const Lanes fallen = shareFallen(-logarithms);
  const Lanes means = plain - logarithmic * (job.height * fallen + plain);
  return {means[0], means[1], means[2]};
}

}  // namespace

void Errors::fade() {
  for (auto& sum : sums) sum *= kDiscount;
  judged *= kDiscount;
}

SLAQ_FOR_EACH_PROCESSOR
void judge(std::span<const Hearing> hearings) {
  for (const auto& [errors, opinions, ahead, truth, times] : hearings) {
    const Seated wrong = ofAll(
        [&](auto group) SLAQ_INLINE { return magnitude(changesExpected<group>(*opinions, ahead) - truth); });
    const float mean = total(wrong) / kExperts;
    forEachGroup<kExperts>([&](auto group) SLAQ_INLINE {
      const Lanes relative =
          mean > 0 ? least(wrong.lanes[group] / mean, Lanes{} + kWorstError) : Lanes{} + 1.0f;
      float* sums = &errors->sums[group * kLanes];
      store(load(sums) + times * relative, sums);
    });
    errors->judged += times;
  }
}

SLAQ_FOR_EACH_PROCESSOR
void weigh(std::span<Weighed> jobs) {
  Draft drafts[kTogether];
  Sums sums[kTogether];
  for (std::size_t i = 0; i < jobs.size(); ++i) drafts[i] = draftOf(jobs[i]);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    sums[i] = sumsOf(drafts[i], hasFloor(jobs[i]) ? 1 / jobs[i].height : 0);
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].means = meansOf(sums[i], jobs[i]);
}

}  // namespace slaq
