// The upper concave envelope of points in the plane: the lowest concave curve that no point lies above. What
// it says of a job: which of its possible states are worth their cost at some price, and at which.
#pragma once

#include <cstddef>
#include <vector>

namespace slaq::scheduler {

struct EnvelopePoint {
  double cost = 0;   // what the point takes: core-seconds or cores
  double value = 0;  // and what it is worth
};

// The vertices of the envelope, of rising cost, rising value and falling slopes between them.
class ConcaveEnvelope {
 public:
  // Adds a point to the right of all earlier ones. A point that is worth no more than the last vertex is
  // none, and vertices that come to lie under the envelope are dropped (Andrew's monotone chain).
  // REQUIRES: a cost above that of every earlier point.
  void add(const EnvelopePoint& point);

  std::size_t size() const { return vertices_.size(); }
  const EnvelopePoint& operator[](std::size_t i) const { return vertices_[i]; }

  // The value of the envelope at a cost, level beyond its ends. REQUIRES: not empty.
  double at(double cost) const;

  // The vertex that maximizes value - price * cost among those from `first` to `last`; of equal ones the
  // cheapest. REQUIRES: first <= last < size().
  std::size_t best(double price, std::size_t first, std::size_t last) const;

  // The value that a unit of cost adds between vertex i and the next one. REQUIRES: i + 1 < size().
  double slopeAfter(std::size_t i) const;

 private:
  std::vector<EnvelopePoint> vertices_;
};

}  // namespace slaq::scheduler
