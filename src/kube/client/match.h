// A visitor for std::visit made of one lambda for each alternative of a variant.
#pragma once

namespace slaq::kube::client {

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};

}  // namespace slaq::kube::client
