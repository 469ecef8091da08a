// SPDX-License-Identifier: LGPL-2.1-only
// A machine's network that is not a tree: its shape, the bandwidths of its links, and its routes.
//
//   network: {torus: {dims: [8, 8, 8], wrap: [true, true, false], nodes_per_router: 2, router: Gemini}}
//   network: {dragonfly: {groups: 2, rows: 6, columns: 16, nodes_per_router: 4, global_links: 8,
//                         group: Group, row: Chassis, router: Router}}
//
//   network: {switches: {file: fabric.txt, levels: [Switch]}}
//
// Defaults: `wrap` is true in every dimension, `nodes_per_router` is 1, and names are those of dragonfly.h and torus.h.
// `global_links`, between any two groups, is required if there are several groups. The figures are part of the costs:
//
//   costs:
//     torus: {hop_latency: F, injection: F, links: [F, F, F]}                    a figure for each dimension's links
//     dragonfly: {hop_latency: F, injection: F, row: F, column: F, global: F}    those kinds of links that there are
//     switches: {hop_latency: F, injection: F, links: {4xEDR: F}}                a figure for each kind of cables
//
//   hop_latency  s that each link from router to router adds to the latency of a message's level
//   injection    B/s of the link from a node to its router, and of the link back: shared by all messages between this
//                node and others, on every level
//   the links    B/s of a link between two routers, each way
//
// The levels of the network (at which messages between nodes meet) therefore have a latency, an overhead and a
// bandwidth of one message, but no link_bandwidth, as there are no links from a router up to a group.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "platforms/dragonfly.h"
#include "platforms/fat_tree.h"
#include "platforms/figure.h"
#include "platforms/switches.h"
#include "platforms/torus.h"

namespace strata {

class Fabric;
struct FabricForm;

/// How a message is routed between two routers if several routes are equally short.
enum class Routing {
  kMinimal,   // one route, always the same for the same pair
  kSpread,    // bytes are spread evenly over all shortest routes
  kAdaptive,  // as kSpread, or around via another router if the shortest routes are fuller when the message starts
};

/// Immutable once its machine is loaded; copies share the routes.
struct FabricNetwork {
  std::variant<TorusShape, DragonflyShape, FatTreeShape, SwitchesShape> shape;
  std::shared_ptr<const Fabric> fabric;
  Figure hop_latency = {};
  Figure injection = {};
  std::vector<Figure> links = {};  // by kind (Fabric::kinds)
  Routing routing = Routing::kMinimal;

  /// B/s of a link of the fabric.
  double bandwidth(int link) const;
  /// Nodes are numbered router after router.
  int router_of(int node) const;
  /// The seat of a node, for Fabric::route.
  int seat_of(int node) const;
  /// How this kind of fabric is written in files (fabric_form.h).
  const FabricForm& form() const;
  /// The contents of fabric.txt, beside machine.yaml in the machine's folder; empty if the machine has no such file.
  std::string file_text() const;
  /// Name of the figure of a kind of links: "torus.links.x", "dragonfly.row".
  std::string figure_name(int kind) const;
  /// "torus 24 x 24 x 24, 2 nodes a router".
  std::string describe() const;
};

}  // namespace strata
