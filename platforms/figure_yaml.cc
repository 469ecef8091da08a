#include "platforms/figure_yaml.h"

#include <array>
#include <charconv>

#include "platforms/units.h"

namespace strata {
namespace {

// The fewest digits that read back as the same number: 1.62, not 1.6200000000000001.
std::string shortest(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

}  // namespace

Figure read_figure(const YamlReader& at, const std::string& dimension, double low) {
  at.only({"value", "unit", "source"});
  Figure f;
  f.value = at.at("value").number();
  f.unit = at.at("unit", "a figure has a unit: one of " + units_of(dimension)).text();
  f.source =
      at.at("source", "a figure says where it comes from: `measured`, `published: <where>` or `assumed: <why>`").text();
  const double factor = unit_factor(dimension, f.unit);
  if (factor == 0) {
    at.at("unit").fail("'" + f.unit + "' is no unit of " + dimension, "give one of " + units_of(dimension));
  }
  if (!names_source(f.source)) {
    at.at("source").fail("'" + f.source + "' names no source",
                         "begin with `measured`, `published: <where>` or `assumed: <why>`");
  }
  f.si = f.value * factor;
  if (dimension == "copies" && !is_number_of_copies(f.value))
    at.at("value").fail("is no number of copies", "write 1 or 2");
  if (f.value < low || (low == 0 && dimension != "time" && f.value == 0)) {
    at.at("value").fail("is too small", dimension == "time" ? "write 0 or more" : "write a number above 0");
  }
  return f;
}

void emit_figure(YAML::Emitter& out, const std::string& key, const Figure& f) {
  out << YAML::Key << key << YAML::Value;
  emit_figure(out, f);
}

void emit_figure(YAML::Emitter& out, const Figure& f) {
  out << YAML::Flow << YAML::BeginMap << YAML::Key << "value" << YAML::Value << shortest(f.value);
  out << YAML::Key << "unit" << YAML::Value << f.unit;
  out << YAML::Key << "source" << YAML::Value << YAML::DoubleQuoted << f.source << YAML::EndMap;
}

}  // namespace strata
