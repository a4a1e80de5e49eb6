#include "manifest/record_codec.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "manifest/object_reader.h"
#include "manifest/object_writer.h"

namespace slaq::manifest {
namespace {

using rapidjson::Value;
using Allocator = ObjectWriter::Allocator;

constexpr int kDigits = 6;
// No training comes near these. Sums and products of what is below them are finite, and sizes are integers.
constexpr double kMost = 1e15;
constexpr double kLeast = 1e-9;  // of what must be above 0
constexpr double kLargestSize = 1e6;
constexpr double kLargestLoss = 1e100;

Value number(double value) { return Value(decimalFrom(toDecimal(value, kDigits)).value_or(0)); }

// A list of numbers for each item.
template <class Item, std::size_t kNumbers>
Value listOf(const std::vector<Item>& items, const std::array<double Item::*, kNumbers>& members,
             Allocator& allocator) {
  Value list(rapidjson::kArrayType);
  for (const Item& item : items) {
    Value row(rapidjson::kArrayType);
    for (const auto member : members) row.PushBack(number(item.*member), allocator);
    list.PushBack(row, allocator);
  }
  return list;
}

using LossAt = TrainingRecord::LossAt;
using SpeedAt = TrainingRecord::SpeedAt;
constexpr std::array<double LossAt::*, 2> kLossMembers = {&LossAt::iteration, &LossAt::loss};
constexpr std::array<double SpeedAt::*, 3> kSpeedMembers = {&SpeedAt::size, &SpeedAt::seconds,
                                                            &SpeedAt::weight};

Value write(const TrainingRecord& record, Allocator& allocator) {
  ObjectWriter fields(allocator);
  fields.add("iterations", number(record.iterations)).add("unit", number(record.unit));
  fields.add("losses", listOf(record.losses, kLossMembers, allocator));
  fields.add("speeds", listOf(record.speeds, kSpeedMembers, allocator));
  if (record.growPause) fields.add("growPauseSeconds", number(record.growPause->count()));
  if (record.shrinkPause) fields.add("shrinkPauseSeconds", number(record.shrinkPause->count()));
  if (record.lost) fields.add("lostSeconds", number(record.lost->count()));
  if (!record.uid.empty()) fields.add("uid", record.uid);
  if (record.ended > 0) fields.add("endedSeconds", record.ended);
  return fields.take();
}

// A number from 0 to kMost; anything else is a violation and reads as 0.
double numberAt(ObjectReader& object, std::string_view key) {
  const Value* found = object.find(key);
  if (found && found->IsNumber() && found->GetDouble() >= 0 && found->GetDouble() <= kMost)
    return found->GetDouble();
  object.refuse(key, "must be a number that is at least 0 and at most 1e15");
  return 0;
}

std::optional<Seconds> secondsAt(ObjectReader& object, std::string_view key) {
  return object.find(key) ? std::optional(Seconds(numberAt(object, key))) : std::nullopt;
}

template <class Item, std::size_t kNumbers>
std::vector<Item> readList(ObjectReader& object, std::string_view key,
                           const std::array<double Item::*, kNumbers>& members) {
  std::vector<Item> items;
  const Value* list = object.find(key);
  if (!list || !list->IsArray()) {
    object.refuse(key, "must be a list");
    return items;
  }
  for (const Value& row : list->GetArray()) {
    Item item;
    bool isValid = row.IsArray() && row.Size() == kNumbers;
    for (rapidjson::SizeType i = 0; isValid && i < kNumbers; ++i) {
      isValid = row[i].IsNumber();
      if (isValid) item.*members[i] = row[i].GetDouble();
    }
    if (!isValid) object.refuse(key, "must hold lists of " + std::to_string(kNumbers) + " numbers");
    items.push_back(item);
  }
  return items;
}

bool isInBounds(const LossAt& each) {
  return each.iteration >= 0 && each.iteration <= kMost && std::abs(each.loss) <= kLargestLoss;
}

bool isSpeed(const SpeedAt& each) {
  const auto isPositive = [](double number) { return number >= kLeast && number <= kMost; };
  return each.size >= 1 && each.size <= kLargestSize && isPositive(each.seconds) && isPositive(each.weight);
}

TrainingRecord readRecord(ObjectReader& object) {
  TrainingRecord record{.iterations = numberAt(object, "iterations"),
                        .unit = numberAt(object, "unit"),
                        .losses = readList(object, "losses", kLossMembers),
                        .speeds = readList(object, "speeds", kSpeedMembers),
                        .growPause = secondsAt(object, "growPauseSeconds"),
                        .shrinkPause = secondsAt(object, "shrinkPauseSeconds"),
                        .lost = secondsAt(object, "lostSeconds")};
  object.read("uid", record.uid);
  if (object.find("endedSeconds")) record.ended = static_cast<std::int64_t>(numberAt(object, "endedSeconds"));
  if (!(record.unit >= kLeast)) object.refuse("unit", "must be above 0, at least 1e-9");
  if (!std::ranges::all_of(record.losses, isInBounds))
    object.refuse("losses", "must have iterations from 0 to 1e15, and losses from -1e100 to 1e100");
  if (!std::ranges::all_of(record.speeds, isSpeed))
    object.refuse("speeds", "must have sizes from 1 to 1e6, and times and weights above 0 and up to 1e15");
  return record;
}

}  // namespace

std::string toText(const KindRecord& record) {
  rapidjson::Document document;
  auto& allocator = document.GetAllocator();
  Value newest(rapidjson::kArrayType);
  for (const auto& each : record.newest) newest.PushBack(write(each, allocator), allocator);
  ObjectWriter fields(allocator);
  fields.add("kind", record.kind).add("trainings", record.trainings).add("newest", std::move(newest));
  return toText(fields.take());
}

Result<KindRecord> readKindRecord(std::string_view text) {
  rapidjson::Document document;
  // Iterative: a text of any depth does not overflow the stack.
  document.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  if (document.HasParseError()) return failure(ErrorKind::Malformed, "is not JSON");
  Violations violations;
  ObjectReader object(document, "", violations);
  KindRecord record;
  object.read("kind", record.kind);
  object.read("trainings", record.trainings);
  object.readObjects("newest", [&](ObjectReader& each) { record.newest.push_back(readRecord(each)); });
  if (record.kind.empty()) object.refuse("kind", "must not be empty");
  if (record.trainings < 0) object.refuse("trainings", "must be at least 0");
  if (violations.empty()) return record;
  return failure(ErrorKind::Malformed, violations.front().path + ": " + violations.front().message);
}

}  // namespace slaq::manifest
