// SPDX-License-Identifier: LGPL-2.1-only
// Finds the loops in a sequence of steps while it grows: a thousand equal iterations take the space of one. For example
//
//   a b b c  a b b c  a b b c      becomes      repeat 3 times: a, repeat 2 times: b, c
//
// Whenever a step is added, the end of the sequence is compared with what is right before it, for the few lengths at
// which the same step was there. This finds nested loops from the inside out. Unfolded, the result is
// exactly the steps that went in, whether or not every loop was found.
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
  /// Not a kRepeat. About a microsecond.
  void add(const TraceStep& step);
  /// The steps so far, with a kRepeat before each loop's.
  std::vector<TraceStep> steps() const;
  /// Steps and loops that it keeps: all of them; those that are in no loop.
  std::size_t size() const { return size_; }
  std::size_t length() const { return nodes_.size(); }
  /// The older half of steps(), in which no further loops are found; steps() are the rest.
  std::vector<TraceStep> take_older_half();

 private:
  struct Node {
    std::uint64_t hash = 0;
    TraceStep step;          // if the body is empty
    std::int64_t count = 1;  // of a loop
    std::vector<Node> body;  // empty: a step
    std::size_t size = 1;    // with those in the body
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
  std::vector<std::size_t> loops_;                         // places of loops in nodes_, ascending
  std::unordered_map<std::uint64_t, std::size_t> latest_;  // by hash: the last place of such a node
  std::vector<std::size_t> before_;                        // by node: the place of the equal one before; kNone
  std::size_t size_ = 0;
};

/// The steps with each loop written out, without kRepeat.
std::vector<TraceStep> unfold(const std::vector<TraceStep>& folded);

}  // namespace strata
