// Figures in YAML: {value: 1.62, unit: us, source: "published: ..."}.
#pragma once

#include <string>

#include "platforms/figure.h"
#include "platforms/yaml_reader.h"

namespace strata {

/// `dimension` is one of units.h. Throws InputError: no unit or source, a unit of another dimension, a value that is
/// not above `low` (a time may be 0; copies are 1 or 2).
Figure read_figure(const YamlReader& at, const std::string& dimension, double low);

/// A key of the mapping that is being written, and its figure.
void emit_figure(YAML::Emitter& out, const std::string& key, const Figure& f);
/// The figure alone, as an item of a list.
void emit_figure(YAML::Emitter& out, const Figure& f);

}  // namespace strata
