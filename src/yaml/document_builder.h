// Builds one LocatedDocument out of a parser's events, and refuses what the contract in read_yaml.h refuses.
// Events rather than yaml-cpp's nodes: a node has lost duplicate keys and copies aliases without a bound.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "yaml/located_document.h"

namespace slaq::yaml {

// Thrown through the parser, which cannot be stopped in another way; readYaml catches it.
struct Refused {
  int line = 0;
  std::string sentence;
};

// The number of an anchor; 0 is none.
using AnchorNumber = std::size_t;

// Lines count from 1. Tags are as the parser gives them: "?" plain, "!" quoted, else what was written.
class DocumentBuilder {
 public:
  // The document of the events since the last call.
  LocatedDocument take();

  void addNull(int line, AnchorNumber anchor);
  void addAlias(int line, AnchorNumber anchor);
  void addScalar(int line, const std::string& tag, AnchorNumber anchor, const std::string& value);
  void openSequence(int line, const std::string& tag, AnchorNumber anchor);
  void openMap(int line, const std::string& tag, AnchorNumber anchor);
  void close();

 private:
  // A value with its number of nodes and its height, which bound the cost of copies.
  struct Node {
    rapidjson::Value value;
    std::size_t nodes = 1;
    std::size_t height = 0;
  };
  // A map or a sequence that is being filled.
  struct Open {
    Node node;
    AnchorNumber anchor = 0;
    std::string path;
    std::optional<std::string> key;  // of the member whose value comes next
    int keyLine = 0;
    bool merges = false;                   // the value that comes next is merged into the map (<<)
    std::vector<rapidjson::Value> merged;  // in the order of precedence, each behind the map's own members
  };

  bool expectsKey() const;
  void readKey(int line, const std::string& key, bool isPlain);
  void open(int line, rapidjson::Type type, AnchorNumber anchor);
  void add(int line, Node node, AnchorNumber anchor);
  void attach(Node node);
  void merge(int line, rapidjson::Value value);
  void addMerged(Open& map);
  void count(int line, const Node& node);
  // The path of the value that comes next, whose line is noted.
  std::string locate(int line);

  LocatedDocument document_;
  std::vector<Open> open_;
  std::map<AnchorNumber, Node> anchors_;
  std::size_t nodes_ = 0;
};

}  // namespace slaq::yaml
