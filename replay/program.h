// SPDX-License-Identifier: LGPL-2.1-only
// A trace made ready to run: peers are numbered, so that a step finds its channel without a search.
//
// The ranks that a program sends to, counted from its own, are its lanes out: 0, 1, ... in the order in which they
// appear; those that it receives from its lanes in. A rank's lanes out are channels of its own, one after another; its
// lanes in lead to those of the senders.
#pragma once

#include <cstdint>
#include <vector>

#include "records/trace/trace.h"

namespace strata::replay {

/// A step; TraceStep says which fields count. The number of a kSend is its tag.
struct Op {
  TraceStep::Kind kind = TraceStep::Kind::kCall;
  std::uint8_t modes = 0;
  std::int32_t lane = 0;  // of the peer; one-sided: the peer, counted from the rank's own
  std::int32_t number = 0;
  std::int32_t passed = 0;  // kFlushOne: TraceStep::tag
  double amount = 0, moved = 0;
};

struct Program {
  std::vector<Op> ops;
  std::vector<int> out, in;       // peers by lane, as TraceStep::peer
  std::int32_t longest_wait = 0;  // how far back a wait reaches
};

/// By rank; programs that ranks share in the trace they share here.
class Programs {
 public:
  explicit Programs(const Trace& trace);

  const Program& of(int rank) const {
    return programs_[static_cast<std::size_t>(program_of_[static_cast<std::size_t>(rank)])];
  }
  int num_channels() const { return num_channels_; }
  /// The channel of a rank's lane out, of its lane in.
  int out(int rank, int lane) const { return first_out_[static_cast<std::size_t>(rank)] + lane; }
  int in(int rank, int lane) const {
    return in_[first_in_[static_cast<std::size_t>(rank)] + static_cast<std::size_t>(lane)];
  }

 private:
  std::vector<Program> programs_;
  std::vector<int> program_of_, first_out_, in_;
  std::vector<std::size_t> first_in_;
  int num_channels_ = 0;
};

}  // namespace strata::replay
