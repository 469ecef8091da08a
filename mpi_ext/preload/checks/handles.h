// SPDX-License-Identifier: LGPL-2.1-only
// The handles that each rank has made and not freed, with the calls that made them, and those that it has freed.
//
//   MPI_Type_contiguous(2, MPI_INT, &type)   table.make(rank, type, call)
//   MPI_Type_free(&type)                     table.free(rank, type)
//   MPI_Send(buffer, 1, type, ...)           table.freed(rank, type): the call that freed it
//
// SMPI gives the same handle several times for what is the same to it, as in MPI_Comm_group: it is live until it has
// been freed as often.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "mpi_ext/preload/checks/call.h"

namespace strata::mpix {

class HandleTable {
 public:
  struct Made {
    PastCall call;
    bool committed = false;  // of a datatype
  };

  void make(int rank, const void* handle, Made made) {
    freed_.erase({rank, handle});
    live_[{rank, handle}].push_back(made);
  }
  /// A handle that a function returns, and that the program need not free.
  void see(int rank, const void* handle) { freed_.erase({rank, handle}); }
  void free(int rank, const void* handle, const PastCall& call) {
    const auto it = live_.find({rank, handle});
    if (it == live_.end()) return;
    it->second.pop_back();
    if (!it->second.empty()) return;
    live_.erase(it);
    freed_[{rank, handle}] = call;
  }
  void forget(int rank, const void* handle) { live_.erase({rank, handle}); }
  /// nullptr: it is not known.
  Made* live(int rank, const void* handle) {
    const auto it = live_.find({rank, handle});
    return it == live_.end() ? nullptr : &it->second.back();
  }
  /// The call that freed it; nullptr: it is live, or not known.
  const PastCall* freed(int rank, const void* handle) const {
    const auto it = freed_.find({rank, handle});
    return it == freed_.end() ? nullptr : &it->second;
  }
  /// The calls that made what the rank has not freed.
  std::vector<PastCall> left(int rank) const {
    std::vector<PastCall> all;
    for (auto it = live_.lower_bound({rank, nullptr}); it != live_.end() && it->first.first == rank; ++it) {
      for (const Made& made : it->second) all.push_back(made.call);
    }
    return all;
  }

 private:
  using Key = std::pair<int, const void*>;
  std::map<Key, std::vector<Made>> live_;
  std::map<Key, PastCall> freed_;
};

/// The tables live until the process ends.
struct Handles {
  HandleTable comms, types, ops, groups, infos, windows, files;
};
Handles& handles();

}  // namespace strata::mpix
