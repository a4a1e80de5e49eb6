// Asks the API server whose a token is and whether they may read a path, as Kubernetes' own components do for
// their metrics: a TokenReview, then a SubjectAccessReview.
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
  // REQUIRES: `api` may write without a lease, is used by nobody else, and with `clock` outlives this.
  AccessReviewer(client::Api& api, const Clock& clock);

  // Whether the owner of the token may get the path, which is of no resource ("/metrics"). Invalid: the token
  // is nobody's; Forbidden: its owner may not; else the API server could not be asked, or was asked about too
  // many unknown tokens within a second. An answer counts for a minute.
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
  TokenBucket unknown_;  // of reviews of tokens that were not let in before
};

}  // namespace slaq::kube::access
