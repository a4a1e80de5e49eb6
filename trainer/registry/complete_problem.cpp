#include "trainer/registry/complete_problem.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "trainer/data/formats/formats.h"
#include "trainer/data/generators/generators.h"
#include "trainer/data/one_against_rest.h"
#include "trainer/registry/names.h"

namespace slaq::trainer::registry {
namespace {

constexpr std::array kShared{
    // in the order of use in declaredFor()
    problem::Setting{.name = "positive",
                     .help = "the class to tell from all others, if there are more than two",
                     .least = -1e15,
                     .most = 1e15},
    problem::Setting{.name = "standardize",
                     .help = "make each feature of a file have mean 0 and deviation 1",
                     .kind = problem::Setting::Kind::Word,
                     .usual = "no",
                     .choices = {"no", "yes"}},
};

tl::unexpected<Error> refuse(const std::string& sentence) { return failure(ErrorKind::Invalid, sentence); }

std::string dataOf(const problem::Problem& problem, const Entry& entry) {
  return problem.data.empty() ? std::string(entry.data) : problem.data;
}

void append(std::vector<problem::Setting>& all, std::span<const problem::Setting> more) {
  for (const problem::Setting& setting : more) {
    if (std::ranges::find(all, setting.name, &problem::Setting::name) == all.end()) all.push_back(setting);
  }
}

// Where the rows come from, as far as it matters here: one of the two.
struct Origin {
  const data::generators::Generator* generator = nullptr;
  const data::formats::Format* format = nullptr;

  bool documents() const { return generator ? generator->documents : format->documents; }
  std::span<const problem::Setting> settings() const {
    return generator ? generator->settings : format->settings;
  }
};

Result<Origin> originOf(const std::string& data) {
  const Origin origin{data::generators::findGenerator(data), data::formats::findFormat(data)};
  if (origin.generator || origin.format) return origin;
  return refuse("unknown data \"" + data + "\"; choose one of " + namesIn(data::generators::generators()) +
                ", or FORMAT:PATH with a format of " + namesIn(data::formats::formats()));
}

// Data of the right shape, with something to predict for those that predict.
Result<void> validateData(const problem::Problem& problem, const Entry& entry, const Origin& data) {
  const std::string pair = problem.algorithm + " cannot train on " + problem.data;
  if (entry.documents != data.documents()) {
    return refuse(pair + ": it takes " + (entry.documents ? "documents" : "rows of features"));
  }
  const bool wantsClasses = entry.targets == Targets::Signs || entry.targets == Targets::Classes;
  const bool known = data.generator || problem.rows > 0;  // of a file only once it is read
  if (known && wantsClasses && problem.classes < 2) return refuse(pair + ": it takes two classes or more");
  return {};
}

Result<void> validatePositive(const problem::Problem& problem) {
  const std::string classes = "there are classes 0 to " + std::to_string(problem.classes - 1);
  if (!problem.settings.has("positive")) {
    if (problem.classes == 2) return {};
    return refuse(problem.algorithm +
                  " tells one class from all others; say which with --positive: " + classes);
  }
  const double positive = problem.settings.number("positive");
  const bool counted = positive >= 0 && positive < static_cast<double>(problem.classes);
  if (counted && positive == std::floor(positive)) return {};
  return refuse("--positive must be a class: " + classes);
}

std::int64_t positiveOf(const problem::Problem& problem) {
  return problem.settings.has("positive") ? problem.settings.whole("positive") : problem.classes - 1;
}

// Fills in what the generator has rows and features of usually.
Result<void> setSizes(problem::Problem& problem, const data::generators::Generator& generator) {
  if (problem.rows == 0) problem.rows = generator.rows;
  if (problem.features == 0) problem.features = generator.features;
  const std::string pair = problem.algorithm + " on " + problem.data;
  if (problem.rows == 0) return refuse(pair + " needs --rows: how many rows to make, such as 10000");
  if (problem.features == 0) return refuse(pair + " needs --features: how many each row has, such as 10");
  return {};
}

Result<void> validateGenerated(const problem::Problem& problem, const Entry& entry,
                               const data::generators::Generator& data) {
  if (entry.targets == Targets::Signs) {
    if (auto positive = validatePositive(problem); !positive) return positive;
  }
  return data.validate ? data.validate(problem) : Result<void>();
}

}  // namespace

std::span<const problem::Setting> sharedSettings() { return kShared; }

Result<std::vector<problem::Setting>> declaredFor(const problem::Problem& problem) {
  const auto entry = findAlgorithm(problem);
  if (!entry) return failure(entry.error());
  const auto origin = originOf(dataOf(problem, *entry));
  if (!origin) return failure(origin.error());
  std::vector<problem::Setting> all(entry->settings.begin(), entry->settings.end());
  if (entry->targets == Targets::Signs) append(all, sharedSettings().first(1));
  append(all, origin->settings());
  if (origin->format && !origin->documents()) append(all, sharedSettings().last(1));
  return all;
}

Result<problem::Problem> complete(problem::Problem given) {
  const auto declared = declaredFor(given);
  if (!declared) return failure(declared.error());
  const Entry entry = findAlgorithm(given).value();
  given.data = dataOf(given, entry);
  auto settings = complete(std::move(given.settings), *declared, given.algorithm + " on " + given.data);
  if (!settings) return failure(settings.error());
  given.settings = std::move(*settings);
  const Origin data = originOf(given.data).value();
  if (const data::generators::Generator* generator = data.generator) {
    if (auto sizes = setSizes(given, *generator); !sizes) return failure(sizes.error());
    given.classes = generator->classes ? generator->classes(given.settings) : 0;
  }
  if (auto fits = validateData(given, entry, data); !fits) return failure(fits.error());
  return given;
}

Result<Entry> entryFor(const problem::Problem& problem) {
  const auto whole = complete(problem);
  if (!whole) return failure(whole.error());
  if (*whole != problem) return refuse("the problem is not complete");
  const Entry entry = findAlgorithm(problem).value();
  const data::generators::Generator* generator = data::generators::findGenerator(problem.data);
  if (auto sizes = problem::validateSizes(problem); !sizes) return failure(sizes.error());
  if (entry.numbers(problem) > problem::kMostNumbers) {
    return refuse(
        "the model must have at most 4,000,000 parameters; make it or the number of features smaller");
  }
  if (generator) {
    if (auto valid = validateGenerated(problem, entry, *generator); !valid) return failure(valid.error());
  }
  if (entry.validate) {
    if (auto valid = entry.validate(problem); !valid) return failure(valid.error());
  }
  return entry;
}

std::unique_ptr<data::Source> makeSource(const problem::Problem& problem) {
  const data::generators::Generator* generator = data::generators::findGenerator(problem.data);
  if (!generator) return nullptr;
  auto source = generator->make(problem);
  const Entry entry = findAlgorithm(problem).value();
  return entry.targets == Targets::Signs ? data::oneAgainstRest(std::move(source), positiveOf(problem))
                                         : std::move(source);
}

}  // namespace slaq::trainer::registry
