#include "trainer/algorithms/neural/perceptron.h"

#include <array>

#include "trainer/algorithms/neural/lbfgs_network.h"
#include "trainer/algorithms/neural/sgd_network.h"
#include "trainer/data/random.h"

namespace slaq::trainer::algorithms::neural {
namespace {

constexpr problem::Setting kHidden{.name = "hidden",
                                   .help = "sizes of the hidden layers",
                                   .kind = problem::Setting::Kind::Wholes,
                                   .usual = "64",
                                   .least = 1,
                                   .most = 1e6};
constexpr problem::Setting kActivation{.name = "activation",
                                       .help = "of the hidden layers",
                                       .kind = problem::Setting::Kind::Word,
                                       .usual = "tanh",
                                       .choices = {"tanh", "relu"}};
constexpr problem::Setting kL2{.name = "l2", .help = "L2 regularization of the weights", .usual = "0.0001"};

constexpr std::array kLbfgs{kHidden, kActivation, kL2};

constexpr std::array kSgd{
    kHidden,
    kActivation,
    kL2,
    problem::Setting{.name = "batch-size",
                     .help = "rows of a mini-batch, as near as chunks can be divided",
                     .kind = problem::Setting::Kind::Whole,
                     .usual = "1024",
                     .least = 1},
    problem::Setting{
        .name = "learning-rate", .help = "first step of gradient descent", .usual = "0.1", .above = true},
    problem::Setting{
        .name = "momentum", .help = "share of a step that the next one keeps", .usual = "0.9", .most = 0.999},
    problem::Setting{.name = "schedule",
                     .help = "of the learning rate",
                     .kind = problem::Setting::Kind::Word,
                     .usual = "constant",
                     .choices = {"constant", "step", "cosine", "inverse-sqrt"}},
    problem::Setting{.name = "schedule-period",
                     .help = "iterations to a step by 0.3, to the cosine's end, or to 0.7 of the first rate",
                     .kind = problem::Setting::Kind::Whole,
                     .usual = "100",
                     .least = 1},
    problem::Setting{
        .name = "smoothing",
        .help = "share of the reported loss that is the one before's, the rest being the mini-batch's",
        .usual = "0",
        .most = 0.999},
};

NetworkShape shapeOf(const problem::Problem& problem) {
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

data::Vector firstParametersOf(const problem::Problem& problem) {
  data::Random random(problem.seed, data::Purpose::FirstState);
  return firstParameters(shapeOf(problem), random);
}

}  // namespace

std::span<const problem::Setting> perceptronLbfgsSettings() { return kLbfgs; }

std::span<const problem::Setting> perceptronSgdSettings() { return kSgd; }

double perceptronNumbers(const problem::Problem& problem) {
  double inputs = static_cast<double>(problem.features);
  double numbers = 2;
  for (const std::int64_t size : problem.settings.wholes("hidden")) {
    numbers += (inputs + 1) * static_cast<double>(size);
    inputs = static_cast<double>(size);
  }
  return numbers + (inputs + 1) * static_cast<double>(problem.classes);
}

std::unique_ptr<Algorithm> makePerceptronLbfgs(const problem::Problem& problem, const data::Source&) {
  return std::make_unique<LbfgsNetwork>(shapeOf(problem), problem.settings.number("l2"), problem.rows,
                                        firstParametersOf(problem));
}

std::unique_ptr<Kernel> makePerceptronLbfgsKernel(const problem::Problem& problem) {
  return std::make_unique<LbfgsNetworkKernel>(shapeOf(problem));
}

std::unique_ptr<Algorithm> makePerceptronSgd(const problem::Problem& problem, const data::Source&) {
  const problem::Settings& given = problem.settings;
  const SgdSettings settings{.rate = {.decay = decayOf(given.word("schedule")),
                                      .first = given.number("learning-rate"),
                                      .period = given.whole("schedule-period")},
                             .momentum = given.number("momentum"),
                             .l2 = given.number("l2"),
                             .smoothing = given.number("smoothing")};
  return std::make_unique<SgdNetwork>(shapeOf(problem), settings, firstParametersOf(problem));
}

std::unique_ptr<Kernel> makePerceptronSgdKernel(const problem::Problem& problem) {
  return std::make_unique<SgdNetworkKernel>(
      shapeOf(problem), batchesOf(problem.seed, problem.settings.whole("batch-size"), problem.rows));
}

}  // namespace slaq::trainer::algorithms::neural
