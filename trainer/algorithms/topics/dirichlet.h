// What variational inference needs to know of the Dirichlet distribution with parameters a (Blei, Ng and
// Jordan 2003, appendix A).
#pragma once

#include <Eigen/Core>

namespace slaq::trainer::algorithms::topics {

double digamma(double x);  // x > 0

// E[log p] for each component.
Eigen::VectorXd expectedLog(const Eigen::Ref<const Eigen::VectorXd>& parameters);

// E[log of the symmetric prior's density] plus the entropy of the distribution with `parameters`: its part in
// the evidence's lower bound. `logs` is expectedLog(parameters).
double priorBound(double prior, const Eigen::Ref<const Eigen::VectorXd>& parameters,
                  const Eigen::Ref<const Eigen::VectorXd>& logs);

}  // namespace slaq::trainer::algorithms::topics
