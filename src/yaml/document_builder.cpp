#include "yaml/document_builder.h"

#include <yaml-cpp/exceptions.h>

#include <algorithm>
#include <utility>

#include "yaml/scalar.h"

namespace slaq {
namespace {

[[noreturn]] void refuse(const YAML::Mark& mark, const std::string& sentence) {
  throw YAML::ParserException(mark, sentence);
}

constexpr const char* kText = "tag:yaml.org,2002:str";

// Plain scalars and collections carry "?", quoted scalars "!" or, where nothing is written, nothing.
bool isUntagged(const std::string& tag) { return tag.empty() || tag == "?" || tag == "!"; }

void refuseTag(const YAML::Mark& mark, const std::string& tag) {
  if (!isUntagged(tag)) refuse(mark, "the tag '" + tag + "' is not supported; leave it out");
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

void DocumentBuilder::readKey(const YAML::Mark& mark, const std::string& key) {
  Open& map = open_.back();
  if (key == "<<") refuse(mark, "merge keys ('<<') are not supported; write the fields out");
  if (map.node.value.HasMember(textValue(key, document_.value.GetAllocator()))) {
    refuse(mark, "duplicate key '" + key + "'; the first is on line " +
                     std::to_string(lineOf(document_, memberPath(map.path, key))));
  }
  map.key = key;
  map.keyMark = mark;
}

std::string DocumentBuilder::locate(const YAML::Mark& mark) {
  std::string path;
  YAML::Mark place = mark;
  if (!open_.empty()) {
    const Open& parent = open_.back();
    path = parent.path;
    if (parent.node.value.IsArray()) {
      path += "[" + std::to_string(parent.node.value.Size()) + "]";
    } else {
      path = memberPath(path, *parent.key);
      place = parent.keyMark;
    }
  }
  document_.lines[path] = place.line + 1;
  return path;
}

void DocumentBuilder::count(const YAML::Mark& mark, const Node& node) {
  if (open_.size() + node.height > kDeepestYaml) {
    refuse(mark, "nested deeper than " + std::to_string(kDeepestYaml) + " levels");
  }
  nodes_ += node.nodes;
  if (nodes_ > kMostYamlNodes) {
    refuse(mark, "more than " + std::to_string(kMostYamlNodes) + " values once aliases are expanded");
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
  } else {
    parent.node.value.AddMember(textValue(*parent.key, allocator), node.value, allocator);
    parent.key.reset();
  }
}

void DocumentBuilder::add(const YAML::Mark& mark, Node node, YAML::anchor_t anchor) {
  count(mark, node);
  if (anchor != 0) {
    anchors_[anchor] = {rapidjson::Value(node.value, document_.value.GetAllocator()), node.nodes, node.height};
  }
  locate(mark);
  attach(std::move(node));
}

void DocumentBuilder::open(const YAML::Mark& mark, rapidjson::Type type, YAML::anchor_t anchor) {
  if (expectsKey()) refuse(mark, "a key must be text");
  Node node{rapidjson::Value(type)};
  count(mark, node);
  std::string path = locate(mark);
  open_.push_back({std::move(node), anchor, std::move(path), std::nullopt, mark});
}

void DocumentBuilder::close() {
  Open done = std::move(open_.back());
  open_.pop_back();
  if (done.anchor != 0) {
    anchors_[done.anchor] = {rapidjson::Value(done.node.value, document_.value.GetAllocator()),
                             done.node.nodes, done.node.height};
  }
  attach(std::move(done.node));
}

void DocumentBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  if (expectsKey()) refuse(mark, "a key must be text; quote it");
  add(mark, {}, anchor);
}

void DocumentBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  if (expectsKey()) refuse(mark, "a key must be text, not an alias");
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) refuse(mark, "the alias stands inside of what it names");
  const Node& named = found->second;
  count(mark, named);  // before the copy is made
  nodes_ -= named.nodes;
  add(mark, {rapidjson::Value(named.value, document_.value.GetAllocator()), named.nodes, named.height}, 0);
}

void DocumentBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                               const std::string& value) {
  if (tag != kText) refuseTag(mark, tag);
  if (expectsKey()) return readKey(mark, value);
  auto& allocator = document_.value.GetAllocator();
  if (tag != "?") return add(mark, {textValue(value, allocator)}, anchor);
  const auto scalar = readPlainScalar(value);
  if (!scalar) refuse(mark, scalar.error());
  add(mark, {jsonOf(*scalar, allocator)}, anchor);
}

void DocumentBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                                      YAML::EmitterStyle::value) {
  refuseTag(mark, tag);
  open(mark, rapidjson::kArrayType, anchor);
}

void DocumentBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                                 YAML::EmitterStyle::value) {
  refuseTag(mark, tag);
  open(mark, rapidjson::kObjectType, anchor);
}

}  // namespace slaq
