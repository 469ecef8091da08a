// SPDX-License-Identifier: LGPL-2.1-only
// The one table of what a machine states. A row gives a figure's key in machine.yaml, its meaning, its dimension, and
// the value that applies if the machine does not state it:
//
//   {{.name = "gap", .meaning = "Messages of this level leave a node at least this long apart."},
//    &LevelCosts::gap, "time", no_gap, is_between_nodes}
//
// machine.yaml is read and written by it; what-ifs, the list of machines, the JSON of a machine and the sensitivities
// of a replay go through it. So a new figure is a member of its struct (machine.h) and a row here.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/keys.h"
#include "platforms/figure_yaml.h"
#include "platforms/machine.h"

namespace strata {

/// `Owner` is Machine, MemoryCosts, FabricNetwork, NetworkPorts, LevelCosts or Segment.
template <class Owner>
struct FigureRow {
  Key key;  // its value is made from the dimension
  std::variant<Figure Owner::*, std::optional<Figure> Owner::*> member;
  const char* dimension;  // of units.h
  // The value if the machine states none; left out: that means something else.
  std::function<Figure(const Machine&, const Owner&)> otherwise = {};
  std::function<bool(const Machine&, const Owner&)> stated_here = {};  // left out: on each machine and level
  bool is_listed_unstated = false;                                     // lists show `otherwise`

  /// Null if the machine does not state it.
  const Figure* find(const Owner& owner) const {
    if (const auto* always = std::get_if<Figure Owner::*>(&member)) return &(owner.**always);
    const std::optional<Figure>& figure = owner.*std::get<std::optional<Figure> Owner::*>(member);
    return figure ? &*figure : nullptr;
  }
  void state(Owner& owner, const Figure& figure) const {
    std::visit([&](auto of) { owner.*of = figure; }, member);
  }
};

template <class Owner>
using FigureRows = std::vector<FigureRow<Owner>>;

/// The rows of each mapping of `costs`, in the order of the file.
const FigureRows<Machine>& core_figures();
const FigureRows<Machine>& message_figures();  // directly in `costs`
const FigureRows<MemoryCosts>& memory_figures();
const FigureRows<FabricNetwork>& fabric_figures();  // without those of the links
const FigureRows<NetworkPorts>& port_figures();
const FigureRows<LevelCosts>& level_figures();      // those before `segments`
const FigureRows<LevelCosts>& node_link_figures();  // those of a level after `segments`
const FigureRows<Segment>& segment_figures();

/// The rows as keys of the file.
template <class Owner>
Keys<Owner> keys_of(const FigureRows<Owner>& rows) {
  Keys<Owner> keys;
  for (const FigureRow<Owner>& row : rows) {
    keys.push_back(
        {row.key, [row](const YamlReader& at, Owner& owner) { row.state(owner, read_figure(at, row.dimension)); }});
    keys.back().key.value = figure_value(row.dimension);
  }
  return keys;
}

/// A figure of a machine, and where it stands.
struct PlacedFigure {
  std::vector<std::variant<std::string, int>> path;  // in `costs`: "levels", 2, "segments", 0, "latency"; first a key
  std::string name;                                  // of what-ifs: "Package.segments[0].latency"
  std::string title;                                 // of lists: "Package from 8 KiB: latency"
  const char* dimension;
  std::optional<Figure> stated, otherwise;
  bool is_listed_unstated, stated_here;
};

/// All figures that the machine states or could state, in the order of machine.yaml. O(figures).
std::vector<PlacedFigure> figures_of(const Machine& machine);

/// Gives the figure with this name of what-ifs another value. A machine without such a figure is left as it is.
void state_figure(Machine& machine, const std::string& name, const Figure& figure);

/// Whether the vertices with that name connect nodes.
bool is_network_level(const Machine& machine, const std::string& level);

}  // namespace strata
