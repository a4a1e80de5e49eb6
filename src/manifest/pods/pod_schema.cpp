#include "manifest/pods/pod_schema.h"

#include <rapidjson/pointer.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <valijson/adapters/rapidjson_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "base/nearest.h"
#include "base/result.h"
#include "base/text.h"
#include "yaml/located_document.h"
#include "yaml/value.h"

namespace slaq::manifest::pods {

extern const char* const kPodSchema;  // pod_schema.json

namespace {

using rapidjson::Document;
using rapidjson::Value;
using Allocator = Document::AllocatorType;

// Characters. A longer name is wrong whatever comes behind, and std::regex takes a stack frame for each of
// them.
constexpr rapidjson::SizeType kLongestText = 512;

struct PodSchema {
  Document document;
  valijson::Schema schema;
};

std::unique_ptr<PodSchema> parsed() {
  auto out = std::make_unique<PodSchema>();
  if (out->document.Parse(kPodSchema).HasParseError()) throw std::logic_error("pod_schema.json is no JSON");
  const valijson::adapters::RapidJsonAdapter adapter(out->document);
  valijson::SchemaParser().populateSchema(adapter, out->schema);
  return out;
}

const PodSchema& podSchema() {
  static const std::unique_ptr<PodSchema> kSchema = parsed();
  return *kSchema;
}

// The value as the API server sees it: without nulls, whole numbers without a decimal point.
Value normalized(const Value& value, Allocator& allocator) {
  Value out;
  if (value.IsObject()) {
    out.SetObject();
    for (const auto& [key, each] : value.GetObject()) {
      if (!each.IsNull()) out.AddMember(Value(key, allocator), normalized(each, allocator), allocator);
    }
  } else if (value.IsArray()) {
    out.SetArray();
    for (const auto& each : value.GetArray()) out.PushBack(normalized(each, allocator), allocator);
  } else if (value.IsString()) {
    out.SetString(value.GetString(), std::min(value.GetStringLength(), kLongestText), allocator);
  } else if (const auto whole = yaml::wholeOf(value)) {
    out.SetInt64(*whole);
  } else {
    out.CopyFrom(value, allocator);
  }
  return out;
}

const Value* memberOf(const Value* object, std::string_view key) {
  return object ? yaml::memberOf(*object, key) : nullptr;
}

const Value* dereferenced(const Value* node) {
  while (const Value* reference = memberOf(node, "$ref")) {
    node = rapidjson::Pointer(reference->GetString()).Get(podSchema().document);
  }
  return node;
}

// A value that breaks the schema.
struct Place {
  std::string path;
  const Value* node;   // of the schema
  const Value* value;  // of the document
};

Place stepInto(Place place, const std::string& step) {
  if (place.value && place.value->IsArray()) {
    const auto index = numberFrom<rapidjson::SizeType>(step);
    place.path += "[" + step + "]";
    place.value = index && *index < place.value->Size() ? &(*place.value)[*index] : nullptr;
    place.node = dereferenced(memberOf(place.node, "items"));
    return place;
  }
  place.path = yaml::memberPath(place.path, step);
  place.value = memberOf(place.value, step);
  const Value* named = memberOf(memberOf(place.node, "properties"), step);
  const Value* patterns = memberOf(place.node, "patternProperties");  // one, of all keys
  const Value* others =
      patterns ? &patterns->MemberBegin()->value : memberOf(place.node, "additionalProperties");
  place.node = dereferenced(named ? named : others);
  return place;
}

// valijson names a place by "<root>" and its steps, each in brackets.
Place placeOf(const std::vector<std::string>& context, const Value& document) {
  Place place{"", dereferenced(&podSchema().document), &document};
  for (std::size_t i = 1; i < context.size(); ++i) {
    place = stepInto(std::move(place), context[i].substr(1, context[i].size() - 2));
  }
  return place;
}

std::string nameOf(std::string_view type) {
  if (type == "integer") return "a whole number";
  if (type == "boolean") return "true or false";
  if (type == "array") return "a list";
  return type == "object" ? "an object" : "a " + std::string(type);
}

std::string expectedType(const Value* node) {
  const Value* type = memberOf(node, "type");
  if (!type) return "something else";
  if (type->IsString()) return nameOf(type->GetString());
  std::string names;
  for (const auto& each : type->GetArray()) names += (names.empty() ? "" : " or ") + nameOf(each.GetString());
  return names;
}

std::string choices(const Value& all) {
  std::string text = "must be ";
  for (rapidjson::SizeType i = 0; i < all.Size(); ++i) {
    text += (i == 0 ? "" : i + 1 == all.Size() ? " or " : ", ") + std::string(all[i].GetString());
  }
  return text;
}

Violation unknownField(const Place& place, const std::string& field) {
  std::vector<std::string> known;
  if (const Value* fields = memberOf(place.node, "properties")) {
    for (const auto& [name, schema] : fields->GetObject()) known.emplace_back(name.GetString());
  }
  const auto meant = nearest(field, known);
  return {yaml::memberPath(place.path, field),
          meant ? "unknown field, did you mean " + *meant + "?" : "unknown field, remove it"};
}

std::string quotedIn(const std::string& description) {
  const auto first =
      description.find('\'', description.rfind(':') == std::string::npos ? 0 : description.rfind(':'));
  return description.substr(first + 1, description.rfind('\'') - first - 1);
}

// True where valijson only says that a part of the value is wrong. It tells of that part by itself.
bool isOfAPart(const std::string& description) {
  constexpr const char* kOfParts[] = {
      "Failed to validate against schema associated with", "Failed to validate item #",
      "Failed to validate against additional properties schema", "Failed to validate against child schema"};
  return std::ranges::any_of(kOfParts, [&](const char* words) { return description.starts_with(words); });
}

// True where none of several alternatives holds. valijson has told before why each of them does not.
bool isOfAlternatives(const std::string& description) {
  return description.starts_with("Failed to validate against any") ||
         description.starts_with("Failed to validate against exactly one");
}

Violation violationOf(const Place& place, const std::string& description) {
  const Value* message = memberOf(place.node, "x-message");
  if (description.starts_with("Object contains a property that could not") && !message)
    return unknownField(place, quotedIn(description));
  if (description.starts_with("Missing required property"))
    return {yaml::memberPath(place.path, quotedIn(description)), "must be given"};
  if (message) return {place.path, message->GetString()};
  if (description.starts_with("Value type not permitted") && place.value)
    return {place.path, yaml::wrongType(expectedType(place.node), *place.value)};
  if (const Value* all = memberOf(place.node, "enum")) return {place.path, choices(*all)};
  return {place.path, description};
}

}  // namespace

std::vector<Violation> schemaViolations(const Value& trainingJob) {
  Document document;
  static_cast<Value&>(document) = normalized(trainingJob, document.GetAllocator());
  valijson::ValidationResults results;
  const valijson::adapters::RapidJsonAdapter adapter(document);
  valijson::Validator().validate(podSchema().schema, adapter, &results);
  std::vector<Violation> out;
  for (const auto& [context, description] : results) {
    if (isOfAPart(description)) continue;
    const Place place = placeOf(context, document);
    if (isOfAlternatives(description))
      std::erase_if(out, [&](const Violation& each) { return each.path.starts_with(place.path); });
    out.push_back(violationOf(place, description));
  }
  return out;
}

}  // namespace slaq::manifest::pods
