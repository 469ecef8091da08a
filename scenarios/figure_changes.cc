// SPDX-License-Identifier: LGPL-2.1-only
#include "scenarios/figure_changes.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "base/error.h"
#include "platforms/figure_yaml.h"

namespace strata {
namespace {

// A factor or value: a number, or the name of an axis in braces.
Value number_or_axis() { return Value::scalar("a number, or an axis in braces"); }

std::optional<std::string> axis_in(const std::string& text) {
  if (!text.starts_with('{') || !text.ends_with('}')) return std::nullopt;
  return text.substr(1, text.size() - 2);
}

void read_value(const YamlReader& at, SweptFigure& f) {
  if (const std::optional<std::string> axis = axis_in(at.text())) {
    f.parameter = *axis;
  } else {
    f.change.value = at.number();
  }
}

Keys<SweptFigure> what_if_keys() {
  return {{{.name = "figure",
            .value = Value::text("name of a figure"),
            .meaning = "`LEVEL.latency`, `.overhead`, `.bandwidth` or `.link_bandwidth`; `core.speed`, "
                       "`core.copy_bandwidth` or `core.combine_bandwidth`; `eager_limit`; `copies`; "
                       "`memory.bandwidth`, `.combine_bandwidth`, `.cache_bandwidth` or "
                       "`.shared_cache_bandwidth`; "
                       "`torus.hop_latency`, `.injection` or `.links.x`; `dragonfly.hop_latency`, `.injection`, "
                       "`.row`, `.column` or `.global`; `fat_tree.hop_latency`, `.injection` or `.links.LEVEL`; "
                       "`switches.hop_latency`, `.injection` or `.links.KIND`; "
                       "`LEVEL.segments[0].from`, `.latency`, `.overhead` or "
                       "`.bandwidth`; `LEVEL.duplex_bandwidth`; `LEVEL.gap`; `LEVEL.receive_overhead`, "
                       "`.send_copy` and `.receive_copy`, also of segments.",
            .example = "figure: System - Cluster.latency",
            .missing = "name it as LEVEL.latency, core.speed or eager_limit"},
           [](const YamlReader& at, SweptFigure& f) { f.change.figure = at.text(); }},
          {{.name = "times",
            .value = number_or_axis(),
            .meaning = "The machine's own number times this, or times the values of an axis of the sweep.",
            .example = "times: \"{latency}\""},
           read_value},
          {{.name = "value",
            .value = number_or_axis(),
            .meaning = "Instead of `times`: another number in `unit`, or the values of an axis.",
            .example = "value: 8"},
           read_value},
          {{.name = "unit", .value = Value::text(), .meaning = "The unit of `value`.", .example = "unit: KiB"},
           [](const YamlReader& at, SweptFigure& f) { f.change.unit = at.text(); }},
          {{.name = "source",
            .value = Value::text(),
            .meaning = "Why: `measured`, `published: <where>` or `assumed: <why>`.",
            .example = "source: \"assumed: a network of the next generation\"",
            .missing = "say where it comes from: `measured`, `published: <where>` or `assumed: <why>`"},
           [](const YamlReader& at, SweptFigure& f) { f.change.source = read_source(at); }}};
}

}  // namespace

std::vector<Key> what_if_rows() { return rows_of(what_if_keys()); }

FigureChanges read_what_ifs(const YamlReader& list) {
  FigureChanges changes;
  for (const YamlReader& item : list.items()) {
    SweptFigure f;
    f.change.where = item.where();
    read_keys(item, what_if_keys(), f);
    if (item.has("times")) {
      for (const char* key : {"value", "unit"}) {
        if (item.has(key)) item.at(key).fail("does not go with `times`", "leave one out");
      }
    } else {
      item.at("value", "give `times`, a factor, or `value` and `unit`");
      item.at("unit", "give the unit of `value`, or `times` for a factor");
    }
    if (f.parameter.empty()) {
      changes.fixed.push_back(std::move(f.change));
    } else {
      changes.swept.push_back(std::move(f));
    }
  }
  return changes;
}

void set_what_if(const std::string& figure, const std::string& value, const std::string& where,
                 std::vector<WhatIf>& what_ifs) {
  WhatIf w{.where = where, .figure = figure, .value = 0, .unit = "", .source = "assumed: given on the command line"};
  const char* end = value.data() + value.size();
  const auto [at, error] = std::from_chars(value.data(), end, w.value);
  w.unit = std::string(at, end);
  w.unit.erase(0, w.unit.find_first_not_of(' '));
  if (error != std::errc() || !std::isfinite(w.value) || w.unit.empty()) {
    throw InputError(where, "'" + value + "' is not a figure",
                     "write a number with its unit, as 0.4us, or a factor, as 0.25x");
  }
  if (w.unit == "x") w.unit.clear();
  std::erase_if(what_ifs, [&](const WhatIf& other) { return other.figure == figure; });
  what_ifs.push_back(std::move(w));
}

}  // namespace strata
