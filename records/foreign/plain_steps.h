// SPDX-License-Identifier: LGPL-2.1-only
// The steps of a trace's rank (records/trace/trace.h) in the form that other formats need: without loops, with absolute
// numbers of peers, and with messages numbered by pair of sender and receiver. Computation is converted to flop of a
// machine's cores. On a machine with figures of its memory, work on data in memory takes the time of a core that has
// the memory to itself, because no other format knows that cores share it.
#pragma once

#include <string>
#include <vector>

#include "platforms/machine.h"
#include "records/trace/trace.h"

namespace strata {

struct PlainStep {
  enum class Kind : std::uint8_t { kSend, kReceive, kWait, kSleep, kCompute };
  Kind kind = Kind::kCompute;
  int peer = 0;
  long message = 0;       // send, receive: which of the messages from that sender to that receiver, from 0
  double bytes = 0;       // send: of the message; receive: at most
  bool blocking = false;  // send: the next step waits for it alone, and the program does not continue meanwhile
  bool more = false;      // wait: is completed together with the next
  std::size_t start = 0;  // wait: the step for which it waits
  double amount = 0;      // kSleep: s; kCompute: flop, charged at the speed of the machine's cores
};

class PlainSteps {
 public:
  /// `file` and `format` are for errors, such as "app.mpitrace" and "GOAL". `trace` and `machine` must outlive this
  /// object.
  PlainSteps(const Trace& trace, const Machine& machine, std::string file, std::string format);

  /// Throws InputError for steps that the format cannot express. Call it once for each rank; O(steps).
  std::vector<PlainStep> of(int rank);
  /// The size of a message, B.
  double bytes(int from, int to, long message) const;
  /// The time that all steps so far take on data in memory, s: at least as long if other cores use the memory as well.
  double alone_s() const { return alone_s_; }

 private:
  [[noreturn]] void fail(int rank, const std::string& function, const std::string& what,
                         const std::string& remedy) const;
  double flops(const TraceStep& step);
  double alone(double seconds);

  const Trace& trace_;
  const Machine& machine_;
  const std::string file_, format_;
  double alone_s_ = 0;
  std::vector<std::vector<std::pair<int, std::vector<double>>>> sent_;  // by sender: receivers, ascending, and sizes
};

}  // namespace strata
