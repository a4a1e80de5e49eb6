// An API server with TrainingJobs for the commands that read a cluster, and a kubeconfig that leads there.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "support/child_process.h"
#include "support/scripted_server.h"

namespace slaq::test {

// JSON written with single quotes.
inline std::string json(std::string text) {
  std::ranges::replace(text, '\'', '"');
  return text;
}

// A running job of the given name. `spec` and `status` are more fields of theirs, each begun by a comma.
inline std::string jobJson(const std::string& ns, const std::string& name, const std::string& spec = "",
                           const std::string& status = "") {
  return json(
      "{'metadata': {'name': '" + name + "', 'namespace': '" + ns + "', 'uid': 'uid-" + name +
      "', 'resourceVersion': '7', 'creationTimestamp': '2026-01-31T12:00:00Z'}, "
      "'spec': {'workers': {'minReplicas': 1, 'maxReplicas': 8, 'template': {'spec': {'containers': "
      "[{'name': 'main', 'image': 'i', 'resources': {'requests': {'cpu': '500m'}}}]}}}" +
      spec +
      "}, 'status': {'state': 'Running', 'startTime': '2026-01-31T12:00:10Z', 'replicas': 4, "
      "'readyReplicas': 3, 'desiredReplicas': 5, 'progress': {'iteration': 120, 'loss': '0.5', "
      "'level': '0.25', 'estimatedRemainingSeconds': 90}, 'decision': {'workers': 5, 'cores': '2500m', "
      "'gainPerCore': '0.004', 'price': '0.003', 'reason': '4 -> 5: it gains most', 'since': "
      "'2026-01-31T12:01:00Z'}, 'conditions': [{'type': 'Ready', 'status': 'True', 'reason': 'Running', "
      "'message': 'workers are running', 'lastTransitionTime': '2026-01-31T12:00:10Z'}]" +
      status + "}}");
}

// Serves lists, single jobs and whatever else a test puts at a path; the rest is 404, as a cluster says it.
class ApiServer {
 public:
  ApiServer() {
    std::ofstream(kubeconfig()) << "current-context: here\n"
                                   "contexts:\n"
                                   "- {name: here, context: {cluster: k, user: u, namespace: team-a}}\n"
                                   "- {name: there, context: {cluster: k, user: u, namespace: team-b}}\n"
                                   "clusters: [{name: k, cluster: {server: \"" +
                                       server_.url() +
                                       "\"}}]\n"
                                       "users: [{name: u, user: {token: secret}}]\n";
  }

  // Puts a job where it is found by itself and in the lists of its namespace and of all.
  void add(const std::string& ns, const std::string& name, const std::string& object) {
    const std::lock_guard lock(mutex_);
    answers_[kJobs + "/namespaces/" + ns + "/trainingjobs/" + name] = {200, object};
    lists_[kJobs + "/namespaces/" + ns + "/trainingjobs"].push_back(object);
    lists_[kJobs + "/trainingjobs"].push_back(object);
  }
  void list(const std::string& path, const std::vector<std::string>& objects) {
    const std::lock_guard lock(mutex_);
    lists_[path] = objects;
  }
  // Every request for that path, or with a "?", for a path and a query that begin so.
  void answer(const std::string& path, int status, const std::string& body) {
    const std::lock_guard lock(mutex_);
    made_.erase(path);
    answers_[path] = {status, body};
  }
  // The same, with a body that is made for each request, such as one that tells the time.
  void answer(const std::string& path, int status, std::function<std::string()> body) {
    const std::lock_guard lock(mutex_);
    made_[path] = std::move(body);
    answers_[path] = {status, ""};
  }
  void answerAll(int status, const std::string& body) { answer("/", status, body); }

  std::size_t pageSize = 500;

  std::string kubeconfig() const { return folder_.path() + "/config"; }
  std::string url() const { return server_.url(); }
  std::vector<std::string> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  using Answer = std::pair<int, std::string>;
  inline static const std::string kJobs = "/apis/slaq.io/v1alpha1";

  Answer answerTo(const std::string& path) const {
    const std::string alone = path.substr(0, path.find('?'));
    if (const auto all = answers_.find("/"); all != answers_.end()) return all->second;
    for (const auto& [asked, answer] : answers_) {
      if (asked.find('?') != std::string::npos && path.starts_with(asked)) return answer;
    }
    if (const auto found = answers_.find(alone); found != answers_.end()) {
      const auto made = made_.find(alone);
      return made == made_.end() ? found->second : Answer{found->second.first, made->second()};
    }
    const auto list = lists_.find(alone);
    if (list != lists_.end()) return {200, pageOf(list->second, path)};
    return {404, json("{'kind': 'Status', 'reason': 'NotFound', 'message': 'the server could not find the "
                      "requested resource', 'code': 404}")};
  }

  // Tokens say where the next page begins.
  std::string pageOf(const std::vector<std::string>& objects, const std::string& path) const {
    const auto token = path.find("&continue=");
    const std::size_t begin = token == std::string::npos ? 0 : std::stoul(path.substr(token + 10));
    const std::size_t end = std::min(objects.size(), begin + pageSize);
    std::string items;
    for (std::size_t i = begin; i < end; ++i) items += (i == begin ? "" : ",") + objects[i];
    const std::string next = end < objects.size() ? ", 'continue': '" + std::to_string(end) + "'" : "";
    return json("{'metadata': {'resourceVersion': '9'" + next + "}, 'items': [") + items + "]}";
  }

  void serve(const ReceivedRequest& request, Connection& connection) {
    Answer answer;
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request.path);
      answer = answerTo(request.path);
    }
    connection.reply(answer.first, answer.second, "Content-Type: application/json\r\n");
  }

  TemporaryDirectory folder_;
  mutable std::mutex mutex_;
  std::map<std::string, Answer> answers_;
  std::map<std::string, std::function<std::string()>> made_;
  std::map<std::string, std::vector<std::string>> lists_;
  std::vector<std::string> requests_;
  ScriptedServer server_{answering(
      [this](const ReceivedRequest& request, Connection& connection) { serve(request, connection); })};
};

}  // namespace slaq::test
