// A training without any network: every chunk in order, on this thread. What all others are compared with.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trainer/registry/complete_problem.h"
#include "trainer/registry/registry.h"
#include "trainer/training/training.h"

namespace slaq::trainer {

inline constexpr training::StopRule kEndless{1000000000, 0};

// The problem with what is usual filled in.
inline problem::Problem completed(problem::Problem problem) {
  return registry::complete(std::move(problem)).value();
}

// Of any algorithm: small, and with what it must be told.
inline problem::Problem problemOf(const std::string& algorithm, std::int64_t rows = 5000) {
  const std::map<std::string_view, double> small = {{"bins", 8}, {"document-length", 20}, {"topics", 4}};
  problem::Problem problem;
  problem.algorithm = algorithm;
  problem.rows = rows;
  problem.features = 16;  // a square, for images
  const auto declared = registry::declaredFor(problem).value();
  for (const problem::Setting& setting : declared) {
    const auto found = small.find(setting.name);
    if (found != small.end()) problem.settings.set(std::string(setting.name), found->second);
    if (setting.required) problem.settings.set(std::string(setting.name), 12);
    if (setting.name == "document-length") problem.rows = rows / 20;  // as much work as other rows
  }
  return completed(problem);
}

// For tests of every algorithm.
inline std::vector<std::string> algorithmNames() {
  std::vector<std::string> names;
  for (const registry::Entry& entry : registry::algorithms()) names.emplace_back(entry.name);
  return names;
}

inline std::string lettersOf(const testing::TestParamInfo<std::string>& name) {
  std::string letters;
  for (const char c : name.param) letters += std::isalpha(c) ? c : '_';
  return letters;
}

inline training::Training makeTraining(const problem::Problem& problem, const training::StopRule& stop) {
  const registry::Entry entry = registry::entryFor(problem).value();
  return training::Training(entry.makeAlgorithm(problem, *registry::makeSource(problem)), problem.chunks,
                            stop);
}

inline std::vector<data::Chunk> allChunks(const problem::Problem& problem) {
  const auto source = registry::makeSource(problem);
  std::vector<data::Chunk> chunks;
  for (std::int64_t c = 0; c < problem.chunks; ++c) chunks.push_back(source->chunk(c));
  return chunks;
}

inline std::vector<training::Progress> trainCalmly(const problem::Problem& problem,
                                                   const training::StopRule& stop) {
  const auto kernel = registry::entryFor(problem).value().makeKernel(problem);
  training::Training training = makeTraining(problem, stop);
  const std::vector<data::Chunk> chunks = allChunks(problem);
  std::vector<training::Progress> curve;
  while (training.ending() == training::Ending::None) {
    const data::Vector state = training.state();
    for (const data::Chunk& chunk : chunks) {
      const auto step = training.accept(chunk.index, kernel->partial(chunk, state));
      if (step == training::Training::Step::Iteration) curve.push_back(*training.progress());
    }
  }
  return curve;
}

}  // namespace slaq::trainer
