// Builds one LocatedDocument out of yaml-cpp's parsing events, and refuses what the contract in yaml.h
// refuses by throwing YAML::ParserException, which readYaml catches. Events rather than YAML::Node: a node
// has lost duplicate keys and copies aliases without a bound.
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "yaml/yaml.h"

namespace slaq {

class DocumentBuilder final : public YAML::EventHandler {
 public:
  // The document of the events since the last call.
  LocatedDocument take();

  // Where the document begins: the position of its "---", if it has one.
  const YAML::Mark& start() const { return start_; }

  void OnDocumentStart(const YAML::Mark& mark) override { start_ = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { close(); }

 private:
  // A value together with what copying it costs.
  struct Node {
    rapidjson::Value value;
    std::size_t nodes = 1;
    std::size_t height = 0;
  };
  // A map or a sequence that is being filled.
  struct Open {
    Node node;
    YAML::anchor_t anchor = 0;
    std::string path;
    std::optional<std::string> key;  // of the member whose value comes next
    YAML::Mark keyMark;
  };

  bool expectsKey() const;
  void readKey(const YAML::Mark& mark, const std::string& key);
  void open(const YAML::Mark& mark, rapidjson::Type type, YAML::anchor_t anchor);
  void close();
  void add(const YAML::Mark& mark, Node node, YAML::anchor_t anchor);
  void attach(Node node);
  void count(const YAML::Mark& mark, const Node& node);
  // The path of the value that comes next, whose line is noted.
  std::string locate(const YAML::Mark& mark);

  LocatedDocument document_;
  YAML::Mark start_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Node> anchors_;
  std::size_t nodes_ = 0;
};

}  // namespace slaq
