#include "trainer/algorithms/topics/dirichlet.h"

#include <boost/math/special_functions/digamma.hpp>
#include <cmath>

namespace slaq::trainer::algorithms::topics {
namespace {

// The gamma function without the global sign that std::lgamma writes to.
double logGamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace

double digamma(double x) {
  using namespace boost::math::policies;
  return boost::math::digamma(x, policy<promote_double<false>>());
}

Eigen::VectorXd expectedLog(const Eigen::Ref<const Eigen::VectorXd>& parameters) {
  return parameters.unaryExpr(&digamma).array() - digamma(parameters.sum());
}

double priorBound(double prior, const Eigen::Ref<const Eigen::VectorXd>& parameters,
                  const Eigen::Ref<const Eigen::VectorXd>& logs) {
  const auto size = static_cast<double>(parameters.size());
  double bound = (prior - parameters.array()).matrix().dot(logs);
  for (const double parameter : parameters) bound += logGamma(parameter);
  return bound - size * logGamma(prior) + logGamma(size * prior) - logGamma(parameters.sum());
}

}  // namespace slaq::trainer::algorithms::topics
