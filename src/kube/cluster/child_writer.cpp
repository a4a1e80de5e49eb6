#include "kube/cluster/child_writer.h"

#include "kube/json/metadata.h"
#include "kube/objects/names.h"

namespace slaq::kube::cluster {
namespace {

using json::controllerOf;

client::Target targetOf(const objects::ChildJob& child) {
  return {client::kJobs, child.key.ns, child.key.name};
}

}  // namespace

Result<rapidjson::Document> readOwn(client::Api& api, const objects::StoredJob& stored,
                                    const client::Target& target) {
  auto found = api.get(target);
  if (!found) {
    return failure(found.error().kind == ErrorKind::NotFound ? ErrorKind::Conflict : found.error().kind,
                   found.error().message);
  }
  if (controllerOf(*found) == stored.uid) return found;
  const bool isOfItsNamesake = json::controllerNameOf(*found) == "TrainingJob/" + stored.key.name;
  if (json::isBeingDeleted(*found) || isOfItsNamesake)
    return failure(ErrorKind::Conflict, toString(target) + " of an earlier TrainingJob is being deleted");
  return failure(ErrorKind::Invalid, toString(target) +
                                         " exists already and does not belong to this TrainingJob; "
                                         "delete it, or give the TrainingJob another name");
}

Result<void> ChildWriter::createService(const objects::StoredJob& stored) {
  const client::Target target{client::kServices, stored.key.ns, stored.key.name};
  const auto created = api_.create(target, objects::serviceBody(stored.job));
  if (!created) return failure(created.error());
  if (*created) return {};
  const auto own = readOwn(api_, stored, target);
  if (!own) return failure(own.error());
  return {};
}

Result<void> ChildWriter::ensure(const objects::StoredJob& stored, objects::Role role,
                                 const std::string& body, const objects::ChildGoal& goal) {
  if (const auto known = store_.child(stored.key, stored.uid, role)) return bring(*known, goal);
  const client::Target target{client::kJobs, stored.key.ns, objects::childName(stored.key.name, role)};
  // A mistyped field of the template is refused with its name.
  const auto created = api_.create(target, body, client::FieldValidation::Strict);
  if (!created) return failure(created.error());
  if (*created) {
    store_.updateChild(**created);
    return {};
  }
  const auto own = readOwn(api_, stored, target);
  if (!own) return failure(own.error());
  store_.updateChild(*own);
  // The start was decided on without this child. A running child stays as it is until the next epoch.
  const objects::ChildJob child = objects::readChild(*own);
  if (!child.suspended && !reached(child, goal))
    return failure(ErrorKind::Conflict, toString(target) + " runs already, and was not known yet");
  return bring(child, goal);
}

Result<void> ChildWriter::place(const objects::StoredJob& stored, objects::Role role,
                                const std::string& body) {
  const auto known = store_.child(stored.key, stored.uid, role);
  if (!known || !known->suspended || hasEnded(*known)) return {};
  client::Target target = targetOf(*known);
  const auto found = api_.get(target);
  if (!found) return failure(found.error());
  const std::string patch = objects::placementPatch(*found, body);
  if (patch.empty()) return {};
  // The API server allows it only while the Job has no start time. Its controller sets one at each start.
  target.subresource = "status";
  const auto reset = api_.patch(target, R"({"status": {"startTime": null}})");
  if (!reset) return failure(reset.error());
  const auto patched = api_.patch(targetOf(*known), patch, client::PatchKind::Json);
  if (!patched) return failure(patched.error());
  store_.updateChild(*patched);
  return {};
}

Result<objects::ChildJob> ChildWriter::readAgain(const objects::ChildJob& child) {
  const auto found = api_.get(targetOf(child));
  if (!found) {
    if (found.error().kind != ErrorKind::NotFound) return failure(found.error());
    return failure(ErrorKind::Conflict, toString(targetOf(child)) + " is gone");
  }
  objects::ChildJob now = objects::readChild(*found);
  if (now.uid != child.uid) {
    return failure(ErrorKind::Conflict, toString(targetOf(child)) + " was replaced by another");
  }
  store_.updateChild(*found);
  return now;
}

Result<void> ChildWriter::bring(objects::ChildJob child, const objects::ChildGoal& goal) {
  for (int reread = 0; !reached(child, goal); ++reread) {
    // This is checked after the child was read, so that it covers what the child shows.
    if (const auto why = whyInconsistent_()) return failure(ErrorKind::Conflict, *why);
    store_.expectChild(child, goal);
    const auto patched = api_.patch(targetOf(child), objects::patchBody(child, goal));
    if (patched) {
      store_.updateChild(*patched);
      return {};
    }
    const ErrorKind kind = patched.error().kind;
    if (kind == ErrorKind::NotFound)
      return failure(ErrorKind::Conflict, toString(targetOf(child)) + " is gone");
    if (kind != ErrorKind::Conflict || reread == kMostRereads || !api_.mayWrite())
      return failure(patched.error());
    auto now = readAgain(child);
    if (!now) return failure(now.error());
    // With the same size the conflict was about something else.
    if (!reached(*now, goal) && !sameSize(*now, child))
      return failure(ErrorKind::Conflict, toString(targetOf(child)) + " was changed by somebody else");
    child = std::move(*now);
  }
  return {};
}

}  // namespace slaq::kube::cluster
