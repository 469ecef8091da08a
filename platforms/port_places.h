// SPDX-License-Identifier: LGPL-2.1-only
// Which ports (network_ports.h) the messages of a core take, and where in the tree they are.
//
// Ports of all nodes are numbered node after node, in the order of NetworkPorts::at. On nodes of two processors with a
// port each, port 5 is that of Package 1 of node 2.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platforms/machine.h"

namespace strata {

/// The object to which a port is attached, as an index into the objects() of a node's tree; -1 if the name does not
/// exist there, or is that of an object without cores.
int find_port_object(const NodeTree& node, const std::string& at);

/// "port 1 of node 3", for the number of a port of a machine (PortPlaces).
std::string port_name(const NetworkPorts& ports, int port);

/// The first port, an index into NetworkPorts::at, whose object is missing in a node, and the first such node.
struct MissingPort {
  int port, node;
};
std::optional<MissingPort> find_missing_port(const Topology& topology, const NetworkPorts& ports);

/// B/s of which one message between nodes never gets more: those of the ports that it may take.
double most_through_ports(const NetworkPorts& ports);

/// Immutable; reading from several threads is safe. Cores are indexes into Topology::cores().
class PortPlaces {
 public:
  /// The machine must have ports, whose objects exist in every node (load_machine checks this), and outlive this.
  /// O(cores * ports of a node * depth).
  explicit PortPlaces(const Machine& machine);

  /// The number of ports of all nodes.
  int count() const { return static_cast<int>(vertex_.size()); }
  int per_node() const { return per_node_; }
  /// The object to which a port is attached.
  int vertex(int port) const { return vertex_[port]; }

  /// The ports first, first + 1, ..., each of which carries an equal part of the message.
  struct Choice {
    int first, count;
    bool far;  // whether the core is not below the object of one of them
  };
  /// The ports of a core's own node that carry its messages of `payload` bytes to and from other nodes. O(1).
  Choice of(int core, double payload) const;

 private:
  const Machine& machine_;
  const int per_node_;
  std::vector<int> vertex_;       // by port
  std::vector<Choice> choice_;    // by core, of messages that are not divided
  std::vector<bool> far_of_one_;  // by core: whether it is not below the objects of all ports
};

}  // namespace strata
