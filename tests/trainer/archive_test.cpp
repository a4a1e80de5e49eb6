#include "trainer/io/archive.h"

#include <gtest/gtest.h>

#include <deque>

namespace slaq::trainer {
namespace {

struct Memory {
  double rate = 0;
  std::int64_t step = 0;
  bool begun = false;
  data::Vector weights;
  std::vector<double> trees;
  std::deque<data::Vector> pairs;

  void archive(io::Archive& fields) {
    fields("rate", rate), fields("step", step), fields("begun", begun), fields("weights", weights);
    fields("trees", trees);
    fields.list("pairs", pairs, [](io::Archive& each, data::Vector& pair) { each("pair", pair); });
  }
  bool operator==(const Memory&) const = default;
};

Memory anyMemory() {
  return {
      1e-300, -7, true, data::Vector::LinSpaced(5, 0, 1), {1, 2, 3}, {data::Vector::Ones(2), data::Vector()}};
}

std::string saved(Memory memory) {
  io::Archive out;
  memory.archive(out);
  return out.take();
}

TEST(Archive, GivesBackWhatWasSaved) {
  const std::string bytes = saved(anyMemory());
  io::Archive in(bytes);
  Memory memory;
  memory.pairs.resize(9);
  memory.archive(in);
  EXPECT_TRUE(in.whole());
  EXPECT_EQ(memory, anyMemory());
}

TEST(Archive, NoticesThatSomethingIsMissing) {
  const std::string bytes = saved(anyMemory());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    io::Archive in(std::string_view(bytes).substr(0, size));
    Memory memory;
    memory.archive(in);
    EXPECT_TRUE(in.failed()) << size << " bytes";
  }
}

TEST(Archive, NoticesThatSomethingIsLeft) {
  const std::string bytes = saved(anyMemory()) + "x";
  io::Archive in(bytes);
  Memory memory;
  memory.archive(in);
  EXPECT_FALSE(in.failed());
  EXPECT_FALSE(in.whole());
}

TEST(Archive, NoticesAnotherField) {
  io::Archive out;
  double number = 1;
  out("momentum", number);
  const std::string bytes = out.take();
  io::Archive in(bytes);
  in("rate", number);
  EXPECT_TRUE(in.failed());
}

}  // namespace
}  // namespace slaq::trainer
