#include "cli/predict/predict_request.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace slaq::cli::predict {
namespace {

constexpr std::size_t kLargest = 1'000'000;
constexpr double kMostNoise = 100;

std::optional<std::size_t> countFrom(std::string_view text) {
  const auto count = numberFrom<std::size_t>(text);
  return count && *count >= 1 && *count <= kLargest ? count : std::nullopt;
}

Result<std::vector<std::size_t>> readHorizons(const std::string& text) {
  std::vector<std::size_t> horizons;
  std::string_view rest = text;
  for (bool more = true; more;) {
    const auto comma = rest.find(',');
    const auto horizon = countFrom(rest.substr(0, comma));
    if (!horizon) {
      return failure(ErrorKind::Invalid,
                     "--horizons: must be numbers of iterations, such as 1,5,10, not \"" + text + "\"");
    }
    horizons.push_back(*horizon);
    more = comma != rest.npos;
    if (more) rest.remove_prefix(comma + 1);
  }
  std::ranges::sort(horizons);
  horizons.erase(std::unique(horizons.begin(), horizons.end()), horizons.end());
  return horizons;
}

Result<Gaps> readGaps(const std::string& text) {
  const auto dots = text.find("..");
  const auto least = countFrom(std::string_view(text).substr(0, dots));
  const auto most = dots == text.npos ? least : countFrom(std::string_view(text).substr(dots + 2));
  if (least && most && *least <= *most) return Gaps{*least, *most};
  return failure(
      ErrorKind::Invalid,
      "--every: must be a number of iterations, or the least and the most of them, such as 5 or 1..20, "
      "not \"" +
          text + "\"");
}

// Reads a percentage as a share.
Result<double> readNoise(const std::string& text) {
  const auto percent = numberFrom<double>(text);
  if (percent && *percent >= 0 && *percent <= kMostNoise) return *percent / 100;
  return failure(ErrorKind::Invalid, "--noise: must be from 0 to 100 percent, not \"" + text + "\"");
}

Result<std::uint64_t> readSeed(const std::string& text) {
  if (const auto seed = numberFrom<std::uint64_t>(text)) return *seed;
  return failure(ErrorKind::Invalid, "--seed: must be a whole number from 0, not \"" + text + "\"");
}

}  // namespace

Result<Walk> readWalk(const PredictOptions& options) {
  Walk walk{.timed = options.timing};
  const auto horizons = readHorizons(options.horizons);
  if (!horizons) return failure(horizons.error());
  const auto gaps = readGaps(options.every);
  if (!gaps) return failure(gaps.error());
  const auto noise = readNoise(options.noise);
  if (!noise) return failure(noise.error());
  const auto seed = readSeed(options.seed);
  if (!seed) return failure(seed.error());
  walk.horizons = *horizons;
  walk.gaps = *gaps;
  walk.noise = *noise;
  walk.seed = *seed;
  walk.predictor = options.predictor;
  walk.mode = lossModeFrom(options.mode).value_or(walk.mode);
  walk.convergence = convergenceFrom(options.convergence).value_or(walk.convergence);
  return walk;
}

}  // namespace slaq::cli::predict
