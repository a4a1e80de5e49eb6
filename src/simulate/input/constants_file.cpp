#include "simulate/input/constants_file.h"

#include <algorithm>

#include "base/text_file.h"
#include "yaml/fields.h"
#include "yaml/read_yaml.h"

namespace slaq::simulate {
namespace {

forecast::MeanLevels readFirstCurve(yaml::Fields& root) {
  forecast::MeanLevels levels{};
  if (!root.has("firstCurve")) {
    root.mistake("firstCurve", "is missing; list " + std::to_string(levels.size()) + " levels of the loss");
  }
  const auto numbers = root.numbers("firstCurve", levels.size(), 0, 1);
  std::ranges::copy(numbers, levels.begin());
  return levels;
}

forecast::Expert readExpert(yaml::Fields& fields) {
  forecast::Expert expert;
  if (!fields.has("shape")) fields.mistake("shape", "is missing");
  expert.shape = fields.choice("shape", expert.shape, forecast::kShapes);
  expert.view = fields.choice("view", expert.view, forecast::kViews);
  expert.floor = fields.choice("floor", expert.floor, forecast::kFloors);
  const bool isComplete =
      expert.shape == forecast::Shape::Level || (fields.has("view") && fields.has("floor"));
  if (!isComplete) fields.mistake("shape", "needs a view and a floor");
  fields.refuseOthers();
  return expert;
}

forecast::Experts readExperts(yaml::Fields& root) {
  forecast::Experts experts;
  auto sections = root.sections("experts");
  if (sections.size() != experts.size()) {
    root.mistake("experts", "must list " + std::to_string(experts.size()) + " experts, not " +
                                std::to_string(sections.size()));
  }
  for (std::size_t i = 0; i < std::min(sections.size(), experts.size()); ++i) {
    experts[i] = readExpert(sections[i]);
  }
  if (!sections.empty() && experts.front().shape != forecast::Shape::Level) {
    sections.front().mistake("shape", "must be Level: the first expert can always forecast");
  }
  return experts;
}

}  // namespace

Result<forecast::FittedConstants> readConstants(const std::string& file, std::string_view text) {
  auto documents = yaml::readYaml(file, text);
  if (!documents) return failure(std::move(documents).error());
  if (documents->size() != 1) {
    return failure(ErrorKind::Invalid, file + ":1: fitted constants are one document");
  }
  yaml::Mistakes mistakes(documents->front());
  yaml::Fields root(documents->front().value, "", mistakes);
  const forecast::FittedConstants constants{.experts = readExperts(root), .firstCurve = readFirstCurve(root)};
  root.refuseOthers();
  if (!mistakes.none()) return failure(ErrorKind::Invalid, mistakes.text());
  return constants;
}

Result<forecast::FittedConstants> loadConstants(const std::string& file) {
  const auto text = readRegularTextFile(file);
  if (!text) return failure(text.error());
  return readConstants(file, *text);
}

}  // namespace slaq::simulate
