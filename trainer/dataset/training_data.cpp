#include "trainer/dataset/training_data.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "trainer/data/formats/lines.h"
#include "trainer/data/one_against_rest.h"
#include "trainer/protocol/message.h"
#include "trainer/registry/complete_problem.h"
#include "trainer/registry/registry.h"

namespace slaq::trainer::dataset {
namespace {

constexpr std::size_t kMostClasses = 1000;

class FileSource final : public data::Source {
 public:
  FileSource(problem::Problem problem, data::formats::Table table)
      : problem_(std::move(problem)), table_(std::move(table)) {}

  data::Chunk chunk(std::int64_t index) const override {
    const problem::RowRange range = problem::rowsOf(problem_, index);
    return data::formats::slice(table_, index, range.first, range.count);
  }

 private:
  problem::Problem problem_;
  data::formats::Table table_;
};

tl::unexpected<Error> refuse(const data::formats::Files& files, const std::string& rest) {
  return failure(ErrorKind::Invalid, files.rows + " " + rest);
}

std::string list(const std::vector<float>& labels) {
  constexpr std::size_t kShown = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(labels.size(), kShown); ++i) {
    text += (i == 0 ? "" : ", ") + data::formats::digitsOf(labels[i]);
  }
  return text + (labels.size() > kShown ? ", ..." : "");
}

std::vector<float> distinct(const data::Floats& targets) {
  std::vector<float> labels(targets.begin(), targets.end());
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

// The place among the labels of the one that is told from the others.
Result<std::int64_t> positiveAmong(const std::vector<float>& labels, const problem::Problem& problem,
                                   const data::formats::Files& files) {
  if (problem.settings.has("positive")) {
    const auto wanted = static_cast<float>(problem.settings.number("positive"));
    const auto found = std::ranges::find(labels, wanted);
    if (found != labels.end()) return found - labels.begin();
    return refuse(files, "has no class " + data::formats::digitsOf(wanted) + ", the --positive; it has " +
                             list(labels));
  }
  if (labels.size() == 2) return 1;
  return refuse(files,
                "has the classes " + list(labels) + "; say which to tell from the others with --positive");
}

// Labels become classes counted from 0, or signs.
Result<void> classify(data::formats::Table& table, problem::Problem& problem, registry::Targets targets,
                      const data::formats::Files& files) {
  const std::vector<float> labels = distinct(table.targets);
  if (labels.size() < 2 || labels.size() > kMostClasses) {
    return refuse(files, "has " + std::to_string(labels.size()) + " different targets; " + problem.algorithm +
                             " takes 2 to 1000 classes");
  }
  for (float& target : table.targets) {
    target = static_cast<float>(std::ranges::lower_bound(labels, target) - labels.begin());
  }
  problem.classes = static_cast<std::int64_t>(labels.size());
  if (targets != registry::Targets::Signs) return {};
  const auto positive = positiveAmong(labels, problem, files);
  if (!positive) return failure(positive.error());
  data::setAgainstRest(table.targets, *positive);
  return {};
}

Result<void> setTargets(data::formats::Table& table, problem::Problem& problem, const registry::Entry& entry,
                        const data::formats::Files& files) {
  if (entry.targets == registry::Targets::None) {
    table.targets.resize(0);
    return {};
  }
  if (table.targets.size() == 0) {
    const bool apart = data::formats::findFormat(problem.data)->labelsApart;
    return refuse(
        files, "has nothing that " + problem.algorithm + " could learn to predict; " +
                   (apart ? "name the file of the labels with --labels" : "say which column with --target"));
  }
  return entry.targets == registry::Targets::Numbers ? Result<void>()
                                                     : classify(table, problem, entry.targets, files);
}

Result<void> setSizes(const data::formats::Table& table, problem::Problem& problem,
                      const data::formats::Files& files) {
  const bool narrow = problem.features != 0 && table.width() != problem.features;
  if (narrow) {
    return refuse(files, "has " + std::to_string(table.width()) + " features, not the --features " +
                             std::to_string(problem.features) + "; leave that out");
  }
  problem.rows = table.rows();
  problem.features = table.width();
  return {};
}

// A chunk travels as one message.
Result<void> checkChunks(const data::Source& source, const problem::Problem& problem) {
  std::size_t longest = 0;
  for (std::int64_t c = 0; c < problem.chunks; ++c) {
    longest = std::max(longest, protocol::encode(protocol::Rows{source.chunk(c)}).size());
  }
  if (longest <= protocol::kLongestBody) return {};
  const double share = static_cast<double>(longest) / static_cast<double>(protocol::kLongestBody);
  const auto wanted = static_cast<std::int64_t>(std::ceil(1.1 * share * static_cast<double>(problem.chunks)));
  return failure(ErrorKind::Invalid,
                 "a chunk of these data is larger than a message, which has 64 MiB; write --chunks " +
                     std::to_string(wanted) + " or more");
}

Result<data::formats::Table> read(problem::Problem& problem, const data::formats::Files& files) {
  const data::formats::Format& format = *data::formats::findFormat(problem.data);
  auto table = format.read(files, problem.settings, problem.features);
  if (!table) return table;
  if (auto sizes = setSizes(*table, problem, files); !sizes) return failure(sizes.error());
  if (auto targets = setTargets(*table, problem, registry::findAlgorithm(problem).value(), files); !targets) {
    return failure(targets.error());
  }
  if (!format.documents && problem.settings.word("standardize") == "yes")
    data::formats::standardize(table->features);
  problem.checksum = data::formats::checksumOf(*table);
  return table;
}

}  // namespace

Result<TrainingData> openData(const problem::Problem& problem, const data::formats::Files& files) {
  TrainingData data{problem, nullptr, data::formats::findFormat(problem.data) != nullptr};
  if (!data.travels) {
    if (const auto entry = registry::entryFor(problem); !entry) return failure(entry.error());
    data.source = registry::makeSource(problem);
    return data;
  }
  auto table = read(data.problem, files);
  if (!table) return failure(table.error());
  if (const auto entry = registry::entryFor(data.problem); !entry) return failure(entry.error());
  data.source = std::make_shared<FileSource>(data.problem, std::move(*table));
  if (auto fits = checkChunks(*data.source, data.problem); !fits) return failure(fits.error());
  return data;
}

}  // namespace slaq::trainer::dataset
