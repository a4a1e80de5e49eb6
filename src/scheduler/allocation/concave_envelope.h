// The upper concave envelope of points in the plane: the lowest concave curve that no point lies above. For a
// job it shows which states are worth their cost at some price, and at which price.
#pragma once

#include <cstddef>
#include <vector>

namespace slaq::scheduler {

struct EnvelopePoint {
  double cost = 0;   // units or iterations that the point takes
  double value = 0;  // what the point is worth
};

// The vertices of the envelope. Cost and value rise from vertex to vertex, and the slope between them falls.
class ConcaveEnvelope {
 public:
  // Adds a point to the right of all earlier ones. A point that is worth no more than the last vertex is
  // ignored. Vertices that come to lie under the envelope are dropped (Andrew's monotone chain). REQUIRES: a
  // cost above that of every earlier point.
  void add(const EnvelopePoint& point);

  std::size_t size() const { return vertices_.size(); }
  const EnvelopePoint& operator[](std::size_t i) const { return vertices_[i]; }

  // The value of the envelope at a cost; constant beyond its ends. REQUIRES: not empty.
  double at(double cost) const;

  // The vertex from `first` to `last` that maximizes value - price * cost; among equal ones the cheapest.
  // REQUIRES: first <= last < size().
  std::size_t best(double price, std::size_t first, std::size_t last) const;

  // The value that one unit of cost adds between vertex i and the next one. REQUIRES: i + 1 < size().
  double slopeAfter(std::size_t i) const;

 private:
  std::vector<EnvelopePoint> vertices_;
};

}  // namespace slaq::scheduler
