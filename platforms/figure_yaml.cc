// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/figure_yaml.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "base/units.h"

namespace strata {
namespace {

// As few digits as read back as the same number: 1.62, not 1.6200000000000001.
std::string shortest(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

constexpr const char* kTime = "time";
constexpr const char* kBandwidth = "bandwidth";
constexpr const char* kSpeed = "speed";
constexpr const char* kSize = "size";
constexpr const char* kCopies = "copies";

Keys<Figure> figure_keys(const std::string& dimension) {
  const std::vector<std::string> units = unit_names(dimension);
  const std::string usual = "`measured`, `published: <where>` or `assumed: <why>`";
  return {
      {{.name = "value",
        .value = dimension == kCopies ? Value::whole(1, 2)
                 : dimension == kTime ? Value::at_least(0)
                                      : Value::above(0),
        .meaning = "The number, in `unit`.",
        .missing = "add it"},
       [](const YamlReader& at, Figure& f) { f.value = at.number(); }},
      {{.name = "unit",
        .value = Value::word(units, "unit of " + dimension),
        .meaning = "Decimal prefixes are powers of 1000, binary ones (`Ki`, `Mi`, `Gi`) of 1024.",
        .missing = fmt::format("a figure has a unit: one of {}", fmt::join(units, ", "))},
       [](const YamlReader& at, Figure& f) { f.unit = at.text(); }},
      {{.name = "plus_minus",
        .value = Value::at_least(0),
        .meaning = "How far the true number may be from `value`, in `unit`: half the width of its 95 % interval. "
                   "`strata calibrate` writes it."},
       [](const YamlReader& at, Figure& f) { f.plus_minus = at.number(); }},
      {{.name = "source",
        .value = Value::text(),
        .meaning = "Where the number comes from: " + usual + ".",
        .missing = "a figure says where it comes from: " + usual},
       [](const YamlReader& at, Figure& f) { f.source = read_source(at); }},
  };
}

}  // namespace

std::string read_source(const YamlReader& at) {
  if (!names_source(at.text())) {
    at.fail("'" + at.text() + "' names no source", "begin with `measured`, `published: <where>` or `assumed: <why>`");
  }
  return at.text();
}

Value figure_value(const std::string& dimension) {
  const auto of = [](const char* name, std::vector<Key> (*keys)()) { return Value::mapping(name, keys); };
  if (dimension == kTime) return of("Time", [] { return rows_of(figure_keys(kTime)); });
  if (dimension == kBandwidth) return of("Bandwidth", [] { return rows_of(figure_keys(kBandwidth)); });
  if (dimension == kSpeed) return of("Speed", [] { return rows_of(figure_keys(kSpeed)); });
  if (dimension == kSize) return of("Size", [] { return rows_of(figure_keys(kSize)); });
  return of("Copies", [] { return rows_of(figure_keys(kCopies)); });
}

Figure read_figure(const YamlReader& at, const std::string& dimension) {
  Figure f;
  read_keys(at, figure_keys(dimension), f);
  f.si = f.value * unit_factor(dimension, f.unit);
  const bool may_be_0 = dimension == kTime;
  if (f.value < 0 || (f.value == 0 && !may_be_0))
    at.at("value").fail("is too small", may_be_0 ? "write 0 or more" : "write a number above 0");
  if (f.plus_minus < 0) at.at("plus_minus").fail("is negative", "write 0 or more");
  return f;
}

void emit_figure(YAML::Emitter& out, const std::string& key, const Figure& f) {
  out << YAML::Key << key << YAML::Value;
  emit_figure(out, f);
}

void emit_figure(YAML::Emitter& out, const Figure& f) {
  out << YAML::Flow << YAML::BeginMap << YAML::Key << "value" << YAML::Value << shortest(f.value);
  out << YAML::Key << "unit" << YAML::Value << f.unit;
  if (f.plus_minus > 0) out << YAML::Key << "plus_minus" << YAML::Value << shortest(f.plus_minus);
  out << YAML::Key << "source" << YAML::Value << YAML::DoubleQuoted << f.source << YAML::EndMap;
}

}  // namespace strata
