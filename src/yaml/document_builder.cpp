#include "yaml/document_builder.h"

#include <algorithm>
#include <utility>

#include "base/result.h"
#include "yaml/scalar.h"

namespace slaq::yaml {
namespace {

[[noreturn]] void refuse(int line, std::string sentence) { throw Refused{line, std::move(sentence)}; }

constexpr const char* kText = "tag:yaml.org,2002:str";

// Plain scalars and collections carry "?", quoted scalars "!" or, where nothing is written, nothing.
bool isUntagged(const std::string& tag) { return tag.empty() || tag == "?" || tag == "!"; }

void refuseTag(int line, const std::string& tag) {
  if (!isUntagged(tag)) refuse(line, "the tag '" + printable(tag) + "' is not supported; leave it out");
}

rapidjson::Value textValue(const std::string& text, rapidjson::Document::AllocatorType& allocator) {
  return rapidjson::Value(text.data(), static_cast<rapidjson::SizeType>(text.size()), allocator);
}

rapidjson::Value jsonOf(const YamlScalar& scalar, rapidjson::Document::AllocatorType& allocator) {
  struct {
    rapidjson::Document::AllocatorType& allocator;
    rapidjson::Value operator()(YamlNull) const { return rapidjson::Value(); }
    rapidjson::Value operator()(const std::string& text) const { return textValue(text, allocator); }
    rapidjson::Value operator()(bool value) const { return rapidjson::Value(value); }
    rapidjson::Value operator()(std::int64_t value) const { return rapidjson::Value(value); }
    rapidjson::Value operator()(std::uint64_t value) const { return rapidjson::Value(value); }
    rapidjson::Value operator()(double value) const { return rapidjson::Value(value); }
  } convert{allocator};
  return std::visit(convert, scalar);
}

}  // namespace

LocatedDocument DocumentBuilder::take() {
  open_.clear();
  anchors_.clear();
  nodes_ = 0;
  return std::exchange(document_, {});
}

bool DocumentBuilder::expectsKey() const {
  return !open_.empty() && open_.back().node.value.IsObject() && !open_.back().key;
}

void DocumentBuilder::readKey(int line, const std::string& key, bool isPlain) {
  Open& map = open_.back();
  map.merges = isPlain && key == "<<";
  if (!map.merges && map.node.value.HasMember(textValue(key, document_.value.GetAllocator()))) {
    refuse(line, "duplicate key '" + printable(key) + "'; the first is on line " +
                     std::to_string(lineOf(document_, memberPath(map.path, key))));
  }
  map.key = key;
  map.keyLine = line;
}

std::string DocumentBuilder::locate(int line) {
  std::string path;
  if (!open_.empty()) {
    const Open& parent = open_.back();
    path = parent.path;
    if (parent.node.value.IsArray()) {
      path += "[" + std::to_string(parent.node.value.Size()) + "]";
    } else {
      path = memberPath(path, *parent.key);
      line = parent.keyLine;
    }
  }
  document_.lines[path] = line;
  return path;
}

void DocumentBuilder::count(int line, const Node& node) {
  if (open_.size() + node.height > kDeepestYaml) {
    refuse(line, "nested deeper than " + std::to_string(kDeepestYaml) + " levels");
  }
  nodes_ += node.nodes;
  if (nodes_ > kMostYamlNodes) {
    refuse(line, "more than " + std::to_string(kMostYamlNodes) + " values once aliases are expanded");
  }
}

void DocumentBuilder::attach(Node node) {
  if (open_.empty()) {
    static_cast<rapidjson::Value&>(document_.value) = std::move(node.value);
    return;
  }
  auto& allocator = document_.value.GetAllocator();
  Open& parent = open_.back();
  parent.node.nodes += node.nodes;
  parent.node.height = std::max(parent.node.height, node.height + 1);
  if (parent.node.value.IsArray()) {
    parent.node.value.PushBack(node.value, allocator);
  } else if (parent.merges) {
    merge(parent.keyLine, std::move(node.value));
    parent.key.reset();
  } else {
    parent.node.value.AddMember(textValue(*parent.key, allocator), node.value, allocator);
    parent.key.reset();
  }
}

void DocumentBuilder::merge(int line, rapidjson::Value value) {
  if (value.IsArray()) {
    for (auto& each : value.GetArray()) merge(line, std::move(each));
  } else if (value.IsObject()) {
    open_.back().merged.push_back(std::move(value));
  } else {
    refuse(line, "'<<' takes the alias of a map, or a list of them");
  }
}

// A map's own members go before those that are merged into it.
void DocumentBuilder::addMerged(Open& map) {
  auto& allocator = document_.value.GetAllocator();
  for (auto& each : map.merged) {
    for (auto& [key, value] : each.GetObject()) {
      if (!map.node.value.HasMember(key)) map.node.value.AddMember(key, value, allocator);
    }
  }
}

void DocumentBuilder::add(int line, Node node, AnchorNumber anchor) {
  count(line, node);
  if (anchor != 0) {
    anchors_[anchor] = {rapidjson::Value(node.value, document_.value.GetAllocator()), node.nodes,
                        node.height};
  }
  locate(line);
  attach(std::move(node));
}

void DocumentBuilder::open(int line, rapidjson::Type type, AnchorNumber anchor) {
  if (expectsKey()) refuse(line, "a key must be text");
  Node node{rapidjson::Value(type)};
  count(line, node);
  std::string path = locate(line);
  open_.push_back({std::move(node), anchor, std::move(path), std::nullopt, line});
}

void DocumentBuilder::close() {
  Open done = std::move(open_.back());
  open_.pop_back();
  addMerged(done);
  if (done.anchor != 0) {
    anchors_[done.anchor] = {rapidjson::Value(done.node.value, document_.value.GetAllocator()),
                             done.node.nodes, done.node.height};
  }
  attach(std::move(done.node));
}

void DocumentBuilder::addNull(int line, AnchorNumber anchor) {
  if (expectsKey()) refuse(line, "a key must be text; quote it");
  add(line, {}, anchor);
}

void DocumentBuilder::addAlias(int line, AnchorNumber anchor) {
  if (expectsKey()) refuse(line, "a key must be text, not an alias");
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) refuse(line, "the alias stands inside of what it names");
  const Node& named = found->second;
  count(line, named);  // before the copy, so that a refused copy costs nothing
  nodes_ -= named.nodes;
  add(line, {rapidjson::Value(named.value, document_.value.GetAllocator()), named.nodes, named.height}, 0);
}

void DocumentBuilder::addScalar(int line, const std::string& tag, AnchorNumber anchor,
                                const std::string& value) {
  if (tag != kText) refuseTag(line, tag);
  // What ends a text in C would be read to its end here and to its middle there.
  if (value.find('\0') != std::string::npos) refuse(line, "text can't hold the character \\0; leave it out");
  if (expectsKey()) return readKey(line, value, tag == "?");
  auto& allocator = document_.value.GetAllocator();
  if (tag != "?") return add(line, {textValue(value, allocator)}, anchor);
  const auto scalar = readPlainScalar(value);
  if (!scalar) refuse(line, scalar.error());
  add(line, {jsonOf(*scalar, allocator)}, anchor);
}

void DocumentBuilder::openSequence(int line, const std::string& tag, AnchorNumber anchor) {
  refuseTag(line, tag);
  open(line, rapidjson::kArrayType, anchor);
}

void DocumentBuilder::openMap(int line, const std::string& tag, AnchorNumber anchor) {
  refuseTag(line, tag);
  open(line, rapidjson::kObjectType, anchor);
}

}  // namespace slaq::yaml
