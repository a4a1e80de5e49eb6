#include "trainer/training_data.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "trainer/algorithms/registry.h"
#include "trainer/data/lines.h"
#include "trainer/data/one_against_rest.h"
#include "trainer/message.h"

namespace slaq::trainer {
namespace {

constexpr std::size_t kMostClasses = 1000;

class FileSource final : public Source {
 public:
  FileSource(Problem problem, Table table) : problem_(std::move(problem)), table_(std::move(table)) {}

  Chunk chunk(std::int64_t index) const override {
    const RowRange range = rowsOf(problem_, index);
    return slice(table_, index, range.first, range.count);
  }

 private:
  Problem problem_;
  Table table_;
};

tl::unexpected<Error> refuse(const Files& files, const std::string& rest) {
  return failure(ErrorKind::Invalid, files.rows + " " + rest);
}

std::string list(const std::vector<float>& labels) {
  constexpr std::size_t kShown = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(labels.size(), kShown); ++i) {
    text += (i == 0 ? "" : ", ") + digitsOf(labels[i]);
  }
  return text + (labels.size() > kShown ? ", ..." : "");
}

std::vector<float> distinct(const Floats& targets) {
  std::vector<float> labels(targets.begin(), targets.end());
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

// The place among the labels of the one that is told from the others.
Result<std::int64_t> positiveAmong(const std::vector<float>& labels, const Problem& problem,
                                   const Files& files) {
  if (problem.settings.has("positive")) {
    const auto wanted = static_cast<float>(problem.settings.number("positive"));
    const auto found = std::ranges::find(labels, wanted);
    if (found != labels.end()) return found - labels.begin();
    return refuse(files, "has no class " + digitsOf(wanted) + ", the --positive; it has " + list(labels));
  }
  if (labels.size() == 2) return 1;
  return refuse(files,
                "has the classes " + list(labels) + "; say which to tell from the others with --positive");
}

// Labels become classes counted from 0, or signs.
Result<void> classify(Table& table, Problem& problem, Targets targets, const Files& files) {
  const std::vector<float> labels = distinct(table.targets);
  if (labels.size() < 2 || labels.size() > kMostClasses) {
    return refuse(files, "has " + std::to_string(labels.size()) + " different targets; " + problem.algorithm +
                             " takes 2 to 1000 classes");
  }
  for (float& target : table.targets) {
    target = static_cast<float>(std::ranges::lower_bound(labels, target) - labels.begin());
  }
  problem.classes = static_cast<std::int64_t>(labels.size());
  if (targets != Targets::Signs) return {};
  const auto positive = positiveAmong(labels, problem, files);
  if (!positive) return failure(positive.error());
  setAgainstRest(table.targets, *positive);
  return {};
}

Result<void> setTargets(Table& table, Problem& problem, const Entry& entry, const Files& files) {
  if (entry.targets == Targets::None) {
    table.targets.resize(0);
    return {};
  }
  if (table.targets.size() == 0) {
    const bool apart = findFormat(problem.data)->labelsApart;
    return refuse(
        files, "has nothing that " + problem.algorithm + " could learn to predict; " +
                   (apart ? "name the file of the labels with --labels" : "say which column with --target"));
  }
  return entry.targets == Targets::Numbers ? Result<void>() : classify(table, problem, entry.targets, files);
}

Result<void> setSizes(const Table& table, Problem& problem, const Files& files) {
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
Result<void> checkChunks(const Source& source, const Problem& problem) {
  std::size_t longest = 0;
  for (std::int64_t c = 0; c < problem.chunks; ++c) {
    longest = std::max(longest, encode(Rows{source.chunk(c)}).size());
  }
  if (longest <= kLongestBody) return {};
  const double share = static_cast<double>(longest) / static_cast<double>(kLongestBody);
  const auto wanted = static_cast<std::int64_t>(std::ceil(1.1 * share * static_cast<double>(problem.chunks)));
  return failure(ErrorKind::Invalid,
                 "a chunk of these data is larger than a message, which has 64 MiB; write --chunks " +
                     std::to_string(wanted) + " or more");
}

Result<Table> read(Problem& problem, const Files& files) {
  const Format& format = *findFormat(problem.data);
  auto table = format.read(files, problem.settings, problem.features);
  if (!table) return table;
  if (auto sizes = setSizes(*table, problem, files); !sizes) return failure(sizes.error());
  if (auto targets = setTargets(*table, problem, findAlgorithm(problem).value(), files); !targets) {
    return failure(targets.error());
  }
  if (!format.documents && problem.settings.word("standardize") == "yes") standardize(table->features);
  problem.checksum = checksumOf(*table);
  return table;
}

}  // namespace

Result<TrainingData> openData(const Problem& problem, const Files& files) {
  TrainingData data{problem, nullptr, findFormat(problem.data) != nullptr};
  if (!data.travels) {
    if (const auto entry = entryFor(problem); !entry) return failure(entry.error());
    data.source = makeSource(problem);
    return data;
  }
  auto table = read(data.problem, files);
  if (!table) return failure(table.error());
  if (const auto entry = entryFor(data.problem); !entry) return failure(entry.error());
  data.source = std::make_shared<FileSource>(data.problem, std::move(*table));
  if (auto fits = checkChunks(*data.source, data.problem); !fits) return failure(fits.error());
  return data;
}

}  // namespace slaq::trainer
