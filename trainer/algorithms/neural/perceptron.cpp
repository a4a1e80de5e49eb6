#include "trainer/algorithms/neural/perceptron.h"

#include <array>

#include "trainer/algorithms/neural/lbfgs_network.h"
#include "trainer/algorithms/neural/sgd_network.h"
#include "trainer/data/random.h"

namespace slaq::trainer {
namespace {

constexpr Setting kHidden{.name = "hidden",
                          .help = "sizes of the hidden layers",
                          .kind = Setting::Kind::Wholes,
                          .usual = "64",
                          .least = 1,
                          .most = 1e6};
constexpr Setting kActivation{.name = "activation",
                              .help = "of the hidden layers",
                              .kind = Setting::Kind::Word,
                              .usual = "tanh",
                              .choices = {"tanh", "relu"}};
constexpr Setting kL2{.name = "l2", .help = "L2 regularization of the weights", .usual = "0.0001"};

constexpr std::array kLbfgs{kHidden, kActivation, kL2};

constexpr std::array kSgd{
    kHidden,
    kActivation,
    kL2,
    Setting{.name = "batch-size",
            .help = "rows of a mini-batch, as near as chunks can be divided",
            .kind = Setting::Kind::Whole,
            .usual = "1024",
            .least = 1},
    Setting{.name = "learning-rate", .help = "first step of gradient descent", .usual = "0.1", .above = true},
    Setting{
        .name = "momentum", .help = "share of a step that the next one keeps", .usual = "0.9", .most = 0.999},
    Setting{.name = "schedule",
            .help = "of the learning rate",
            .kind = Setting::Kind::Word,
            .usual = "constant",
            .choices = {"constant", "step", "cosine", "inverse-sqrt"}},
    Setting{.name = "schedule-period",
            .help = "iterations to a step by 0.3, to the cosine's end, or to 0.7 of the first rate",
            .kind = Setting::Kind::Whole,
            .usual = "100",
            .least = 1},
    Setting{.name = "smoothing",
            .help = "share of the reported loss that is the one before's, the rest being the mini-batch's",
            .usual = "0",
            .most = 0.999},
};

NetworkShape shapeOf(const Problem& problem) {
  NetworkShape shape{{problem.features}, Activation::Tanh};
  const auto& hidden = problem.settings.wholes("hidden");
  shape.sizes.insert(shape.sizes.end(), hidden.begin(), hidden.end());
  shape.sizes.push_back(problem.classes);
  if (problem.settings.word("activation") == "relu") shape.activation = Activation::Relu;
  return shape;
}

Decay decayOf(const std::string& schedule) {
  if (schedule == "step") return Decay::Step;
  if (schedule == "cosine") return Decay::Cosine;
  return schedule == "inverse-sqrt" ? Decay::InverseSqrt : Decay::Constant;
}

Vector firstParametersOf(const Problem& problem) {
  Random random(problem.seed, Purpose::FirstState);
  return firstParameters(shapeOf(problem), random);
}

}  // namespace

std::span<const Setting> perceptronLbfgsSettings() { return kLbfgs; }

std::span<const Setting> perceptronSgdSettings() { return kSgd; }

double perceptronNumbers(const Problem& problem) {
  double inputs = static_cast<double>(problem.features);
  double numbers = 2;
  for (const std::int64_t size : problem.settings.wholes("hidden")) {
    numbers += (inputs + 1) * static_cast<double>(size);
    inputs = static_cast<double>(size);
  }
  return numbers + (inputs + 1) * static_cast<double>(problem.classes);
}

std::unique_ptr<Algorithm> makePerceptronLbfgs(const Problem& problem, const Source&) {
  return std::make_unique<LbfgsNetwork>(shapeOf(problem), problem.settings.number("l2"), problem.rows,
                                        firstParametersOf(problem));
}

std::unique_ptr<Kernel> makePerceptronLbfgsKernel(const Problem& problem) {
  return std::make_unique<LbfgsNetworkKernel>(shapeOf(problem));
}

std::unique_ptr<Algorithm> makePerceptronSgd(const Problem& problem, const Source&) {
  const Settings& given = problem.settings;
  const SgdSettings settings{.rate = {.decay = decayOf(given.word("schedule")),
                                      .first = given.number("learning-rate"),
                                      .period = given.whole("schedule-period")},
                             .momentum = given.number("momentum"),
                             .l2 = given.number("l2"),
                             .smoothing = given.number("smoothing")};
  return std::make_unique<SgdNetwork>(shapeOf(problem), settings, firstParametersOf(problem));
}

std::unique_ptr<Kernel> makePerceptronSgdKernel(const Problem& problem) {
  return std::make_unique<SgdNetworkKernel>(
      shapeOf(problem), batchesOf(problem.seed, problem.settings.whole("batch-size"), problem.rows));
}

}  // namespace slaq::trainer
