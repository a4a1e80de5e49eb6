// What an algorithm, a generator or a file format may be told. Each declares its settings once, in a table;
// flags, help, checks, the wire and checkpoints all follow from the declaration.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace slaq::trainer::problem {

struct Setting {
  enum class Kind {
    Number,
    Whole,
    Wholes,  // with commas between them
    Word,    // one of the choices, or any text if there are none
  };

  std::string_view name;  // of the flag, without the dashes
  std::string_view help;
  Kind kind = Kind::Number;
  std::string_view usual;  // the default as a user would write it; empty if there is none
  bool required = false;   // must be given. Without a default it is otherwise absent
  double least = 0;        // of a number, or of each in a list
  double most = std::numeric_limits<double>::max();
  bool above = false;  // `least` itself is too little
  std::array<std::string_view, 6> choices{};
};

using Value = std::variant<double, std::string, std::vector<std::int64_t>>;

// The values by the settings' names.
class Settings {
 public:
  void set(const std::string& name, double value) { values_[name] = value; }
  void set(const std::string& name, Value value) { values_[name] = std::move(value); }

  bool has(std::string_view name) const { return values_.contains(name); }
  // REQUIRES for all that follow: has(name), and it is of that kind.
  double number(std::string_view name) const;
  std::int64_t whole(std::string_view name) const;
  const std::vector<std::int64_t>& wholes(std::string_view name) const;
  const std::string& word(std::string_view name) const;

  using Values = std::map<std::string, Value, std::less<>>;
  const Values& all() const { return values_; }
  Values& all() { return values_; }

  bool operator==(const Settings&) const = default;

 private:
  Values values_;
};

// The value that a user has written; Invalid, with a sentence that names the flag, if the setting cannot have
// it.
Result<Value> parse(const Setting& setting, std::string_view text);
Result<void> check(const Setting& setting, const Value& value);
std::string write(const Value& value);

// Fills in what is usual. Invalid if something is missing, not declared, or out of its range; `whose` begins
// the sentence about that.
Result<Settings> complete(Settings given, std::span<const Setting> declared, const std::string& whose);

// "--clusters, --noise": for sentences.
std::string namesOf(std::span<const Setting> declared);
// One line for each, for the help.
std::string describe(std::span<const Setting> declared);

}  // namespace slaq::trainer::problem
