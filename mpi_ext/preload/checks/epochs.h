// SPDX-License-Identifier: LGPL-2.1-only
// The epochs of one rank on one window, as an automaton of its calls (MPI 4.1, Section 12.5). For
//
//   MPI_Win_fence    MPI_Put(target 1)    MPI_Win_lock(target 1)
//
// the lock is a mistake: the epoch of the fence is not closed, and both have operations. A pure function of the calls:
// each returns the mistake, if it is one.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace strata::mpix {

/// `Mark` says where a call was.
template <class Mark>
struct EpochMistake {
  const char* check;
  std::string text;
  const char* rule;
  Mark call;                       // that is wrong
  std::optional<Mark> other = {};  // that opened the epoch in the way
};

template <class Mark>
class Epochs {
 public:
  using Mistake = std::optional<EpochMistake<Mark>>;

  Mistake fence(const Mark& call, bool precede, bool succeed) {
    Mistake mistake = in_the_way(call, "a fence", false);
    // A fence that closes an epoch may be followed by locks: programs mean it as the end of the fences. The first fence
    // on a window closes nothing, so it is there to open an epoch.
    if (!mistake && precede && locked_after_fence_ && fences_ == 1) {
      mistake = {"double-epoch", "it opens an epoch inside that of a fence, which the next fence closes", kApart,
                 *locked_after_fence_, fence_};
    }
    locked_after_fence_.reset();
    operations_after_fence_ = false;
    fence_ = call;
    fenced_ = succeed;
    ++fences_;
    return mistake;
  }

  Mistake lock(const Mark& call, int target, bool exclusive) {
    Mistake mistake = in_the_way(call, "a lock", true);
    if (!mistake && lock_all_) mistake = twice(call, "all targets are locked already", *lock_all_);
    if (const auto known = locks_.find(target); !mistake && known != locks_.end())
      mistake = twice(call, "the target is locked already", known->second.call);
    locks_[target] = {call, exclusive};
    return mistake;
  }
  Mistake lock_all(const Mark& call) {
    Mistake mistake = in_the_way(call, "a lock", true);
    if (!mistake && lock_all_) mistake = twice(call, "all targets are locked already", *lock_all_);
    if (!mistake && !locks_.empty()) mistake = twice(call, "a target is locked already", locks_.begin()->second.call);
    lock_all_ = call;
    return mistake;
  }
  Mistake unlock(const Mark& call, int target) {
    if (locks_.erase(target) > 0) return {};
    return missing(call, "its target is not locked", "MPI_Win_lock comes before MPI_Win_unlock");
  }
  Mistake unlock_all(const Mark& call) {
    if (lock_all_) {
      lock_all_.reset();
      return {};
    }
    return missing(call, "the window is not locked", "MPI_Win_lock_all comes before MPI_Win_unlock_all");
  }
  /// `target`: none for all.
  Mistake flush(const Mark& call, std::optional<int> target) const {
    const bool locked = lock_all_ || (target ? locks_.count(*target) > 0 : !locks_.empty());
    if (locked) return {};
    return missing(call, "there is no lock", "a flush is between a lock and its unlock");
  }

  Mistake start(const Mark& call, std::set<int> targets) {
    Mistake mistake = in_the_way(call, "an epoch of MPI_Win_start", true);
    started_ = call;
    targets_ = std::move(targets);
    return mistake;
  }
  Mistake complete(const Mark& call) {
    if (started_) {
      started_.reset();
      targets_.clear();
      return {};
    }
    return missing(call, "there is no epoch to complete", "MPI_Win_start comes before MPI_Win_complete");
  }
  Mistake post(const Mark& call) {
    Mistake mistake;
    if (posted_) mistake = twice(call, "there is an exposure epoch already", *posted_);
    posted_ = call;
    return mistake;
  }
  Mistake wait(const Mark& call) {
    if (posted_) {
      posted_.reset();
      return {};
    }
    return missing(call, "there is no epoch to wait for", "MPI_Win_post comes before MPI_Win_wait");
  }
  void waited() { posted_.reset(); }

  Mistake operation(const Mark& call, int target) {
    if (lock_all_ || locks_.count(target) > 0 || targets_.count(target) > 0) {
      if (fenced_ && !started_ && !locked_after_fence_)
        locked_after_fence_ = lock_all_ ? *lock_all_ : locks_.at(target).call;
      return {};
    }
    if (fenced_) {
      operations_after_fence_ = true;
      return {};
    }
    return missing(call, "there is no epoch for its target",
                   "MPI_Win_fence, MPI_Win_start, MPI_Win_lock or MPI_Win_lock_all comes before it");
  }

  Mistake free(const Mark& call) const {
    const char* const rule = "all epochs are closed before MPI_Win_free";
    const auto open = [&](const Mark& opened) -> Mistake {
      return EpochMistake<Mark>{"open-epoch", "an epoch of its window is not closed", rule, call, opened};
    };
    if (lock_all_) return open(*lock_all_);
    if (!locks_.empty()) return open(locks_.begin()->second.call);
    if (started_) return open(*started_);
    if (posted_) return open(*posted_);
    if (operations_after_fence_) return open(*fence_);
    return {};
  }

  /// Whether the calling rank has the target for itself.
  bool exclusive(int target) const {
    const auto known = locks_.find(target);
    return known != locks_.end() && known->second.exclusive;
  }
  bool by_fence(int target) const { return !lock_all_ && locks_.count(target) == 0 && targets_.count(target) == 0; }

 private:
  static constexpr const char* kApart = "the epochs of a rank on a window are one after the other";

  struct Lock {
    Mark call;
    bool exclusive;
  };

  static Mistake missing(const Mark& call, std::string text, const char* rule) {
    return EpochMistake<Mark>{"missing-epoch", std::move(text), rule, call};
  }
  static Mistake twice(const Mark& call, std::string text, const Mark& other) {
    return EpochMistake<Mark>{"double-epoch", std::move(text), kApart, call, other};
  }
  // An epoch of another kind that must be closed first.
  Mistake in_the_way(const Mark& call, const std::string& what, bool after_fence) const {
    const std::string text = "it opens " + what + " inside another epoch";
    const bool is_lock = what == "a lock";
    if (started_) return twice(call, text, *started_);
    if (!is_lock && lock_all_) return twice(call, text, *lock_all_);
    if (!is_lock && !locks_.empty()) return twice(call, text, locks_.begin()->second.call);
    if (after_fence && operations_after_fence_) return twice(call, text, *fence_);
    if (!after_fence && posted_) return twice(call, text, *posted_);
    return {};
  }

  bool fenced_ = false;  // the last fence may have opened an epoch
  bool operations_after_fence_ = false;
  int fences_ = 0;
  std::optional<Mark> fence_, lock_all_, started_, posted_;
  std::optional<Mark> locked_after_fence_;  // a lock with operations since the last fence
  std::map<int, Lock> locks_;
  std::set<int> targets_;  // of MPI_Win_start
};

}  // namespace strata::mpix
