// Limited-memory BFGS with a backtracking line search, turned inside out: whoever owns it evaluates the
// function at point() and tells what was found, so that an evaluation may be a round over many machines.
#pragma once

#include <Eigen/Core>
#include <deque>
#include <optional>

#include "trainer/algorithms/algorithm.h"
#include "trainer/io/archive.h"

namespace slaq::trainer::algorithms {

class Lbfgs {
 public:
  enum class Verdict {
    Accepted,  // the point ends a step; point() is a trial of the next
    Rejected,  // the step was too long; point() is a shorter trial
    Minimum,   // the gradient at the point is zero
    Stuck,     // no step along the direction lowers the function, as far as its precision shows
  };

  explicit Lbfgs(data::Vector start, std::size_t memory = 10) : memory_(memory), trial_(std::move(start)) {}

  const data::Vector& point() const { return trial_; }
  Verdict observe(double value, const data::Vector& gradient);
  void archive(io::Archive& fields);

 private:
  struct Pair {
    data::Vector step;
    data::Vector change;  // of the gradient
    double inverse = 0;   // 1 / step . change
  };
  struct Evaluated {
    data::Vector point;
    double value = 0;
    data::Vector gradient;
  };

  Verdict shorten(double value);
  void remember(const Evaluated& next);
  data::Vector descent() const;
  void tryStep();

  std::size_t memory_;
  data::Vector trial_;
  std::optional<Evaluated> current_;
  std::deque<Pair> pairs_;
  data::Vector direction_;
  double length_ = 1;
};

// What a round has shown in which the point was evaluated with this loss.
Outcome outcomeOf(Lbfgs::Verdict verdict, double loss);

}  // namespace slaq::trainer::algorithms
