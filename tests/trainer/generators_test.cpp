#include "trainer/data/generators/generators.h"

#include <gtest/gtest.h>

#include <set>

#include "trainer/calm.h"

namespace slaq::trainer {
namespace {

class AnyGenerator : public testing::TestWithParam<std::string> {
 protected:
  static problem::Problem problem(std::uint64_t seed = 1) {
    const data::generators::Generator& generator = *data::generators::findGenerator(GetParam());
    problem::Problem problem;
    problem.data = generator.name;
    problem.rows = 1003;  // no multiple of anything
    problem.features = 36;
    problem.chunks = 7;
    problem.seed = seed;
    for (const problem::Setting& setting : generator.settings) {
      if (setting.required) problem.settings.set(std::string(setting.name), 4);
    }
    problem.settings = complete(problem.settings, generator.settings, "the generator").value();
    problem.classes = generator.classes ? generator.classes(problem.settings) : 0;
    return problem;
  }
  static std::unique_ptr<data::Source> source(std::uint64_t seed = 1) {
    return data::generators::findGenerator(GetParam())->make(problem(seed));
  }
};

TEST_P(AnyGenerator, MakesAChunkFromSeedAndIndexAlone) {
  const auto one = source();
  const auto other = source();
  static_cast<void>(other->chunk(0));
  const data::Chunk chunk = one->chunk(3);
  EXPECT_EQ(chunk.index, 3);
  EXPECT_EQ(chunk.features, other->chunk(3).features);
  EXPECT_EQ(chunk.targets, other->chunk(3).targets);
  EXPECT_EQ(chunk.documents, other->chunk(3).documents);
  for (const data::Chunk& strange : {one->chunk(4), source(2)->chunk(3)}) {
    EXPECT_FALSE(chunk.features == strange.features && chunk.documents == strange.documents);
  }
}

TEST_P(AnyGenerator, MakesAsManyRowsAsTheChunkHas) {
  for (std::int64_t c = 0; c < problem().chunks; ++c) {
    const data::Chunk chunk = source()->chunk(c);
    const std::int64_t rows = problem::rowsOf(problem(), c).count;
    if (data::generators::findGenerator(GetParam())->documents) {
      EXPECT_EQ(chunk.documents.count(), rows);
    } else {
      EXPECT_EQ(chunk.features.rows(), rows);
      EXPECT_EQ(chunk.targets.size(), rows);
      EXPECT_EQ(chunk.features.cols(), problem().features);
    }
  }
}

TEST_P(AnyGenerator, MakesEveryClassAndNoOther) {
  const std::int64_t classes = problem().classes;
  if (classes == 0) return;
  std::set<float> seen;
  for (std::int64_t c = 0; c < problem().chunks; ++c) {
    for (const float target : source()->chunk(c).targets) seen.insert(target);
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(classes));
  EXPECT_EQ(*seen.begin(), 0);
  EXPECT_EQ(*seen.rbegin(), static_cast<float>(classes - 1));
}

std::vector<std::string> namesOfAll() {
  std::vector<std::string> names;
  for (const data::generators::Generator& generator : data::generators::generators())
    names.emplace_back(generator.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Data, AnyGenerator, testing::ValuesIn(namesOfAll()), lettersOf);

TEST(Data, IsDividedWithoutGapsIntoAlmostEqualChunks) {
  problem::Problem problem;
  for (const std::int64_t rows : {64, 65, 100, 127, 100000}) {
    problem.rows = rows;
    std::int64_t next = 0;
    for (std::int64_t c = 0; c < problem.chunks; ++c) {
      const problem::RowRange range = problem::rowsOf(problem, c);
      EXPECT_EQ(range.first, next);
      EXPECT_GE(range.count, rows / problem.chunks);
      EXPECT_LE(range.count, rows / problem.chunks + 1);
      next = range.first + range.count;
    }
    EXPECT_EQ(next, rows);
  }
}

}  // namespace
}  // namespace slaq::trainer
