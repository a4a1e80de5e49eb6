// One lambda for each case of a variant, for std::visit.
#pragma once

namespace slaq::kube::client {

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};

}  // namespace slaq::kube::client
