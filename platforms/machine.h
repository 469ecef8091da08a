// SPDX-License-Identifier: LGPL-2.1-only
// A machine: its topology, and the costs of computing and communicating on it. Every figure has a unit and a source.
//
// Costs of messages are given per level. The level of a message is the name of the vertex at which the paths of its two
// cores meet. Per level:
//   latency         alpha of Hockney's model: half a ping-pong of an empty message, including both overheads
//   overhead        the part of the latency that keeps the sender's core busy (o_s of LogP)
//   bandwidth       what one message gets (1/beta)
//   link_bandwidth  what the up link, and the down link, of each child of such a vertex carries in total
//
// and optionally, if a source gives them,
//
//   segments          other figures from a size on, where another protocol begins
//   duplex_bandwidth  what both links of a child carry together, when messages go both ways
//   gap               the minimum time between the starts of two messages that leave one node, even if they are short
//   receive_overhead  the part of the latency that keeps the receiver's core busy once the message has arrived (o_r of
//                     LogP); 0 if left out
//
// Large messages and large computations also load memory (MemoryCosts).
//
// On a network that is not a tree (fabric_network.h), a message between two nodes goes up the tree to its node, over
// the node's link into its router, along the fabric's links, and down again. The level's latency is for a path without
// links between routers; each such link adds its hop_latency. A level of such a network has no links of its own up the
// tree.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "platforms/fabric_network.h"
#include "platforms/figure.h"
#include "platforms/network_ports.h"
#include "platforms/node_source.h"
#include "platforms/topology.h"

namespace strata {

/// Figures of a level for messages of `from` bytes and more, up to the next segment.
struct Segment {
  Figure from;  // B
  Figure latency;
  Figure overhead;
  Figure bandwidth;
  std::optional<Figure> receive_overhead = {};  // s; without it, the level's, as far as the latency has room for it
  std::optional<Figure> send_copy = {}, receive_copy = {};  // B/s; without them, nothing: not the level's
};

struct LevelCosts {
  std::string level;  // the name of the vertices where it applies
  Figure latency;
  Figure overhead;
  Figure bandwidth;
  Figure link_bandwidth;                        // of a fabric's level: the injection, shared by all messages of a node
  std::vector<Segment> segments = {};           // by increasing `from`; no duplicates
  std::optional<Figure> duplex_bandwidth = {};  // B/s
  std::optional<Figure> gap = {};               // s; only for network levels
  std::optional<Figure> receive_overhead = {};  // s
  std::optional<Figure> send_copy = {}, receive_copy = {};  // B/s
};

/// Decides whether the data of messages, copies and combinations are in a cache: by these data alone, which must fit
/// there; or by how much else the rank has touched since it last used the same buffers
/// (records/exchange/buffer_reuse.h).
enum class CachedBy { kMessages, kBuffers };

/// The memory that cores share: that of each NUMA node, or of the node if it has none. Copies and streaming
/// computations that do not fit into the caches get at most their share of it (docs/fidelity.md).
struct MemoryCosts {
  Figure bandwidth;  // B/s, bytes read plus bytes written, of enough copies to saturate it
  std::optional<Figure> stated_combine_bandwidth =
      {};  // the same for combinations, which read two operands and write one
  std::optional<Figure> cache_bandwidth =
      {};  // B/s, read plus written, of one core whose data stays in the shared cache
  std::optional<Figure> shared_cache_bandwidth =
      {};  // B/s, read plus written, of all cores together whose data stay in one shared cache
  CachedBy cached = CachedBy::kMessages;
};

/// How well the machine predicts an operation that was measured, and to which no figure was fitted. Has no effect on
/// results. An error is a factor: predicted over measured, or its inverse, whichever is above 1.
struct Validation {
  std::string operation;  // "allgather"
  std::string level;      // where the paths of the ranks meet; empty: all ranks of the machine's job
  int ranks = 0;
  double from_bytes = 0, to_bytes = 0;  // the measured sizes
  int samples = 0;
  double median_error = 1, worst_error = 1;
  std::string source;
};

/// Immutable once loaded; reading from several threads is safe.
struct Machine {
  std::string name;
  std::string description;
  std::string source;
  NodeSource node;                         // the inside of all nodes, or of the first ones of `kinds`
  std::vector<NodesOfAKind> kinds = {};    // if the nodes differ: all nodes, in their order
  NetworkGroup network;                    // the tree that contains the nodes
  std::optional<FabricNetwork> fabric;     // the network, if it is not a tree
  std::optional<NetworkPorts> ports = {};  // of each node, if it has several
  std::shared_ptr<const Topology> topology;
  Figure core_speed;      // flop/s of one core
  Figure copy_bandwidth;  // B/s that one core copies in memory
  Figure eager_limit;     // B: longer messages wait for their receiver (rendezvous)
  std::vector<LevelCosts> levels;
  std::optional<Figure> stated_combine_bandwidth;  // see combine_bandwidth()
  std::optional<Figure> stated_copies;             // see copies()
  std::optional<MemoryCosts> memory;               // without it, memory is never a bottleneck
  std::vector<Validation> validation = {};
  std::optional<Figure> queue_search =
      {};                         // s that a rank takes to pass a message or receive that it does not look for
  std::optional<Figure> polling;  // s that a polling thread takes from its core for each message under way; what-if

