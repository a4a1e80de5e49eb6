#include "trainer/algorithms/topics/topics.h"

#include <array>

#include "trainer/algorithms/topics/topic_training.h"
#include "trainer/data/random.h"

namespace slaq::trainer::algorithms::topics {
namespace {

constexpr problem::Setting kTopics{.name = "topics",
                                   .help = "topics to find",
                                   .kind = problem::Setting::Kind::Whole,
                                   .usual = "20",
                                   .least = 1,
                                   .most = 10000};
// With less, weights would be too small for a double.
constexpr problem::Setting kAlpha{
    .name = "alpha", .help = "prior of a document's topics [1 over the topics]", .least = 0.01, .most = 1000};
constexpr problem::Setting kEta{
    .name = "eta", .help = "prior of a topic's words [1 over the topics]", .least = 0.01, .most = 1000};

constexpr std::array kEm{kTopics, kAlpha, kEta};

constexpr std::array kOnline{
    kTopics,
    kAlpha,
    kEta,
    problem::Setting{.name = "batch-size",
                     .help = "documents of a mini-batch, as near as chunks can be divided",
                     .kind = problem::Setting::Kind::Whole,
                     .usual = "256",
                     .least = 1},
    problem::Setting{
        .name = "tau", .help = "how many iterations late the first ones count", .usual = "10", .above = true},
    problem::Setting{.name = "kappa",
                     .help = "how fast what was learned is no longer forgotten",
                     .usual = "0.7",
                     .least = 0.5,
                     .most = 1},
};

double priorOf(const problem::Problem& problem, std::string_view name) {
  return problem.settings.has(name) ? problem.settings.number(name) : 1 / problem.settings.number("topics");
}

TopicModel firstModel(const problem::Problem& problem) {
  data::Random random(problem.seed, data::Purpose::FirstState);
  return {problem.features, problem.settings.whole("topics"), priorOf(problem, "eta"), random};
}

Batches onlineBatches(const problem::Problem& problem) {
  return batchesOf(problem.seed, problem.settings.whole("batch-size"), problem.rows);
}

std::unique_ptr<Kernel> makeKernel(const problem::Problem& problem, Batches batches) {
  return std::make_unique<TopicKernel>(problem.settings.whole("topics"), priorOf(problem, "alpha"), batches);
}

}  // namespace

std::span<const problem::Setting> topicsEmSettings() { return kEm; }

std::span<const problem::Setting> topicsOnlineSettings() { return kOnline; }

double topicsNumbers(const problem::Problem& problem) {
  return problem.settings.number("topics") * static_cast<double>(problem.features) + 3;
}

std::unique_ptr<Algorithm> makeTopicsEm(const problem::Problem& problem, const data::Source&) {
  return std::make_unique<TopicTraining>(firstModel(problem), problem.rows, Forgetting{});
}

std::unique_ptr<Kernel> makeTopicsEmKernel(const problem::Problem& problem) {
  return makeKernel(problem, Batches{});
}

std::unique_ptr<Algorithm> makeTopicsOnline(const problem::Problem& problem, const data::Source&) {
  const Forgetting forgetting{problem.settings.number("tau"), problem.settings.number("kappa")};
  return std::make_unique<TopicTraining>(firstModel(problem), problem.rows, forgetting);
}

std::unique_ptr<Kernel> makeTopicsOnlineKernel(const problem::Problem& problem) {
  return makeKernel(problem, onlineBatches(problem));
}

}  // namespace slaq::trainer::algorithms::topics
