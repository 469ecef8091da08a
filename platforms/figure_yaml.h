// SPDX-License-Identifier: LGPL-2.1-only
// Figures in YAML: {value: 1.62, unit: us, plus_minus: 0.03, source: "measured: ..."}.
#pragma once

#include <string>

#include "base/keys.h"
#include "base/yaml_reader.h"
#include "platforms/figure.h"

namespace strata {

/// The allowed values of a key that is a figure of this dimension, one of units.h.
Value figure_value(const std::string& dimension);

/// Throws InputError: no unit or source, a unit of another dimension, a value that is not above 0 (a time may be 0;
/// copies are 1 or 2).
Figure read_figure(const YamlReader& at, const std::string& dimension);

/// Reads a text that gives the source of a figure. Throws InputError if it does not begin as required.
std::string read_source(const YamlReader& at);

/// A row whose value is a figure of `dimension`, stored in `figure` of the target.
template <class Target, class Member>
KeyOf<Target> figure_key(Key key, Member Target::*figure, const std::string& dimension) {
  key.value = figure_value(dimension);
  return {std::move(key),
          [figure, dimension](const YamlReader& at, Target& into) { into.*figure = read_figure(at, dimension); }};
}

/// A key of the mapping that is being written, and its figure.
void emit_figure(YAML::Emitter& out, const std::string& key, const Figure& f);
/// The figure alone, as an item of a list.
void emit_figure(YAML::Emitter& out, const Figure& f);

}  // namespace strata
