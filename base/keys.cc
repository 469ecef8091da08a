// SPDX-License-Identifier: LGPL-2.1-only
#include "base/keys.h"

#include <algorithm>

#include "base/words.h"

namespace strata {
namespace {

bool is_among(const std::string& word, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_word(const std::string& text, const Value& value) {
  return is_among(text, value.words) || (value.or_truth && (text == "true" || text == "false"));
}

// Whether a value has the form of this alternative, so that its faults are reported for this one.
bool has_form(const YamlReader& at, const Value& value) {
  switch (value.kind) {
    case Value::Kind::kMapping:
    case Value::Kind::kByName:
      return at.is_map();
    case Value::Kind::kList:
      return at.is_sequence();
    case Value::Kind::kWord:
      return at.is_scalar() && is_word(at.text(), value);
    default:
      return at.is_scalar();
  }
}

// The first alternative that matches the value's form; if none does, the last scalar alternative.
const Value& alternative_of(const YamlReader& at, const std::vector<Value>& alternatives) {
  const Value* fallback = &alternatives.front();
  for (const Value& value : alternatives) {
    if (has_form(at, value)) return value;
    const bool scalar =
        value.kind != Value::Kind::kMapping && value.kind != Value::Kind::kByName && value.kind != Value::Kind::kList;
    if (scalar) fallback = &value;
  }
  return *fallback;
}

}  // namespace

void check_value(const YamlReader& at, const Value& value) {
  switch (value.kind) {
    case Value::Kind::kText:
    case Value::Kind::kScalar:
      if (!value.may_be_empty || !at.is_empty()) at.text();
      return;
    case Value::Kind::kNumber:
      at.number();  // the reader checks the bounds and gives the reasons for them
      return;
    case Value::Kind::kWhole:
      at.integer(static_cast<long>(value.low), static_cast<long>(value.high));
      return;
    case Value::Kind::kTruth:
      at.boolean();
      return;
    case Value::Kind::kWord:
      if (!is_word(at.text(), value))
        at.fail("'" + at.text() + "' is not a valid " + value.called, "give " + choice_of(value.words));
      return;
    case Value::Kind::kList:
      for (const YamlReader& item : at.items()) check_value(item, value.of.front());
      return;
    case Value::Kind::kByName:
      for (const std::string& name : at.keys()) check_value(at.at(name), value.of.front());
      return;
    case Value::Kind::kEither:
      check_value(at, alternative_of(at, value.of));
      return;
    case Value::Kind::kMapping:
      return;
  }
}

void require_schema(const YamlReader& file, const std::string& schema) {
  const YamlReader at = file.at("schema", "begin with `schema: " + schema + "`");
  if (at.text() != schema) at.fail("is not " + schema, "this version reads " + schema);
}

}  // namespace strata
