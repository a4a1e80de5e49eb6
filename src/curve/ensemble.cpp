#include "curve/ensemble.h"

#include <algorithm>
#include <cmath>

#include "curve/hyperbola.h"

namespace slaq {
namespace {

// Forecasts are judged so many iterations after they were made, or by the next pair.
constexpr double kJudgedAhead[] = {0, 3, 10};
// Of which those are remembered that are at least so many iterations apart.
constexpr double kBetweenRounds = 2.5;

constexpr double kOwnDiscount = 0.9;      // of its own errors, with each that is judged
constexpr double kGreatestNumber = 1e18;  // in units; beyond it floats might overflow

// Zero is near for losses that are less than so many times what they have fallen, after so many pairs:
// before, what has fallen says little of what will.
constexpr double kNearZero = 6;
constexpr std::size_t kFewestToTell = 4;

constexpr double kDenoised = 0.7;  // the denoiser's share of the forecast where it is trusted

}  // namespace

// A new pair of a job on its way into the forecast.
struct Ensemble::Step {
  Ensemble* ensemble = nullptr;
  const LossSeries* series = nullptr;
  std::optional<double> target = {};
  std::size_t size = 0;  // of the series with this pair
  Evidence evidence = {};

  double iteration() const { return series->iterations()[size - 1]; }
  double loss() const { return series->losses()[size - 1]; }
};

void Ensemble::follow(const LossSeries& series, std::optional<double> target) {
  forgetBefore(series.restarts());
  if (sizeWithNext(series) > series.size()) return;  // it was followed with others
  const Followed job{this, &series, target};
  PrefetchQueue nothing;
  follow({&job, 1}, nothing);
}

void Ensemble::follow(std::span<const Followed> jobs, PrefetchQueue& ahead) {
  for (; jobs.size() > kTogether; jobs = jobs.subspan(kTogether)) followSome(jobs.first(kTogether), ahead);
  followSome(jobs, ahead);
}

// REQUIRES: kTogether jobs at most.
void Ensemble::followSome(std::span<const Followed> jobs, PrefetchQueue& ahead) {
  std::array<Step, kTogether> room;
  auto end = room.begin();
  for (const auto& [ensemble, series, target] : jobs) {
    ensemble->forgetBefore(series->restarts());
    *end++ = {ensemble, series, target, ensemble->sizeWithNext(*series)};
  }
  const auto isPastEnd = [](const Step& step) { return step.size > step.series->size(); };
  while ((end = std::remove_if(room.begin(), end, isPastEnd)) != room.begin()) {
    const std::span steps(room.begin(), end);
    judge(steps, ahead);
    for (auto& step : steps) step.ensemble->take(step);
    ask(steps, ahead);
    forecast(steps, ahead);
    for (auto& step : steps) ++step.size;
  }
}

void Ensemble::judge(std::span<const Step> steps, PrefetchQueue& ahead) {
  std::array<Hearing, kTogether * std::size(kJudgedAhead)> hearings;
  std::size_t count = 0;
  for (const auto& step : steps) {
    ahead.load();
    step.ensemble->denoiser_.add(step.iteration(), step.loss());
    step.ensemble->errors_.fade();
    count += step.ensemble->recall(step, &hearings[count]);
    step.ensemble->judgeItself(step.iteration(), step.loss());
  }
  slaq::judge(std::span(hearings).first(count));
}

void Ensemble::ask(std::span<const Step> steps, PrefetchQueue& ahead) {
  std::array<Levels, kTogether> levels;
  std::array<Question, kTogether> questions;
  std::size_t count = 0;
  for (const auto& step : steps) {
    Round& round = step.ensemble->rounds_[step.ensemble->newest_];
    ahead.load();
    if (!(round.unit > 0)) continue;
    levels[count] = levelsOf(step.evidence);
    questions[count] = {&step.evidence, &levels[count], &round.opinions};
    ++count;
  }
  askExperts(std::span(questions).first(count));
}

void Ensemble::forecast(std::span<const Step> steps, PrefetchQueue& ahead) {
  std::array<Weighed, kTogether> weighed;
  std::size_t count = 0;
  for (const auto& step : steps) {
    ahead.load();
    const Ensemble& ensemble = *step.ensemble;
    const Round& round = ensemble.newest(0);
    const auto& floor = step.evidence.floor;
    const double height = floor && round.unit > 0 ? (round.loss - *floor) / round.unit : 0;
    weighed[count++] = {&round.opinions, &ensemble.errors_,
                        static_cast<float>(std::min(height, kGreatestNumber)), static_cast<float>(kNearAhead),
                        static_cast<float>(farAhead(round.iteration))};
  }
  weigh(std::span(weighed).first(count));
  for (std::size_t i = 0; i < count; ++i) steps[i].ensemble->draw(weighed[i].means);
}

void Ensemble::forgetBefore(std::uint32_t restarts) {
  if (restarts == restarts_) return;
  *this = Ensemble();
  restarts_ = restarts;
}

// The size of the series up to the first pair that is new; more than it has where none is.
std::size_t Ensemble::sizeWithNext(const LossSeries& series) const {
  const auto iterations = series.iterations();
  std::size_t known = iterations.size();
  while (known > 0 && (size_ == 0 || iterations[known - 1] > newest(0).iteration)) --known;
  return known + 1;
}

void Ensemble::take(Step& step) {
  const double loss = step.loss();
  lowest_ = size_ > 0 ? std::min(lowest_, loss) : loss;
  highest_ = size_ > 0 ? std::max(highest_, loss) : loss;
  Round& round = nextRound();
  round.iteration = step.iteration();
  round.loss = loss;
  const double range = highest_ - lowest_;
  const bool canAsk = step.size >= 3 && std::isfinite(range) && std::isfinite(1 / range);
  round.unit = canAsk ? range : 0;
  const bool floorIsNear = step.target || step.size < kFewestToTell || lowest_ < kNearZero * range;
  const auto zero = lowest_ > 0 ? std::optional(0.0) : std::nullopt;
  step.evidence = {step.series->iterations().first(step.size),
                   step.series->losses().first(step.size),
                   lowest_,
                   highest_,
                   step.target ? step.target : zero,
                   floorIsNear};
}

// What was expected of the loss at this pair. A round that is the newest before several of the iterations
// ahead counts as often.
std::size_t Ensemble::recall(const Step& step, Hearing* hearings) {
  std::size_t count = 0;
  const double loss = denoiser_.newest();
  const Round* last = nullptr;
  for (const double ahead : kJudgedAhead) {
    const Round* round = roundBefore(step.iteration() - ahead);
    if (!round || !(round->unit > 0)) continue;
    if (round == last) {
      ++hearings[count - 1].times;
      continue;
    }
    last = round;
    const double truth = std::clamp((loss - round->loss) / round->unit, -kGreatestNumber, kGreatestNumber);
    hearings[count++] = {&errors_, &round->opinions, static_cast<float>(step.iteration() - round->iteration),
                         static_cast<float>(truth)};
  }
  return count;
}

void Ensemble::judgeItself(double iteration, double loss) {
  if (size_ == 0 || iteration - promised_.origin < kNearAhead) return;
  const double range = std::max(highest_, loss) - std::min(lowest_, loss);
  if (promised_.family != CurveFamily::Constant && range > 0) {
    const double error = (promised_.at(iteration) - loss) / range;
    ownErrors_ = kOwnDiscount * ownErrors_ + error * error;
    ownJudged_ = kOwnDiscount * ownJudged_ + 1;
  }
  promised_ = curve_;
}

std::optional<double> Ensemble::backTestError() const {
  if (!(ownJudged_ > 0)) return std::nullopt;
  return std::sqrt(ownErrors_ / ownJudged_);
}

// The newest round that was made at `iteration` at the latest.
const Ensemble::Round* Ensemble::roundBefore(double iteration) const {
  for (std::size_t i = 0; i < size_; ++i) {
    if (newest(i).iteration <= iteration) return &newest(i);
  }
  return nullptr;
}

// The newest takes the place of the one before it, if that one is too close to the third.
Ensemble::Round& Ensemble::nextRound() {
  const bool replaces = size_ > 1 && newest(0).iteration - newest(1).iteration < kBetweenRounds;
  if (!replaces) {
    size_ = std::min(size_ + 1, kRounds);
    newest_ = (newest_ + kRounds - 1) % kRounds;
  }
  return rounds_[newest_];
}

// A mean of the experts' changes within so many iterations, and what the denoiser has to say to it.
double Ensemble::heard(double change, double ahead) const {
  const Round& round = newest(0);
  const double expected = change * round.unit;
  const double trust = kDenoised * denoiser_.trust();
  if (!(trust > 0)) return expected;
  return expected + trust * (denoiser_.at(round.iteration + ahead) - round.loss - expected);
}

// A constant as long as nobody could be asked.
void Ensemble::draw(const Means& means) {
  const Round& round = newest(0);
  curve_ = Curve{.floor = round.loss, .origin = round.iteration};
  if (round.unit > 0) {
    const double far = farAhead(round.iteration);
    const double lift = heard(means.lift, 0);
    curve_ = hyperbolaThrough(round.iteration, round.loss + lift,
                              {kNearAhead, lift - heard(means.near, kNearAhead)},
                              {far, lift - heard(means.far, far)});
  }
  if (size_ == 1) promised_ = curve_;
}

}  // namespace slaq
