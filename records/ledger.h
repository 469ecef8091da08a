// SPDX-License-Identifier: LGPL-2.1-only
// Accounts for the time of each rank (records/profile.h defines the kinds of time), from four kinds of events. For
// example, a receive is called at 1 ms, and its message begins to flow at 3 ms and arrives at 4 ms:
//
//   rank.enter(kRecv, 1e-3);   rank.block(1e-3);
//   rank.unblock(3e-3, 4e-3);  rank.leave(ledger, 4e-3);     2 ms waiting, 1 ms communicating, in one call of kRecv
//
// Every call of an MPI function updates the account twice, so an update is a few additions and comparisons, without
// maps and locks. SMPI runs one rank at a time. Times are simulated seconds.
//
// An EventRecorder gets the same calls as a stream of events, whose sums therefore agree with the account.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "records/event_recorder.h"
#include "records/profile.h"

namespace strata {

/// The start of a message that has not begun to flow.
inline constexpr double kNotYet = std::numeric_limits<double>::infinity();

/// Totals of one MPI function. The caller assigns the functions' numbers.
struct CallTotals {
  long count = 0;
  double seconds = 0, waiting = 0;
};

/// The account of one rank.
class RankLedger {
 public:
  explicit RankLedger(int number) : number_(number) {}

  /// From now on `events` records the calls; it must outlive the account.
  void record(EventRecorder* events) { events_ = events; }
  int number() const { return number_; }

  /// Enters an MPI function. Functions that it calls itself are part of it.
  void enter(int call, double now) {
    if (depth_++ > 0) return;
    call_ = call;
    entered_ = now;
    waited_ = 0;
    if (events_ != nullptr) events_->enter(number_, call, now);
  }
  /// SMPI has charged the computation before the function; the function's own work begins.
  void begin(double now) {
    if (events_ != nullptr) events_->begin(number_, now);
  }
  /// Leaves the MPI function that was entered last.
  void leave(std::vector<CallTotals>& calls, double now) {
    if (--depth_ > 0) return;
    unblock(kNotYet, now);  // still blocked if the rank is killed
    const double seconds = now - entered_;
    CallTotals& totals = calls[call_];
    ++totals.count;
    totals.seconds += seconds;
    totals.waiting += waited_;
    in_mpi_ += seconds;
    waiting_ += waited_;
    if (events_ != nullptr) events_->leave(number_, now);
  }

  /// The rank may be blocked from now on, until a message begins to flow. `requests` are those for which it waits.
  void block(double now, const void* requests = nullptr, int count = 0) {
    if (depth_ == 0) return;
    blocked_ = now;
    requests_ = requests;
    count_ = count;
    if (events_ != nullptr) events_->block(number_, now);
  }
  /// The rank is no longer blocked: the message began to flow at `began`. No effect if it was not blocked.
  void unblock(double began, double now, const Cause& cause = {}) {
    if (blocked_ < 0) return;
    waited_ += std::max(0.0, std::min(began, now) - blocked_);
    if (events_ != nullptr) {
      const double until = cause.message > 0 ? began : std::clamp(began, blocked_, now);
      events_->unblock(number_, cause, until, now);
    }
    blocked_ = -1;
  }
  bool blocked() const { return blocked_ >= 0; }
  const void* requests() const { return requests_; }
  int request_count() const { return count_; }
  /// The outermost function that the rank is in; -1: none.
  int call() const { return depth_ > 0 ? call_ : -1; }

  /// Computation that is charged inside an MPI function belongs to the program: when a function is entered, SMPI
  /// charges the program's computation since the previous one.
  void computed(double seconds) {
    if (depth_ > 0) entered_ += seconds;
  }

  /// The rank has ended, perhaps inside an MPI function. Only the first call counts.
  void end(std::vector<CallTotals>& calls, double now) {
    if (ended()) return;
    if (depth_ > 0) {
      depth_ = 1;
      leave(calls, now);
    }
    end_ = now;
  }
  bool ended() const { return end_ >= 0; }

  /// The rank must have ended. Because of rounding, the sum of many times may slightly exceed the whole.
  RankProfile profile() const {
    return {std::max(0.0, end_ - in_mpi_), std::max(0.0, in_mpi_ - waiting_), waiting_, end_};
  }

  bool initialized = false, finalized = false;  // has called MPI_Init, has left MPI_Finalize
  bool told = false;                            // Ledger::tell has been called

 private:
  int number_;
  EventRecorder* events_ = nullptr;
  int depth_ = 0;        // of nested functions
  int call_ = 0;         // the outermost
  double entered_ = 0;   // when it was entered
  double waited_ = 0;    // in that function so far
  double blocked_ = -1;  // since when; negative: not blocked
  const void* requests_ = nullptr;
  int count_ = 0;
  double in_mpi_ = 0, waiting_ = 0;
  double end_ = -1;
};

/// The accounts of all ranks.
class Ledger {
 public:
  /// `names` of functions, by their numbers.
  explicit Ledger(const std::vector<std::string>& names) : names_(names), calls_(names.size()) {}

  /// Adds a rank. No effect after the first call of rank() or record(), because then all ranks exist.
  void add_rank() {
    if (!complete_) ranks_.emplace_back(static_cast<int>(ranks_.size()));
  }
  /// Adds a rank that another one has started, which `events` records; null: none does. Pointers from rank() are void.
  void add_later_rank(EventRecorder* events) {
    ranks_.emplace_back(static_cast<int>(ranks_.size()));
    if (events != nullptr) ranks_.back().record(events);
  }
  /// From now on `events` records the calls of all ranks. No ranks can be added later.
  void record(EventRecorder* events) {
    complete_ = true;
    for (RankLedger& rank : ranks_) rank.record(events);
  }
  /// nullptr if there is no such rank.
  RankLedger* rank(std::size_t number) {
    complete_ = true;
    return number < ranks_.size() ? &ranks_[number] : nullptr;
  }
  std::vector<CallTotals>& calls() { return calls_; }

  std::size_t size() const { return ranks_.size(); }
  /// "MPI_Send"; empty for -1.
  std::string name(int call) const { return call < 0 ? "" : names_[call]; }

  /// Notes that a rank ended early, or with a code. Only the first ending of each rank is kept.
  void tell(const Ending& ending);
  bool aborted() const { return std::ranges::find(endings_, Ending::How::kAbort, &Ending::how) != endings_.end(); }

  /// Ends the ranks that have not ended yet, and returns the profile of all ranks.
  Profile profile(double now);

 private:
  std::vector<std::string> names_;
  std::vector<CallTotals> calls_;
  std::vector<RankLedger> ranks_;
  bool complete_ = false;
  std::vector<Ending> endings_;
};

}  // namespace strata
