// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/validation_yaml.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "platforms/figure_yaml.h"

namespace strata {
namespace {

template <class Target>
KeyOf<Target> whole_key(Key key, double least, int Target::*number) {
  key.value = Value::whole(least, std::numeric_limits<int>::max());
  return {std::move(key),
          [number](const YamlReader& at, Target& into) { into.*number = static_cast<int>(at.integer()); }};
}

template <class Target>
KeyOf<Target> number_key(Key key, double least, double Target::*number) {
  key.value = Value::at_least(least);
  return {std::move(key), [number, least](const YamlReader& at, Target& into) {
            into.*number = at.number();
            if (into.*number < least) at.fail("is too small", fmt::format("write {} or more", least));
          }};
}

Keys<Validation> validation_keys() {
  return {
      {{.name = "operation",
        .value = Value::text(),
        .meaning = "The predicted operation.",
        .example = "operation: allgather",
        .missing = "add it"},
       [](const YamlReader& at, Validation& v) { v.operation = at.text(); }},
      {{.name = "level",
        .value = Value::text(),
        .meaning = "The level of the tree at which the paths of the ranks meet. Left out: the ranks of a whole job."},
       [](const YamlReader& at, Validation& v) { v.level = at.text(); }},
      whole_key({.name = "ranks", .value = {}, .meaning = "How many ranks took part.", .missing = "add it"}, 1,
                &Validation::ranks),
      number_key({.name = "from_bytes", .value = {}, .meaning = "The smallest size.", .missing = "add it"}, 0,
                 &Validation::from_bytes),
      number_key({.name = "to_bytes", .value = {}, .meaning = "The largest size.", .missing = "add it"}, 0,
                 &Validation::to_bytes),
      whole_key({.name = "samples", .value = {}, .meaning = "How many times were measured.", .missing = "add it"}, 1,
                &Validation::samples),
      number_key(
          {.name = "median_error",
           .value = {},
           .meaning = "The median over the sizes of the error: predicted over measured, or its inverse, whichever "
                      "is above 1.",
           .missing = "add it"},
          1, &Validation::median_error),
      number_key({.name = "worst_error", .value = {}, .meaning = "The largest error.", .missing = "add it"}, 1,
                 &Validation::worst_error),
      {{.name = "source", .value = Value::text(), .meaning = "Where the measurements come from.", .missing = "add it"},
       [](const YamlReader& at, Validation& v) { v.source = read_source(at); }}};
}

}  // namespace

Value validation_value() {
  return Value::list(Value::mapping("Validation", [] { return rows_of(validation_keys()); }));
}

std::vector<Validation> read_validation(const YamlReader& at) {
  std::vector<Validation> all;
  for (const YamlReader& item : at.items()) {
    Validation v;
    read_keys(item, validation_keys(), v);
    if (v.to_bytes < v.from_bytes) item.at("to_bytes").fail("is below from_bytes", "give the largest size");
    if (v.worst_error < v.median_error) item.at("worst_error").fail("is below median_error", "give the largest error");
    all.push_back(std::move(v));
  }
  return all;
}

void emit_validation(YAML::Emitter& out, const std::vector<Validation>& all) {
  if (all.empty()) return;
  out << YAML::Key << "validation" << YAML::Value << YAML::BeginSeq;
  const auto emit = [&](const char* key, const auto& value) { out << YAML::Key << key << YAML::Value << value; };
  for (const Validation& v : all) {
    out << YAML::Flow << YAML::BeginMap;
    emit("operation", v.operation);
    if (!v.level.empty()) out << YAML::Key << "level" << YAML::Value << YAML::DoubleQuoted << v.level;
    emit("ranks", v.ranks);
    emit("from_bytes", fmt::format("{}", v.from_bytes));
    emit("to_bytes", fmt::format("{}", v.to_bytes));
    emit("samples", v.samples);
    emit("median_error", fmt::format("{}", v.median_error));
    emit("worst_error", fmt::format("{}", v.worst_error));
    out << YAML::Key << "source" << YAML::Value << YAML::DoubleQuoted << v.source << YAML::EndMap;
  }
  out << YAML::EndSeq;
}

}  // namespace strata
