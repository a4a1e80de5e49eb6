#include "yaml/write_yaml.h"

#include <yaml-cpp/yaml.h>

namespace slaq::yaml {
namespace {

void emit(YAML::Emitter& out, const rapidjson::Value& value);

void emitObject(YAML::Emitter& out, const rapidjson::Value& object) {
  out << YAML::BeginMap;
  for (const auto& [key, value] : object.GetObject()) {
    out << YAML::Key << key.GetString() << YAML::Value;
    emit(out, value);
  }
  out << YAML::EndMap;
}

void emitArray(YAML::Emitter& out, const rapidjson::Value& array) {
  out << YAML::BeginSeq;
  for (const auto& each : array.GetArray()) emit(out, each);
  out << YAML::EndSeq;
}

void emit(YAML::Emitter& out, const rapidjson::Value& value) {
  if (value.IsObject()) return emitObject(out, value);
  if (value.IsArray()) return emitArray(out, value);
  if (value.IsString()) {
    out << YAML::DoubleQuoted << std::string(value.GetString(), value.GetStringLength());
  } else if (value.IsBool()) {
    out << value.GetBool();
  } else if (value.IsInt64()) {
    out << value.GetInt64();
  } else if (value.IsUint64()) {
    out << value.GetUint64();
  } else if (value.IsDouble()) {
    out << value.GetDouble();
  } else {
    out << YAML::Null;
  }
}

}  // namespace

std::string writeYaml(const rapidjson::Value& value) {
  YAML::Emitter out;
  out.SetDoublePrecision(17);
  emit(out, value);
  return std::string(out.c_str(), out.size()) + "\n";
}

}  // namespace slaq::yaml
