// SPDX-License-Identifier: LGPL-2.1-only
// The keys of a machine.yaml as tables (keys.h), and the figures of its levels.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "platforms/keys.h"
#include "platforms/machine.h"

namespace strata {

/// A figure of every level: a key of `costs.levels`, and a figure that a what-if may change.
struct LevelFigure {
  const char* name;
  Figure LevelCosts::*figure;
  const char* dimension;  // of units.h
  const char* meaning;
  bool is_of_links;  // the levels of a torus or dragonfly do not have it
};

const std::array<LevelFigure, 4>& level_figures();

/// A figure of a level's segments.
struct SegmentFigure {
  const char* name;
  Figure Segment::*figure;
  const char* dimension;
  const char* meaning;
};

const std::array<SegmentFigure, 4>& segment_figures();

/// Whether the vertices with that name connect nodes.
bool is_network_level(const Machine& machine, const std::string& level);

/// The keys of the file; the keys of its mappings are in their values.
std::vector<Key> machine_keys();

/// docs/reference/machine.md and schemas/machine.schema.json.
std::string machine_reference();
std::string machine_schema();

}  // namespace strata
