// SPDX-License-Identifier: LGPL-2.1-only
// Tests of the collectives in an MPI program, which runs under SMPI, Open MPI and MPICH. The tests are in collectives/.
// They compare results with a slow definition (a fold in the order of the ranks, lists of messages) and with MPI's own
// function.
//
//   sizes=A,B,...    communicators of the first A, B, ... ranks of the world; default: all numbers of ranks
//   groups=AxBx...   the hierarchy that divides the first A B ... ranks into A blocks, these into B blocks each, ...
//   brief            fewer roots (but every root over given groups), counts and segment sizes
//   real             features that SMPI lacks: intercommunicators, MPI_BOTTOM, truncated messages
//   errors           wrong arguments
//   charge=B         the time charged for a combination; B: the host's copy bandwidth (B/s), or 0 if it has none
#include <mpi.h>

#include <cstdlib>
#include <deque>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/collectives/over.h"
#include "tests/mpi_ext/collectives/tests.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/users_message.h"

namespace {

using namespace strata::mpix::testing;  // NOLINT: checks and tests

// All collectives on `over.comm`, or over hierarchies that `create` makes of it. Each collective gets a new hierarchy,
// so that objects of a first call are created each time. User messages are on all communicators that the user sees.
void test_collectives(Checks& t, Over over, const std::function<int(MPIX_Hierarchy*)>& create = nullptr) {
  using First = UsersMessage::First;
  First first = First::kReceive;
  const std::string on = over.name() + (create && over.groups.empty() ? ", hierarchy" : "");
  const std::vector<std::pair<std::string, void (*)(Checks&, const Over&)>> all = {
      {"bcast", test_bcast},     {"reduce", test_reduce},       {"allreduce", test_allreduce}, {"gather", test_gather},
      {"scatter", test_scatter}, {"allgather", test_allgather}, {"barrier", test_barrier},
  };
  for (const auto& [name, test] : all) {
    t.run(name + ", " + on, [&, test = test] {
      std::deque<UsersMessage> messages;
      messages.emplace_back(over.comm, first);
      int depth = 0;
      if (create) {
        CHECK_EQ(MPI_SUCCESS, create(&over.hierarchy));
        MPIX_Hierarchy_depth(over.hierarchy, &depth);
      }
      for (int level = 0; level < depth; ++level) {
        MPI_Comm members = MPI_COMM_NULL, roots = MPI_COMM_NULL;
        CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_level(over.hierarchy, level, &members, &roots));
        messages.emplace_back(members, first);
        if (roots != MPI_COMM_NULL) messages.emplace_back(roots, first);
      }
      test(t, over);
      for (UsersMessage& m : messages) m.arrives(t);
      if (create) CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&over.hierarchy));
    });
    first = first == First::kReceive ? First::kSend : First::kReceive;
  }
}

void test_everything(Checks& t, MPI_Comm comm, bool brief, bool real) {
  const Over over{comm, MPIX_HIERARCHY_NULL, brief, real};
  test_collectives(t, over);
  test_collectives(t, over, [&](MPIX_Hierarchy* h) { return MPIX_Hierarchy_create(comm, MPI_INFO_NULL, h); });
  if (real) t.run("absolute addresses, " + over.name(), [&] { test_bottom(t, comm); });
}

// Hierarchies of given groups. Groups are ranges of ranks, so operations that do not commute use them too.
void test_groups(Checks& t, MPI_Comm comm, const std::vector<int>& groups, bool brief, bool real) {
  test_collectives(t, {comm, MPIX_HIERARCHY_NULL, brief, real, groups}, [&](MPIX_Hierarchy* h) {
    return MPIX_Hierarchy_create_groups(comm, static_cast<int>(groups.size()), groups.data(), h);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  MPI_Init(&argc, &argv);
  const int me = rank_in(MPI_COMM_WORLD), world = size_of(MPI_COMM_WORLD);
  Checks t(me);
  std::vector<int> sizes(world);
  std::iota(sizes.begin(), sizes.end(), 1);
  std::vector<std::vector<int>> hierarchies;
  bool brief = false, real = false, errors = false, all_sizes = true;
  for (const std::string& w : words) {
    if (w == "brief") brief = true;
    if (w == "real") real = true;
    if (w == "errors") errors = true;
    if (w.find('=') == std::string::npos) continue;
    if (std::exchange(all_sizes, false)) sizes.clear();
    if (w.rfind("charge=", 0) == 0) t.run(w, [&] { test_charge(t, std::atof(w.c_str() + 7)); });
    if (w.rfind("sizes=", 0) == 0) sizes = numbers_in(w);
    if (w.rfind("groups=", 0) == 0) hierarchies.push_back(numbers_in(w));
  }
  for (const int size : sizes) {
    on_first(size, MPI_COMM_WORLD, [&](MPI_Comm comm) { test_everything(t, comm, brief, real); });
  }
  for (const std::vector<int>& groups : hierarchies) {
    const int size = std::accumulate(groups.begin(), groups.end(), 1, std::multiplies<>());
    on_first(size, MPI_COMM_WORLD, [&](MPI_Comm comm) { test_groups(t, comm, groups, brief, real); });
  }
  if (errors) test_errors(t, MPI_COMM_WORLD, real);
  const int result = t.finish();
  MPI_Finalize();
  return result;
}
