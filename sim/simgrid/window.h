// SPDX-License-Identifier: LGPL-2.1-only
// Layout of simgrid::smpi::Win in SimGrid 3.32 and 4.0, needed to see which window's locks and messages a one-sided
// operation uses, as src/smpi/include/smpi_win.hpp and smpi_keyvals.hpp declare it (LGPL-2.1). Debian does not install
// these headers.
//
// The class is only used for objects that SMPI has made, so its declaration ends with the last required member.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/simgrid/comm.h"
#include "sim/simgrid/request.h"

namespace simgrid::s4u {
class Mutex;
}

namespace simgrid::smpi {

class Win : public F2C {
  std::unordered_map<int, void*> attributes_;  // of Keyval, the second base
  void* base_;
  MPI_Aint size_;
  int disp_unit_;
  int assert_;
  MPI_Info info_;
  MPI_Comm comm_;
  std::vector<MPI_Request> requests_;
  s4u::Mutex* mut_;
  void* bar_;
  std::vector<Win*> connected_wins_;
  std::string name_;
  int opened_;
  MPI_Group src_group_, dst_group_;
  int count_;
  s4u::Mutex *lock_mut_, *atomic_mut_;
  std::list<int> lockers_;
  int rank_;

 public:
  /// They start messages, unless the target is the calling rank. `request`: the program's; nullptr: the windows of both
  /// ranks keep the requests for which MPI_Win_flush and similar functions wait.
  int put(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
          MPI_Datatype target_type, MPI_Request* request);
  int get(void* origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
          MPI_Datatype target_type, MPI_Request* request);
  int accumulate(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
                 MPI_Datatype target_type, MPI_Op op, MPI_Request* request);
  int get_accumulate(const void* origin, int count, MPI_Datatype type, void* result, int result_count,
                     MPI_Datatype result_type, int target, MPI_Aint at, int target_count, MPI_Datatype target_type,
                     MPI_Op op, MPI_Request* request);
  int compare_and_swap(const void* origin, const void* compared, void* result, MPI_Datatype type, int target,
                       MPI_Aint at);
  /// Waits until the operations from and to that rank are complete at both.
  int flush(int rank);
  /// Waits for all requests that the window keeps; for those from or to that rank of its communicator.
  int finish_comms();
  int finish_comms(int rank);
  static int del(Win* win);

  MPI_Comm comm() const;
  MPI_Aint size() const;
  int disp_unit() const;
  bool dynamic() const;
  /// A dynamic window, whose displacements are addresses: from now on they may be any.
  void attach_all() {
    base_ = nullptr;
    size_ = PTRDIFF_MAX;
  }
  /// Those of the other ranks, by rank in the communicator.
  const Win* of(int rank) const { return connected_wins_[rank]; }
  const s4u::Mutex* access_lock() const { return lock_mut_; }  // of MPI_Win_lock
  s4u::Mutex* atomic_lock() const { return atomic_mut_; }
};

/// Names in libsimgrid, for dlsym.
inline constexpr const char* kPut = "_ZN7simgrid4smpi3Win3putEPKviPNS0_8DatatypeEiliS5_PPNS0_7RequestE";
inline constexpr const char* kGet = "_ZN7simgrid4smpi3Win3getEPviPNS0_8DatatypeEiliS4_PPNS0_7RequestE";
inline constexpr const char* kAccumulate =
    "_ZN7simgrid4smpi3Win10accumulateEPKviPNS0_8DatatypeEiliS5_PNS0_2OpEPPNS0_7RequestE";
inline constexpr const char* kGetAccumulate =
    "_ZN7simgrid4smpi3Win14get_accumulateEPKviPNS0_8DatatypeEPviS5_iliS5_PNS0_2OpEPPNS0_7RequestE";
inline constexpr const char* kCompareAndSwap = "_ZN7simgrid4smpi3Win16compare_and_swapEPKvS3_PvPNS0_8DatatypeEil";
inline constexpr const char* kFinishAll = "_ZN7simgrid4smpi3Win12finish_commsEv";
inline constexpr const char* kFinishOne = "_ZN7simgrid4smpi3Win12finish_commsEi";
inline constexpr const char* kFreeWindow = "_ZN7simgrid4smpi3Win3delEPS1_";
inline constexpr const char* kAddWindow = "_ZN7simgrid4smpi4Comm11add_rma_winEPNS0_3WinE";

}  // namespace simgrid::smpi
