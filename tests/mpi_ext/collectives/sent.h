// SPDX-License-Identifier: LGPL-2.1-only
// The messages that the library sends, counted through MPI's profiling interface: "16B to 3".
#pragma once

#include <mpi.h>

#include <ostream>
#include <vector>

namespace strata::mpix::testing {

struct Sent {
  int to;  // rank in the communicator of the message
  long bytes;
  bool operator==(const Sent&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Sent& s) { return out << s.bytes << "B to " << s.to; }
};

// The messages of this rank, in order.
std::vector<Sent>& my_sent();

struct Traffic {
  long messages, bytes;
  bool operator==(const Traffic&) const = default;
  Traffic operator+(const Traffic& more) const { return {messages + more.messages, bytes + more.bytes}; }
  friend std::ostream& operator<<(std::ostream& out, const Traffic& t) {
    return out << t.messages << " messages of " << t.bytes << " B";
  }
};

// Messages of all members since `my_sent` was cleared.
Traffic traffic_of(MPI_Comm comm);

}  // namespace strata::mpix::testing
