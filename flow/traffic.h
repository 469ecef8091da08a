// SPDX-License-Identifier: LGPL-2.1-only
// The traffic between ranks and on each link: the tables of a folder of traffic. There are two independent counts:
// messages as ranks send them, and flows (flows.h). tests/sim/conservation_test.cc compares them.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "flow/flows.h"
#include "flow/link_names.h"
#include "flow/route_tree.h"
#include "records/levels.h"
#include "records/links.h"
#include "records/matrix/matrix_market.h"

namespace strata::flow {

/// Messages by sender and receiver. Memory is proportional to the number of pairs.
class MessageMatrix {
 public:
  /// Keeps at most `pairs` pairs: the matrix of a run in which more pairs exchange messages is dropped.
  void limit(std::size_t pairs) { most_pairs_ = pairs; }

  /// Ranks count from 0.
  void add(int sender, int receiver, std::uint64_t bytes);

  /// Whether the matrix was not dropped.
  bool whole() const { return pairs_ <= most_pairs_; }

  /// By sender (row), then receiver (column).
  std::vector<WholeEntry> bytes() const { return entries(&Cell::bytes); }
  std::vector<WholeEntry> messages() const { return entries(&Cell::messages); }

 private:
  struct Cell {
    std::uint64_t bytes = 0, messages = 0;
  };
  std::vector<WholeEntry> entries(std::uint64_t Cell::*what) const;

  std::vector<std::unordered_map<int, Cell>> rows_;
  std::size_t pairs_ = 0, most_pairs_ = SIZE_MAX;
};

/// Messages by the level of the machine where the paths of their cores meet.
class MessageLevels {
 public:
  /// Both must outlive it.
  MessageLevels(const Machine& machine, const RouteTree& tree);

  /// Cores by their index in Topology::cores(). O(depth of the tree).
  void add(int sender_core, int receiver_core, std::uint64_t bytes);

  /// Every level of the machine, in the order of machine.yaml, then "loopback".
  std::vector<LevelMessages> counts() const;

 private:
  const Machine& machine_;
  const RouteTree& tree_;
  std::vector<LevelMessages> at_stop_;  // without names
  LevelMessages loopback_;
};

/// Leaves out links that the machine does not have, and loopbacks that carried nothing. `active_s` is the time in which
/// any message was under way anywhere; `busy_s` the time in which any message or work was, which is used for memories.
/// If it is 0, so is the utilisation. `bytes` counts the bytes that have passed, `carried` the messages that have
/// arrived.
std::vector<LinkTraffic> link_traffic(const std::vector<LinkName>& names, const std::vector<double>& bytes,
                                      const std::vector<Carried>& carried, double active_s, double busy_s);

}  // namespace strata::flow
