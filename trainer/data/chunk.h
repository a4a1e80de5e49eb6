// A chunk: the part of the training data that one worker computes with at a time. Either rows of dense
// features, with what is to be predicted if anything is, or documents as bags of words.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <vector>

namespace slaq::trainer::data {

// Rows are stored as floats and sums kept as doubles.
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Floats = Eigen::VectorXf;
using Vector = Eigen::VectorXd;

// Document d holds the distinct words words[begins[d]] up to words[begins[d + 1]], each counts[...] times.
struct Documents {
  std::vector<std::int64_t> begins{0};
  std::vector<std::int32_t> words;
  std::vector<float> counts;

  std::int64_t count() const { return static_cast<std::int64_t>(begins.size()) - 1; }
  bool operator==(const Documents&) const = default;
};

struct Chunk {
  std::int64_t index = 0;
  Matrix features;  // one row for each example; empty for documents
  // Real numbers, or -1 and 1, or classes counted from 0: as the algorithm takes them. Empty if nothing is to
  // be predicted.
  Floats targets;
  Documents documents;
};

template <class Io>
void fields(Io& io, Chunk& chunk) {
  io(chunk.index), io(chunk.features), io(chunk.targets);
  io(chunk.documents.begins), io(chunk.documents.words), io(chunk.documents.counts);
}

// Rows that fit the second-level cache are worked on together: each is then read from memory once, and
// float sums stay short before they are added up as doubles.
template <class Visit>
void forEachSlice(Eigen::Index rows, Visit visit) {
  constexpr Eigen::Index kSlice = 256;
  for (Eigen::Index first = 0; first < rows; first += kSlice) visit(first, std::min(kSlice, rows - first));
}

}  // namespace slaq::trainer::data
