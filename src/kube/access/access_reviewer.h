// Asks the API server who owns a token and whether that owner may read a path. Kubernetes' own components do
// the same for their metrics: a TokenReview, then a SubjectAccessReview.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/token_bucket.h"
#include "kube/client/api.h"

namespace slaq::kube::access {

// One thread owns it.
class AccessReviewer {
 public:
  // REQUIRES: `api` may write without a lease and has no other user. `api` and `clock` outlive this.
  AccessReviewer(client::Api& api, const Clock& clock);

  // Checks that the token's owner may get the path, which belongs to no resource ("/metrics"). Invalid: the
  // token has no owner in this cluster. Forbidden: its owner may not. Any other error: the API server could
  // not be asked, or was asked about too many unknown tokens within a second. An answer counts for a minute.
  Result<void> mayGet(const std::string& token, const std::string& path);

 private:
  struct Answer {
    Result<void> result;
    Seconds at;
  };

  Result<void> review(const std::string& token, const std::string& path);

  client::Api& api_;
  const Clock& clock_;
  std::map<std::pair<std::string, std::string>, Answer> answers_;  // by token and path
  TokenBucket unknown_;  // limits reviews of tokens that were not let in before
};

}  // namespace slaq::kube::access
