// SPDX-License-Identifier: LGPL-2.1-only
// A machine: its topology, and what computing and communicating costs on it, every figure with a unit and a source.
//
// Costs of messages are given per level: the vertex at which the paths of two cores meet names the level. Per level:
//   latency         alpha of Hockney's model: half a ping-pong of an empty message, send overhead included
//   overhead        the part of it that keeps the sender's core busy (o of LogP)
//   bandwidth       what one message gets (1/beta)
//   link_bandwidth  what the up link, and the down link, of each child of such a vertex carries in total
//
// and, where a source gives them,
//
//   segments          other figures from a size on, for another protocol begins there
//   duplex_bandwidth  what both links of a child carry together, when messages go both ways
//   gap               what lies between the starts of two messages that leave one node, however short they are
//
// Large messages and large computations also load memory (MemoryCosts).
//
// On a network that is not a tree (fabric_network.h) a message between two nodes goes up the tree to its node, over the
// node's link into its router, along the fabric's links, and down again. The level's latency is that of no link between
// routers; each adds its hop_latency. A network's level has no links of its own up the tree.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platforms/fabric_network.h"
#include "platforms/figure.h"
#include "platforms/topology.h"
#include "platforms/units.h"

namespace strata {

/// What holds at a level for messages of `from` bytes and more, up to the next segment.
struct Segment {
  Figure from;  // B
  Figure latency;
  Figure overhead;
  Figure bandwidth;
};

struct LevelCosts {
  std::string level;  // the name of the vertices where it applies
  Figure latency;
  Figure overhead;
  Figure bandwidth;
  Figure link_bandwidth;               // of a fabric's level: the injection, which all its messages share by node
  std::vector<Segment> segments = {};  // by increasing `from`, which differ
  std::optional<Figure> duplex_bandwidth = {};  // B/s
  std::optional<Figure> gap = {};               // s; only of levels of the network
};

/// The memory that cores share: that of each NUMA node, or of the node where it has none. Copies and streaming
/// computations of more than fits into the caches get at most their share of it (docs/fidelity.md).
struct MemoryCosts {
  Figure bandwidth;  // B/s, bytes read plus bytes written, by as many copies as saturate it
  std::optional<Figure> stated_combine_bandwidth =
      {};  // the same of combinations, which read two operands and write one
  std::optional<Figure> cache_bandwidth =
      {};  // B/s, read plus written, of one core whose data stay in the shared cache
};

/// How well the machine predicts an operation that was measured, and that no figure was fitted to. Changes no result.
/// An error is a factor: predicted over measured, or its inverse, whichever is above 1.
struct Validation {
  std::string operation;  // "allgather"
  std::string level;      // where the paths of the ranks meet; empty: all ranks of the machine's job
  int ranks = 0;
  double from_bytes = 0, to_bytes = 0;  // the sizes that were measured
  int samples = 0;
  double median_error = 1, worst_error = 1;
  std::string source;
};

/// Where the inside of the nodes comes from: exactly one is set.
struct NodeSource {
  std::filesystem::path xml;
  std::string synthetic;
};

/// Successive nodes with the same inside.
struct NodesOfAKind {
  NodeSource source;
  int count;
  std::string names;  // a list as hostlist.h reads it; empty where they have none
};

/// Immutable once loaded; reading from several threads is safe.
struct Machine {
  std::string name;
  std::string description;
  std::string source;
  NodeSource node;                       // the inside of all nodes, or of the first ones of `kinds`
  std::vector<NodesOfAKind> kinds = {};  // of a machine whose nodes differ: all its nodes, in their order
  NetworkGroup network;                  // the tree that the nodes hang in
  std::optional<FabricNetwork> fabric;   // what connects the nodes if that is not a tree
  std::shared_ptr<const Topology> topology;
  Figure core_speed;      // flop/s of one core
  Figure copy_bandwidth;  // B/s that one core copies in memory
  Figure eager_limit;     // B: longer messages wait for their receiver (rendezvous)
  std::vector<LevelCosts> levels;
  std::optional<Figure> stated_combine_bandwidth;  // see combine_bandwidth()
  std::optional<Figure> stated_copies;             // see copies()
  std::optional<MemoryCosts> memory;               // without it memory is never a bottleneck
  std::vector<Validation> validation = {};
  std::optional<Figure> polling;  // s that a thread which polls takes from its core for each message under way; what-if

