// SPDX-License-Identifier: LGPL-2.1-only
#include "base/key_reference.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/words.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

// The mappings that can be reached from a table, each once.
struct Mapping {
  std::string name;
  std::vector<Key> keys;
};

void collect(const Value& value, std::vector<Mapping>& found);

void collect(const std::vector<Key>& keys, std::vector<Mapping>& found) {
  for (const Key& key : keys) collect(key.value, found);
}

void collect(const Value& value, std::vector<Mapping>& found) {
  for (const Value& part : value.of) collect(part, found);
  if (value.kind != Value::Kind::kMapping) return;
  const auto is_known = [&](const Mapping& m) { return m.name == value.called; };
  if (std::any_of(found.begin(), found.end(), is_known)) return;
  found.push_back({value.called, value.keys()});
  const std::vector<Key> keys = found.back().keys;  // a copy, because `found` grows
  collect(keys, found);
}

// "1000000", "0.02".
std::string digits(double number) {
  return number == std::floor(number) ? std::to_string(static_cast<long>(number)) : Json(number).dump();
}

// --- the page ------------------------------------------------------------------------------------------------------

// The anchor that GitHub generates for a heading.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (c == ' ' || c == '-') {
      anchor += '-';
    }
  }
  return anchor;
}

std::vector<std::string> as_code(std::vector<std::string> words) {
  for (std::string& w : words) w = "`" + w + "`";
  return words;
}

std::string bounds_text(const Value& value) {
  const bool low = std::isfinite(value.low), high = std::isfinite(value.high);
  if (low && high)
    return (value.open ? " between " : " from ") + digits(value.low) + (value.open ? " and " : " to ") +
           digits(value.high);
  if (low) return (value.open ? " above " : " of at least ") + digits(value.low);
  return high ? (value.open ? " below " : " of at most ") + digits(value.high) : "";
}

std::string type_text(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kText:
    case Value::Kind::kScalar:
      return value.called;
    case Value::Kind::kNumber:
      return "number" + bounds_text(value);
    case Value::Kind::kWhole:
      return "whole number" + bounds_text(value);
    case Value::Kind::kTruth:
      return "`true` or `false`";
    case Value::Kind::kWord:
      return choice_of(as_code(value.words));
    case Value::Kind::kList:
      return "list of " + type_text(value.of.front());
    case Value::Kind::kMapping:
      return "[" + value.called + "](#" + anchor_of(value.called) + ")";
    case Value::Kind::kByName:
      return "for each " + value.called + ": " + type_text(value.of.front());
    case Value::Kind::kEither: {
      std::vector<std::string> alternatives;
      for (const Value& v : value.of) alternatives.push_back(type_text(v));
      return choice_of(alternatives);
    }
  }
  return "";
}

std::string table_of(const std::vector<Key>& keys, bool settings) {
  std::string text = settings ? "| key | value | default | `--set` | meaning |\n| --- | --- | --- | --- | --- |\n"
                              : "| key | value | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const Key& key : keys) {
    const std::string usual = key.required() ? "required" : key.usual.empty() ? "" : "`" + key.usual + "`";
    text += "| `" + key.name + "` | " + type_text(key.value) + " | " + usual + " | ";
    if (settings) text += std::string(key.set ? "yes" : "") + " | ";
    text += key.meaning + (key.example.empty() ? "" : " Example: `" + key.example + "`") + " |\n";
  }
  return text;
}

// --- the schema ----------------------------------------------------------------------------------------------------

Json schema_of_keys(const std::vector<Key>& keys);

void add_bounds(const Value& value, Json& schema) {
  const auto bound = [&](const char* closed, const char* open, double number) {
    if (!std::isfinite(number)) return;
    const Json exact = number == std::floor(number) ? Json(static_cast<long>(number)) : Json(number);
    schema[value.open ? open : closed] = exact;
  };
  bound("minimum", "exclusiveMinimum", value.low);
  bound("maximum", "exclusiveMaximum", value.high);
}

Json schema_of_value(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kText:  // a text may look like a number: `name: 2024`
    case Value::Kind::kScalar:
      return {{"type", {"string", "number", "boolean"}}};
    case Value::Kind::kNumber:
    case Value::Kind::kWhole: {
      Json schema = {{"type", value.kind == Value::Kind::kWhole ? "integer" : "number"}};
      add_bounds(value, schema);
      return schema;
    }
    case Value::Kind::kTruth:
      return {{"type", "boolean"}};
    case Value::Kind::kWord: {
      Json schema = {{"enum", value.words}};
      if (value.or_truth) {
        schema["enum"].push_back(false);
        schema["enum"].push_back(true);
      }
      return schema;
    }
    case Value::Kind::kList:
      return {{"type", "array"}, {"items", schema_of_value(value.of.front())}};
    case Value::Kind::kMapping:
      return {{"$ref", "#/$defs/" + anchor_of(value.called)}};
    case Value::Kind::kByName:
      return {{"type", "object"}, {"additionalProperties", schema_of_value(value.of.front())}};
    case Value::Kind::kEither: {
      Json schema = {{"anyOf", Json::array()}};
      for (const Value& v : value.of) schema["anyOf"].push_back(schema_of_value(v));
      return schema;
    }
  }
  return {};
}

// The value of a YAML literal.
Json literal(const std::string& text) {
  const Json value = Json::parse(text, nullptr, false);
  return value.is_discarded() ? Json(text) : value;
}

Json schema_of_keys(const std::vector<Key>& keys) {
  Json schema = {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
  Json required = Json::array();
  for (const Key& key : keys) {
    Json property = schema_of_value(key.value);
    property["description"] = key.meaning;
    if (!key.usual.empty()) property["default"] = literal(key.usual);
    schema["properties"][key.name] = std::move(property);
    if (key.required()) required.push_back(key.name);
  }
  if (!required.empty()) schema["required"] = required;
  return schema;
}

}  // namespace

std::string reference_of(const std::vector<Key>& keys, bool settings) {
  std::vector<Mapping> mappings;
  collect(keys, mappings);
  std::string text = table_of(keys, settings);
  for (const Mapping& m : mappings) text += "\n## " + m.name + "\n\n" + table_of(m.keys, settings);
  return text;
}

std::string schema_of(const std::string& title, const std::string& description, const std::vector<Key>& keys,
                      const std::vector<std::string>& either) {
  std::vector<Mapping> mappings;
  collect(keys, mappings);
  Json schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}, {"description", description}};
  schema.update(schema_of_keys(keys));
  for (const std::string& key : either) schema["oneOf"].push_back({{"required", Json::array({key})}});
  for (const Mapping& m : mappings) schema["$defs"][anchor_of(m.name)] = schema_of_keys(m.keys);
  return schema.dump(2) + "\n";
}

}  // namespace strata
