#include "trainer/training/checkpoint.h"

#include <boost/crc.hpp>
#include <optional>
#include <vector>

#include "trainer/io/archive.h"
#include "trainer/io/bytes.h"
#include "trainer/io/files.h"

namespace slaq::trainer::training {
namespace {

const std::string kMagic = "slaq-trainer checkpoint 1\n";

std::uint32_t checksumOf(std::string_view bytes) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

struct Content {
  std::uint32_t checksum = 0;  // of the two that follow
  problem::Problem problem;
  std::string training;
};

tl::unexpected<Error> refuse(const std::string& path, const std::string& rest) {
  return failure(ErrorKind::Invalid, "--checkpoint " + path + " " + rest);
}

Result<Content> parse(const std::string& path, std::string_view bytes) {
  if (!bytes.starts_with(kMagic))
    return refuse(path, "is not a checkpoint of slaq-trainer; name another file");
  bytes.remove_prefix(kMagic.size());
  Content content;
  io::ByteReader reader(bytes);
  reader(content.checksum);
  const std::string_view rest = bytes.substr(std::min(bytes.size(), sizeof content.checksum));
  if (reader.failed() || checksumOf(rest) != content.checksum) {
    return refuse(path, "is damaged; delete it to start again, or put back an older one");
  }
  fields(reader, content.problem), reader(content.training);
  if (!reader.whole()) return refuse(path, "is of another version of slaq-trainer; delete it to start again");
  return content;
}

// What a user would call a value of the problem.
struct Named {
  std::string name;
  std::string value;
};

std::vector<Named> valuesOf(const problem::Problem& problem) {
  std::vector<Named> values{{"--algorithm", problem.algorithm},
                            {"--data", problem.data},
                            {"--rows", std::to_string(problem.rows)},
                            {"--features", std::to_string(problem.features)},
                            {"--chunks", std::to_string(problem.chunks)},
                            {"--seed", std::to_string(problem.seed)},
                            {"the number of classes", std::to_string(problem.classes)}};
  for (const auto& [name, value] : problem.settings.all())
    values.push_back({"--" + name, problem::write(value)});
  values.push_back({"the checksum of the data", std::to_string(problem.checksum)});
  return values;
}

std::optional<std::string> valueIn(const std::vector<Named>& values, const std::string& name) {
  for (const Named& value : values) {
    if (value.name == name) return value.value;
  }
  return std::nullopt;
}

// "--rows is 100, not 200".
std::string difference(const problem::Problem& saved, const problem::Problem& asked) {
  const auto old = valuesOf(saved);
  for (const Named& now : valuesOf(asked)) {
    const std::string before = valueIn(old, now.name).value_or("absent");
    if (before != now.value) return now.name + " is " + before + ", not " + now.value;
  }
  return "it has more settings";
}

}  // namespace

Result<void> saveCheckpoint(const std::string& path, const problem::Problem& problem, Training& training) {
  io::Archive memory;
  training.archive(memory);
  problem::Problem copy = problem;
  io::ByteWriter body;
  fields(body, copy), body(memory.take());
  const std::string bytes = body.take();
  io::ByteWriter checksum;
  checksum(checksumOf(bytes));
  return io::replaceWhole(path, kMagic + checksum.take() + bytes);
}

Result<bool> loadCheckpoint(const std::string& path, const problem::Problem& problem, Training& training) {
  const auto bytes = io::readWhole(path);
  if (!bytes && bytes.error().kind == ErrorKind::NotFound) return false;
  if (!bytes) return refuse(path, "cannot be read; name another file");
  const auto content = parse(path, *bytes);
  if (!content) return failure(content.error());
  if (content->problem != problem) {
    return refuse(path, "is of another training: there " + difference(content->problem, problem) +
                            "; give the same flags again or name another file");
  }
  io::Archive memory{std::string_view(content->training)};
  training.archive(memory);
  if (!memory.whole()) return refuse(path, "is of another version of slaq-trainer; delete it to start again");
  return true;
}

}  // namespace slaq::trainer::training