  /// B/s of one operand at which one core combines two (a reduction's operation). Where none is stated the copy
  /// bandwidth: a combination reads two streams and writes one, the traffic of a copy whose writes allocate their
  /// lines.
  Figure combine_bandwidth() const;
  /// How many cores a message above the eager limit within a node takes while it is copied: 1, the receiver's, straight
  /// from the sender's memory (CMA, XPMEM, threads of one process); or 2, the sender's and the receiver's at the same
  /// time, into and out of a segment that they share. Where it is not stated 1.
  Figure copies() const;

  /// The costs of messages whose paths meet at `vertex`; null where no two cores meet there.
  const LevelCosts* costs_at(int vertex) const;
  /// Whether `vertex` is part of a network that is not a tree: between it and the vertex above messages take the
  /// fabric's links, and it has no link of its own.
  bool is_in_fabric(int vertex) const { return fabric && topology->type(vertex) == ObjectType::kNetwork; }
  /// Whether these are a level of such a network, whose links are the fabric's and the nodes' injection.
  bool shares_injection(const std::string& level) const;
  /// The latency of a message that a core sends to itself: that of the innermost level above it (a message to oneself
  /// is not slower than one to the nearest neighbour); s.
  Seconds loopback_latency(int core_vertex) const;
  /// The bandwidth that a core's messages to itself share: the copy bandwidth, or the bandwidth of the innermost level
  /// above it where that is more, for the same reason.
  BytesPerSecond loopback_bandwidth(int core_vertex) const;

 private:
  const LevelCosts* innermost_costs(int core_vertex) const;  // null on a machine of one core
};

/// How a machine's node is imported (isolated_import.h).
enum class NodeImport {
  kIsolated,  // in a child: libhwloc may crash on what a user gives
  kDirect,    // here: a file that has been imported before
};

/// Loads a machine.yaml. Throws InputError with file, line and remedy: malformed YAML, a key that is not known or
/// missing, a figure without unit or source, a level that is not in the tree or has no figures.
Machine load_machine(const std::filesystem::path& yaml, NodeImport how = NodeImport::kIsolated);

/// A machine from any hwloc XML: `nodes` copies under one switch, with default costs, all marked `assumed`.
Machine machine_from_xml(const std::filesystem::path& xml, int nodes);

/// The same from a one-line tree (see parse_tree) whose network levels, if any, get the default network costs.
Machine machine_from_tree(const std::string& line);

/// These nodes on a network, in its order, with the costs of `costs`, or default costs, marked `assumed`, where it is
/// null. Every level of the network has the costs of the network of `costs`. On a tree a link above several nodes
/// carries as much as theirs together; a fabric has the figures that it comes with. Has no name, description and source
/// yet.
Machine machine_on_network(const std::vector<NodesOfAKind>& nodes, NetworkGroup network,
                           std::optional<FabricNetwork> fabric, const Machine* costs);

/// Writes machine.yaml (and, where it has them, a copy of node.xml and of fabric.txt) into `folder`: what load_machine
/// reads back.
void save_machine(const Machine& machine, const std::filesystem::path& folder);

/// The XML file of each kind of nodes in such a folder: node.xml where all nodes are alike, else node-1.xml, ...; empty
/// where their description is synthetic.
std::vector<std::string> node_files(const Machine& machine);

/// A hash of everything that save_machine writes, except `validation`, on which no result depends: 32 hexadecimal
/// digits (XXH3, 128 bits). Names, for the reader, which machine a result belongs to; not a protection against forgery.
std::string machine_hash(const Machine& machine);

/// The machines of the catalog `data` folder, by name, sorted.
std::vector<std::string> catalog_names(const std::filesystem::path& catalog);

/// `spec` is a catalog name, a folder with a machine.yaml, or a machine.yaml. Throws InputError that lists the catalog.
Machine find_machine(const std::string& spec, const std::filesystem::path& catalog);

}  // namespace strata
