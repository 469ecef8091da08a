// SPDX-License-Identifier: LGPL-2.1-only
#include <mpi.h>

#include <deque>
#include <simgrid/s4u.hpp>

#include "mpi_ext/adapter/host.h"
#include "mpi_ext/adapter/watched.h"
#include "mpi_ext/provider/provider.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {
namespace {

// The number of ranks that run the application. As many progress threads follow; 0: there are none. SMPI gives the
// ranks of MPI_COMM_WORLD the actor ids 1 to n. Set when the first process asks for its id, before any process is
// watched.
int application = 0;

void find_application() {
  static const bool found = [] {
    try {
      const Where where = where_am_i(rank_in(MPI_COMM_WORLD), simulated_host());
      if (where.world != nullptr) application = where.world->application;
    } catch (const std::exception&) {  // without a placement there are no threads; code that needs it reports the error
    }
    return true;
  }();
  static_cast<void>(found);
}

bool is_thread(ProcessId id) { return application > 0 && id > application && id <= 2 * ProcessId{application}; }

ProcessId owner(ProcessId id) { return is_thread(id) ? id - application : id; }

// By actor id. All actors run in one thread of the operating system. A deque, so that elements do not move.
std::deque<Marks>& all_marks() {
  static auto& marks = *new std::deque<Marks>;
  return marks;
}

}  // namespace

const char* const kTapName = "smpi";

ProcessId own_process() {
  find_application();
  return simgrid::s4u::this_actor::get_pid();
}

ProcessId process_of(int world_rank) {
  const ProcessId id = ProcessId{world_rank} + 1;
  return world_rank < 0 || is_thread(id) ? -1 : id;
}

Between between_processes(ProcessId sender, ProcessId receiver) {
  const Between between{owner(sender), owner(receiver)};
  const bool within = between.sender == between.receiver && sender != receiver;
  return {between.sender, between.receiver, !within};
}

std::size_t slot_of(ProcessId process) { return static_cast<std::size_t>(process); }

Marks& own_marks() {
  const auto id = static_cast<std::size_t>(simgrid::s4u::this_actor::get_pid());
  std::deque<Marks>& marks = all_marks();
  if (id >= marks.size()) marks.resize(id + 1);
  return marks[id];
}

Marks marks_of(ProcessId sender) {
  if (is_thread(sender)) return {.muted = 0, .internal = 1};
  const std::deque<Marks>& marks = all_marks();
  return static_cast<std::size_t>(sender) < marks.size() ? marks[sender] : Marks{};
}

}  // namespace strata::mpix
