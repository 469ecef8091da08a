// SPDX-License-Identifier: LGPL-2.1-only
// The steps of a trace's rank (records/trace/trace.h) as other formats want them: without loops, with peers by their
// number, and each message by its place among all those of its sender to its receiver. For computation its time on a
// machine.
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
  long message = 0;       // of a send or a receive: which of the messages of that sender to that receiver, from 0
  double bytes = 0;       // of a send: of the message; of a receive: at most
  bool blocking = false;  // of a send: the next step waits for it alone, and the program does not go on meanwhile
  bool more = false;      // of a wait: goes together with the next
  std::size_t start = 0;  // of a wait: the step that it waits for
  double amount = 0;      // kSleep: s; kCompute: flop, charged at the speed of the machine's cores
};

class PlainSteps {
 public:
  /// `file` and `format` are for errors, such as "app.strace" and "GOAL". Keep trace and machine.
  PlainSteps(const Trace& trace, const Machine& machine, std::string file, std::string format);

  /// Throws InputError for what the format has no words for. Each rank once; O(steps).
  std::vector<PlainStep> of(int rank) const;
  /// The size of a message, B.
  double bytes(int from, int to, long message) const;

 private:
  [[noreturn]] void fail(int rank, const std::string& function, const std::string& what,
                         const std::string& remedy) const;
  double flops(const TraceStep& step, int rank, const std::string& function) const;

  const Trace& trace_;
  const Machine& machine_;
  const std::string file_, format_;
  std::vector<std::vector<std::pair<int, std::vector<double>>>> sent_;  // by sender: receivers, ascending, and sizes
};

}  // namespace strata
