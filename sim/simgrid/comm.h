// SPDX-License-Identifier: LGPL-2.1-only
// Functions of simgrid::smpi::Comm and Group in SimGrid 3.32 and 4.0, as src/smpi/include/smpi_comm.hpp and
// smpi_group.hpp declare them (LGPL-2.1). Debian does not install these headers.
//
// libsimgrid calls all of them through the PLT, so a preloaded library may define them. Nothing here knows the layout.
#pragma once

#include <mpi.h>
#include <simgrid/forward.h>

namespace simgrid::smpi {

class Win;

/// A group's actors by rank, and the ranks of actors.
class Group {
 public:
  aid_t actor(int rank) const;
  int rank(aid_t actor) const;
  /// Assigns the rank, which is less than the size of the group, to the actor, and the actor to the rank. One actor may
  /// have a rank that leads to another actor.
  void set_mapping(aid_t actor, int rank);
  void ref();
  static void unref(Group* group);
};

class Comm {
 public:
  Group* group();
  /// The same for all ranks.
  int id() const;
  /// The number of the next message of this sender with this tag to this receiver.
  unsigned get_received_messages_count(int sender, int receiver, int tag);
  void increment_received_messages_count(int sender, int receiver, int tag);
  /// The handler of errors in functions that have this communicator.
  MPI_Errhandler errhandler();
  static void unref(Comm* comm);
  /// A rank has made a window, which has its own locks but does not know those of the other ranks.
  void add_rma_win(Win* win);

  // --- which ranks share a host, for SMPI's two-level algorithms ---

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
inline constexpr const char* kReceivedMessages = "_ZN7simgrid4smpi4Comm27get_received_messages_countEiii";

}  // namespace simgrid::smpi
