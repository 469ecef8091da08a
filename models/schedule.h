// SPDX-License-Identifier: LGPL-2.1-only
// A schedule: the sequence of operations of each rank.
//
// Sizes are payloads in bytes; times are not part of it (schedule_time.h). Messages between two ranks do not overtake
// each other: the k-th that `a` sends to `b` is the k-th for which `b` posts a receive from `a`, and `b` waits for them
// in that order.
#pragma once

#include <vector>

namespace strata::models {

struct Operation {
  enum class Kind {
    kSend,         // a nonblocking send and, at once, the wait for it
    kStartSend,    // the nonblocking send alone
    kWaitSend,     // waits for the oldest started send to that peer that was not waited for
    kPostReceive,  // a nonblocking receive
    kWaitReceive,  // waits for the oldest posted receive from that peer that was not waited for
    kCombine,      // applies a reduction's operation to what was received
    kCompute,      // the program's own arithmetic
  };
  Kind kind;
  int peer;       // the rank at the other end; -1 without one
  double amount;  // B sent, received or combined; flop computed
  friend bool operator==(const Operation&, const Operation&) = default;
};

/// By rank: its operations in order.
using Schedule = std::vector<std::vector<Operation>>;

// Each appends to what `rank` does.

inline void send(Schedule& s, int rank, int to, double bytes) {
  s[rank].push_back({Operation::Kind::kSend, to, bytes});
}
inline void start_send(Schedule& s, int rank, int to, double bytes) {
  s[rank].push_back({Operation::Kind::kStartSend, to, bytes});
}
inline void wait_send(Schedule& s, int rank, int to, double bytes) {
  s[rank].push_back({Operation::Kind::kWaitSend, to, bytes});
}
inline void post_receive(Schedule& s, int rank, int from, double bytes) {
  s[rank].push_back({Operation::Kind::kPostReceive, from, bytes});
}
inline void wait_receive(Schedule& s, int rank, int from, double bytes) {
  s[rank].push_back({Operation::Kind::kWaitReceive, from, bytes});
}
inline void combine(Schedule& s, int rank, double bytes) { s[rank].push_back({Operation::Kind::kCombine, -1, bytes}); }
inline void compute(Schedule& s, int rank, double flops) { s[rank].push_back({Operation::Kind::kCompute, -1, flops}); }

/// A blocking receive: posted, and waited for at once.
inline void receive(Schedule& s, int rank, int from, double bytes) {
  post_receive(s, rank, from, bytes);
  wait_receive(s, rank, from, bytes);
}

/// Both at the same time: the receive is posted, then the send started, then both are waited for.
inline void send_receive(Schedule& s, int rank, int to, double sent_bytes, int from, double received_bytes) {
  post_receive(s, rank, from, received_bytes);
  start_send(s, rank, to, sent_bytes);
  wait_receive(s, rank, from, received_bytes);
  wait_send(s, rank, to, sent_bytes);
}

/// A blocking send of `from` and the blocking receive of `to`; nothing if there are no bytes.
inline void message(Schedule& s, int from, int to, double bytes) {
  if (bytes == 0) return;
  send(s, from, to, bytes);
  receive(s, to, from, bytes);
}

}  // namespace strata::models
