// SPDX-License-Identifier: LGPL-2.1-only
// The reports of the tap for an operation: the kind, sender, receiver and bytes of each message, compared with a list.
//
//   Session s(t, recorder);
//   s.check("MPI_Send", "EICS", [&] { ... }, {{kE, 0, 2, 24}});      24 bytes from rank 0 to rank 2, nothing else
#pragma once

#include <mpi.h>

#include <array>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "records/exchange/tap.h"
#include "tests/mpi_ext/checks.h"

namespace strata::mpix::testing {

inline constexpr int kRanks = 4;
#ifdef SMPI_H
inline constexpr bool kSimulated = true;
#else
inline constexpr bool kSimulated = false;
#endif

using Told = std::array<long, 4>;  // kind, sender, receiver, bytes
using List = std::vector<Told>;

inline constexpr long kE = static_cast<long>(MessageKind::kExternal), kI = static_cast<long>(MessageKind::kInternal),
                      kC = static_cast<long>(MessageKind::kCollective), kS = static_cast<long>(MessageKind::kOneSided);

class Recorder : public MessageListener {
 public:
  void sent(MessageKind kind, ProcessId sender, ProcessId receiver, std::uint64_t bytes) override {
    const std::lock_guard lock(mutex_);
    list_.push_back({static_cast<long>(kind), sender, receiver, static_cast<long>(bytes)});
  }
  List take() { return std::exchange(list_, {}); }

 private:
  std::mutex mutex_;
  List list_;
};

class Session {
 public:
  Session(Checks& t, Recorder& recorder);

  /// Expects that the taps of all processes report `expected` for `operation`, in any order, among the kinds in `kinds`
  /// ("EC").
  void check(const char* what, const std::string& kinds, const std::function<void()>& operation, List expected);

  /// From now on, calls of collectives are not reported.
  void leave_out_calls() { calls_ = false; }

  /// The number of reported operations.
  long count(const std::function<void()>& operation) { return static_cast<long>(told_by(operation).size()); }

 private:
  List told_by(const std::function<void()>& operation);

  Checks& t_;
  Recorder& recorder_;
  int me_;
  bool calls_ = true;
  std::array<long, kRanks> rank_ = {0, 1, 2, 3};  // the tap's number, by rank
};

// The messages between all pairs, by sender and receiver.
List each_pair(long kind, const std::function<long(int from, int to)>& bytes_or_none);

}  // namespace strata::mpix::testing
