// A visitor for std::visit made of one lambda for each alternative of a variant.
#pragma once

namespace slaq::kube::client {

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
// In C++20 an aggregate has this guide implicitly, but not in clang 14, which clang-tidy is from.
template <class... Cases>
Match(Cases...) -> Match<Cases...>;

}  // namespace slaq::kube::client