  /// B/s of one operand at which one core combines two (a reduction's operation). Default: the copy bandwidth, because
  /// a combination reads two streams and writes one, which is the traffic of a copy whose writes allocate their lines.
  Figure combine_bandwidth() const;
  /// The number of cores that copy a message above the eager limit within a node: 1, the receiver's, straight from the
  /// sender's memory (CMA, XPMEM, threads of one process); or 2, the sender's and the receiver's at the same time, into
  /// and out of a shared segment. Default: 1.
  Figure copies() const;

  /// The costs of messages whose paths meet at `vertex`; null if no two cores meet there.
  const LevelCosts* costs_at(int vertex) const;
  /// Whether `vertex` is part of a network that is not a tree: to the vertex above it, messages take the fabric's
  /// links, as it has no link of its own.
  bool is_in_fabric(int vertex) const { return fabric && topology->type(vertex) == ObjectType::kNetwork; }
  /// Whether `level` is a level of such a network, whose links are the fabric's and the nodes' injection.
  bool shares_injection(const std::string& level) const;
  /// The latency of a message from a core to itself, in s: that of the innermost level above it, because a message to
  /// oneself is not slower than one to the nearest neighbour.
  Seconds loopback_latency(int core_vertex) const;
  /// The bandwidth that a core's messages to itself share: the copy bandwidth, or the bandwidth of the innermost level
  /// above it if that is larger, for the same reason.
  BytesPerSecond loopback_bandwidth(int core_vertex) const;

 private:
  const LevelCosts* innermost_costs(int core_vertex) const;  // null on a machine with one core
};

/// Loads a machine.yaml. Throws InputError with file, line and remedy: malformed YAML, an unknown or missing key, a
/// figure without unit or source, a level that is not in the tree or has no figures.
Machine load_machine(const std::filesystem::path& yaml, NodeImport how = NodeImport::kIsolated);

/// A machine from any hwloc XML: `nodes` copies under one switch, with default costs, all marked `assumed`.
Machine machine_from_xml(const std::filesystem::path& xml, int nodes);

/// The same for a one-line tree (see parse_tree); its network levels, if any, get the default network costs.
Machine machine_from_tree(const std::string& line);

/// These nodes on a network, in its order, with the costs of `costs`, or default costs, marked `assumed`, if it is
/// null. Every level of the network gets the network costs of `costs`. On a tree, a link above several nodes carries as
/// much as their links together; a fabric has its own figures. Name, description and source are left empty.
Machine machine_on_network(const std::vector<NodesOfAKind>& nodes, NetworkGroup network,
                           std::optional<FabricNetwork> fabric, const Machine* costs);

/// Writes a machine.yaml that load_machine can read (and copies of node.xml and fabric.txt, if it has them) into
/// `folder`. Throws OutputError.
void save_machine(const Machine& machine, const std::filesystem::path& folder);

/// The XML file of each kind of node in such a folder: node.xml if all nodes are alike, otherwise node-1.xml, ...;
/// empty for a node with a synthetic description.
std::vector<std::string> node_files(const Machine& machine);

/// A hash of everything that save_machine writes, except `validation`, on which no result depends: 32 hexadecimal
/// digits (XXH3, 128 bits). It identifies the machine of a result for readers; it does not protect against forgery.
std::string machine_hash(const Machine& machine);

/// The machines of the catalog `data` folder, by name, sorted.
std::vector<std::string> catalog_names(const std::filesystem::path& catalog);

/// `spec` is a catalog name, a folder with a machine.yaml, or a machine.yaml. Throws an InputError that lists the
/// catalog.
Machine find_machine(const std::string& spec, const std::filesystem::path& catalog);

}  // namespace strata
