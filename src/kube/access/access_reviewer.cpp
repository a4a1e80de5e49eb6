#include "kube/access/access_reviewer.h"

#include "kube/json/json_fields.h"
#include "manifest/object_writer.h"

namespace slaq::kube::access {
namespace {

constexpr Seconds kLife{60};
constexpr std::size_t kMostAnswers = 64;
constexpr double kUnknownTokensASecond = 5;

using manifest::ObjectWriter;

std::string tokenReview(const std::string& token) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  return manifest::toText(ObjectWriter(allocator)
                              .add("apiVersion", "authentication.k8s.io/v1")
                              .add("kind", "TokenReview")
                              .add("spec", ObjectWriter(allocator).add("token", token).take())
                              .take());
}

// `user` is the status.user of a TokenReview. The review is about the subject with its name, uid, groups and
// extra.
std::string accessReview(const rapidjson::Value& user, const std::string& path) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  ObjectWriter spec(allocator);
  spec.add("nonResourceAttributes", ObjectWriter(allocator).add("path", path).add("verb", "get").take());
  spec.add("user", json::stringAt(user, {"username"}));
  for (const char* key : {"uid", "groups", "extra"}) {
    if (const auto* found = json::at(user, {key})) spec.add(key, rapidjson::Value(*found, allocator));
  }
  return manifest::toText(ObjectWriter(allocator)
                              .add("apiVersion", "authorization.k8s.io/v1")
                              .add("kind", "SubjectAccessReview")
                              .add("spec", spec.take())
                              .take());
}

}  // namespace

AccessReviewer::AccessReviewer(client::Api& api, const Clock& clock)
    : api_(api), clock_(clock), unknown_(kUnknownTokensASecond, Seconds(1 / kUnknownTokensASecond)) {}

Result<void> AccessReviewer::mayGet(const std::string& token, const std::string& path) {
  if (token.empty()) return failure(ErrorKind::Invalid, "a bearer token of this cluster is needed");
  const Seconds now = clock_.monotonic();
  const auto known = answers_.find({token, path});
  if (known != answers_.end() && now - known->second.at < kLife) return known->second.result;
  const bool mayAskAgain = known != answers_.end() && known->second.result;
  // Any client of the port can make up tokens. These must not keep the API server busy.
  if (!mayAskAgain && !unknown_.take(now))
    return failure(ErrorKind::Transient, "too many unknown tokens came within a second");
  auto result = review(token, path);
  const bool isAnswer =
      result || result.error().kind == ErrorKind::Invalid || result.error().kind == ErrorKind::Forbidden;
  if (answers_.size() >= kMostAnswers)
    std::erase_if(answers_, [](const auto& each) { return !each.second.result; });
  if (answers_.size() >= kMostAnswers) answers_.clear();
  if (isAnswer) answers_.insert_or_assign({token, path}, Answer{result, now});
  return result;
}

Result<void> AccessReviewer::review(const std::string& token, const std::string& path) {
  // A failed request is the controller's own problem, whatever kind of error it is.
  const auto unknown = [](const Error& error) {
    return failure(ErrorKind::Transient, "the API server does not say who may read: " + error.message);
  };
  const auto who = api_.create({client::kTokenReviews, ""}, tokenReview(token));
  if (!who) return unknown(who.error());
  const auto* user = *who ? json::at(**who, {"status", "user"}) : nullptr;
  if (!user || !json::boolAt(**who, {"status", "authenticated"}))
    return failure(ErrorKind::Invalid, "the bearer token is none of this cluster");
  const auto may = api_.create({client::kSubjectAccessReviews, ""}, accessReview(*user, path));
  if (!may) return unknown(may.error());
  if (*may && json::boolAt(**may, {"status", "allowed"})) return {};
  return failure(ErrorKind::Forbidden, json::stringAt(*user, {"username"}) + " has no right to get " + path);
}

}  // namespace slaq::kube::access
