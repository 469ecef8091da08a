// SPDX-License-Identifier: LGPL-2.1-only
// The functions of simgrid::smpi::Comm in SimGrid 3.32 and 4.0 by which SMPI's two-level algorithms know which ranks
// share a host, as src/smpi/include/smpi_comm.hpp declares them (LGPL-2.1). Debian does not install this header.
//
// libsimgrid calls all of them through the PLT, so a preloaded library may define them. Nothing here knows the layout.
#pragma once

#include <mpi.h>

#include "sim/simgrid/request.h"

namespace simgrid::smpi {

class Win;

class Comm {
 public:
  Group* group();
  int id() const;
  static void unref(Comm* comm);
  /// A rank has made a window, which has its own locks but does not know those of the other ranks.
  void add_rma_win(Win* win);

  /// Makes a communicator of the ranks on the caller's host, which does not draw an id (`smp` in the constructor).
  /// `leader` becomes the first of their actors.
  Comm* find_intra_comm(int* leader);
  /// Finds out what the functions below return. Algorithms call it if there is no communicator of leaders.
  void init_smp();
  /// The communicator of the first actors of all hosts, by actor; null before init_smp.
  Comm* get_leaders_comm() const;
  /// The communicator of the caller's host.
  Comm* get_intra_comm() const;
  /// By rank, the first actor on its host.
  int* get_leaders_map() const;
  /// By rank in the communicator of leaders, the number of ranks on the host; null if all are equal.
  int* get_non_uniform_map() const;
  /// Whether each host has the same number of ranks; whether the ranks of each host are consecutive.
  bool is_uniform() const;
  bool is_blocked() const;
  /// Gives back what init_smp has made, when the communicator is destroyed.
  void cleanup_smp();
};

}  // namespace simgrid::smpi
