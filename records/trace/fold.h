// SPDX-License-Identifier: LGPL-2.1-only
// Finds loops in a sequence of steps while it grows: a thousand equal iterations need the memory of one. For example:
//
//   a b b c  a b b c  a b b c      becomes      repeat 3 times: a, repeat 2 times: b, c
//
// When a step is added, the end of the sequence is compared with the steps directly before it, for the few lengths at
// which an equal step occurred. This finds nested loops from the inside out. Unfolding always gives back exactly the
// steps that were added, even if a loop was not found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "records/trace/trace.h"

namespace strata {

class StepFolder {
 public:
  /// `step` is not a kRepeat. Takes about a microsecond.
  void add(const TraceStep& step);
  /// The steps so far, with a kRepeat before each loop.
  std::vector<TraceStep> steps() const;
  /// Number of steps and loops in memory: size() counts all of them, length() only those outside loops.
  std::size_t size() const { return size_; }
  std::size_t length() const { return nodes_.size(); }
  /// Removes and returns the older half of steps(). No further loops are found in it.
  std::vector<TraceStep> take_older_half();

 private:
  struct Node {
    std::uint64_t hash = 0;
    TraceStep step;          // if `body` is empty
    std::int64_t count = 1;  // of a loop
    std::vector<Node> body;  // empty: the node is a step
    std::size_t size = 1;    // nodes, including those in the body
    bool operator==(const Node& other) const;
  };
  static std::uint64_t hash_of(const Node& node);
  static void flatten(std::span<const Node> nodes, std::vector<TraceStep>& into);
  void push(Node node);
  bool grow_loop();
  bool make_loop();
  bool equal(std::size_t a, std::size_t b, std::size_t length) const;
  void cut(std::size_t size);

  std::vector<Node> nodes_;
  std::vector<std::size_t> loops_;                         // indexes of loops in nodes_, ascending
  std::unordered_map<std::uint64_t, std::size_t> latest_;  // by hash: the index of the latest node
  std::vector<std::size_t> before_;                        // by node: the index of the previous equal node, or kNone
  std::size_t size_ = 0;
};

/// The steps with all loops written out, without kRepeat.
std::vector<TraceStep> unfold(const std::vector<TraceStep>& folded);

}  // namespace strata
