// SPDX-License-Identifier: LGPL-2.1-only
// A trace prepared for a replay: peers are numbered, so that a step finds its channel without a search.
//
// The ranks to which a program sends, relative to its own rank, are its outgoing lanes: 0, 1, ... in the order in which
// they appear; those from which it receives are its incoming lanes. A rank's outgoing lanes are channels of its own,
// numbered consecutively; its incoming lanes refer to the senders' channels.
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
  std::int32_t longest_wait = 0;  // the largest distance to a request that is waited for
};

/// By rank; ranks that share a program in the trace share it here too.
class Programs {
 public:
  explicit Programs(const Trace& trace);

  const Program& of(int rank) const { return programs_[program_of_[rank]]; }
  int num_channels() const { return num_channels_; }
  /// Trace::native.
  bool native() const { return native_; }
  /// The channel of a rank's outgoing lane, and of its incoming lane.
  int out(int rank, int lane) const { return first_out_[rank] + lane; }
  int in(int rank, int lane) const { return in_[first_in_[rank] + static_cast<std::size_t>(lane)]; }

 private:
  std::vector<Program> programs_;
  std::vector<int> program_of_, first_out_, in_;
  std::vector<std::size_t> first_in_;
  int num_channels_ = 0;
  bool native_;
};

}  // namespace strata::replay
