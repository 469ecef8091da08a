// SPDX-License-Identifier: LGPL-2.1-only
// The keys of a YAML mapping as a table. A row gives a key's name, its allowed values, its default, its meaning and its
// reader. The reader, the lists of known keys in errors, the reference page and the JSON Schema (key_reference.h) are
// made from the table.
//
//   {{.name = "seed", .value = Value::whole(0, 100), .meaning = "Seed of random choices.", .usual = "1"},
//    [](const YamlReader& at, Options& o) { o.seed = at.whole(); }}
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/yaml_reader.h"

namespace strata {

struct Key;

/// The allowed values of a key.
struct Value {
  enum class Kind { kText, kNumber, kWhole, kTruth, kWord, kScalar, kList, kMapping, kByName, kEither };

  Kind kind = Kind::kText;
  double low = -std::numeric_limits<double>::infinity();  // for numbers
  double high = std::numeric_limits<double>::infinity();
  bool open = false;                     // whether `low` and `high` themselves are excluded
  std::vector<std::string> words = {};   // for kWord
  bool may_be_empty = false;             // for kText: the key's reader checks it
  bool or_truth = false;                 // for kWord: accept true and false too, which YAML makes of on and off
  std::vector<Value> of = {};            // kList: the items; kByName: each value; kEither: the alternatives
  std::string called = {};               // name in errors and references: "shim value"; for kMapping, its own name:
                                         // "Plot"
  std::vector<Key> (*keys)() = nullptr;  // for kMapping

  static Value text(const std::string& called = "text") { return {.kind = Kind::kText, .called = called}; }
  static Value number() { return {.kind = Kind::kNumber}; }
  static Value at_least(double low) { return {.kind = Kind::kNumber, .low = low}; }
  static Value above(double low) { return {.kind = Kind::kNumber, .low = low, .open = true}; }
  /// Above `low` and below `high`.
  static Value between(double low, double high) {
    return {.kind = Kind::kNumber, .low = low, .high = high, .open = true};
  }
  static Value whole(double low, double high) { return {.kind = Kind::kWhole, .low = low, .high = high}; }
  static Value truth() { return {.kind = Kind::kTruth}; }
  static Value word(std::vector<std::string> words, const std::string& called = "value") {
    return {.kind = Kind::kWord, .words = std::move(words), .called = called};
  }
  /// A text, a number or a boolean.
  static Value scalar(const std::string& called = "text or number") {
    return {.kind = Kind::kScalar, .called = called};
  }
  static Value list(Value item) { return {.kind = Kind::kList, .of = {std::move(item)}}; }
  /// `name` is the heading of its keys and must be unique among the mappings of a file.
  static Value mapping(const std::string& name, std::vector<Key> (*keys)()) {
    return {.kind = Kind::kMapping, .called = name, .keys = keys};
  }
  /// A mapping whose keys are names that the user chooses; `called` says what they name: "axis".
  static Value by_name(const std::string& called, Value value) {
    return {.kind = Kind::kByName, .of = {std::move(value)}, .called = called};
  }
  static Value either(std::vector<Value> alternatives) {
    return {.kind = Kind::kEither, .of = std::move(alternatives)};
  }
};

/// A row of a table.
struct Key {
  std::string name;
  Value value;
  std::string meaning;       // Markdown: sentences
  std::string example = {};  // YAML, including the key
  std::string usual = {};    // YAML: the default
  std::string missing = {};  // for a required key: the remedy in the error
  bool set = false;          // whether `--set` accepts it

  bool required() const { return !missing.empty(); }
};

/// A row with its reader.
template <class Target>
struct KeyOf {
  Key key;
  std::function<void(const YamlReader& at, Target& into)> read;
};

template <class Target>
using Keys = std::vector<KeyOf<Target>>;

/// The rows without their readers.
template <class Target>
std::vector<Key> rows_of(const Keys<Target>& keys) {
  std::vector<Key> rows;
  for (const KeyOf<Target>& k : keys) rows.push_back(k.key);
  return rows;
}

/// Rejects a value that the key does not allow; mappings are checked by their own readers. Throws InputError.
void check_value(const YamlReader& at, const Value& value);

/// Rejects a file that does not begin with `schema: SCHEMA`. Throws InputError.
void require_schema(const YamlReader& file, const std::string& schema);

/// Reads a mapping, with keys in the order of the table: a reader may use the results of those above it. Throws
/// InputError with file, line and remedy.
template <class Target>
void read_keys(const YamlReader& mapping, const Keys<Target>& keys, Target& into) {
  std::vector<std::string_view> names;
  for (const KeyOf<Target>& k : keys) names.push_back(k.key.name);
  mapping.only(names);
  for (const KeyOf<Target>& k : keys) {
    if (!mapping.has(k.key.name) && !k.key.required()) continue;
    const YamlReader at = mapping.at(k.key.name, k.key.missing);
    check_value(at, k.key.value);
    k.read(at, into);
  }
}

}  // namespace strata
