// SPDX-License-Identifier: LGPL-2.1-only
// The communicator hierarchy: every rank gets the communicators of RR-9077's definition, in every order of messages.
//
//   hierarchy --method split|roots|all|kept|wishes [--bytes B]
//
// - split: MPIX_Comm_split_type with MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, repeatedly.
// - roots: MPIX_Comm_hsplit_with_roots, repeatedly.
// - all: MPIX_Comm_hsplit_all.
// - kept: MPIX_Hierarchy_create.
// - wishes: one split in which keys reverse the order of the ranks, and the last rank but one does not take part
//   (MPI_UNDEFINED).
//
// Asserted on each level, by comparison with an implementation of the definition that shares no code with the library
// (reading.h): the members of the communicator and their order, the roots and their order, MPI_COMM_NULL on all other
// ranks, and num_comms, index and name of MPIX_Comm_get_hlevel_info. mpix.h promises all of this on every rank, and the
// library uses messages to agree on it.
//
// With --bytes, there is also a ring of messages on each new communicator. All messages are posted before the first
// wait, with equal tags. Each must arrive on its own communicator, which shows that the communicators of a rank have
// different contexts.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <list>
#include <numeric>
#include <string>
#include <vector>

#include "check/protocols/expect.h"
#include "check/protocols/reading.h"
#include "mpi_ext/mpix.h"
#include "scenarios/programs/options.h"

namespace {

using namespace strata::check::protocols;

struct Made {
  MPI_Comm comm = MPI_COMM_NULL, roots = MPI_COMM_NULL;
};

void expect_level(const Level& expected, bool with_roots, const Made& made) {
  expect("members", expected.members, members_of(made.comm));
  const bool is_root = made.comm != MPI_COMM_NULL && rank_in(made.comm) == 0;
  expect("roots", with_roots && is_root ? expected.roots : std::vector<int>(), members_of(made.roots));
  if (made.comm == MPI_COMM_NULL) return;
  int num_comms = 0, index = -1;
  char* type = nullptr;
  succeed("MPIX_Comm_get_hlevel_info", MPIX_Comm_get_hlevel_info(made.comm, &num_comms, &index, &type));
  expect("num_comms", expected.num_comms, num_comms);
  expect("index", expected.index, index);
  expect("name", expected.name, std::string(type));
}

// The communicators of all ranks on all levels, by the definition, outermost first.
std::vector<Level> read_levels() {
  const int rank = rank_in(MPI_COMM_WORLD);
  const std::vector<Wish> wishes(size_of(MPI_COMM_WORLD));
  std::vector<int> parent(wishes.size());
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<Level> levels;
  for (;;) {
    Level level = read_split(parent, rank, wishes);
    if (level.members.empty()) return levels;
    parent = level.members;
    levels.push_back(std::move(level));
  }
}

std::vector<Made> split_step_by_step(bool with_roots) {
  std::vector<Made> all;
  for (MPI_Comm parent = MPI_COMM_WORLD;;) {
    Made made;
    succeed("the split", with_roots ? MPIX_Comm_hsplit_with_roots(parent, MPI_INFO_NULL, &made.comm, &made.roots)
                                    : MPIX_Comm_split_type(parent, MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, rank_in(parent),
                                                           MPI_INFO_NULL, &made.comm));
    if (made.comm == MPI_COMM_NULL) {
      expect("roots of nothing", true, made.roots == MPI_COMM_NULL);
      return all;
    }
    parent = made.comm;
    all.push_back(made);
  }
}

std::vector<Made> split_at_once() {
  constexpr int kMost = 4;  // levels: more than on the machines here
  std::array<MPI_Comm, kMost> comms, roots;
  int depth = 0;
  succeed("MPIX_Comm_hsplit_all",
          MPIX_Comm_hsplit_all(MPI_COMM_WORLD, MPI_INFO_NULL, kMost, comms.data(), roots.data(), &depth));
  std::vector<Made> all;
  for (int i = 0; i < depth; ++i) all.push_back({comms[i], roots[i]});
  for (int i = depth; i < kMost; ++i) expect("beyond the depth", true, comms[i] == MPI_COMM_NULL);
  return all;
}

std::vector<Made> levels_of(MPIX_Hierarchy hierarchy) {
  int depth = 0;
  succeed("MPIX_Hierarchy_depth", MPIX_Hierarchy_depth(hierarchy, &depth));
  std::vector<Made> all(depth);
  for (int i = 0; i < depth; ++i) {
    succeed("MPIX_Hierarchy_level", MPIX_Hierarchy_level(hierarchy, i, &all[i].comm, &all[i].roots));
  }
  return all;
}

// One split in which the last rank comes first, and the last but one does not take part.
void split_by_wishes(std::vector<Made>& made) {
  const int size = size_of(MPI_COMM_WORLD), rank = rank_in(MPI_COMM_WORLD);
  std::vector<Wish> wishes;
  for (int r = 0; r < size; ++r) wishes.push_back({r != size - 2, -r});
  std::vector<int> all(size);
  std::iota(all.begin(), all.end(), 0);
  const int type = wishes[rank].takes_part ? MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY : MPI_UNDEFINED;
  Made got;
  succeed("MPIX_Comm_split_type",
          MPIX_Comm_split_type(MPI_COMM_WORLD, type, wishes[rank].key, MPI_INFO_NULL, &got.comm));
  expect_level(read_split(all, rank, wishes), false, got);
  if (got.comm != MPI_COMM_NULL) made.push_back(got);
}

// A ring of messages on all communicators at once. The contents identify the sender and the communicator.
void use(const std::vector<Made>& made, int bytes) {
  struct Ring {
    std::vector<char> out, in;
    std::array<MPI_Request, 2> requests;
    char expected;
  };
  std::list<Ring> rings;
  const auto start = [&](MPI_Comm comm, int number) {
    if (comm == MPI_COMM_NULL || size_of(comm) == 1) return;
    const int size = size_of(comm), rank = rank_in(comm), before = (rank + size - 1) % size;
    const auto word = [&](int r) { return static_cast<char>(1 + 16 * number + r); };
    Ring& ring =
        rings.emplace_back(Ring{std::vector<char>(bytes, word(rank)), std::vector<char>(bytes, 0), {}, word(before)});
    MPI_Irecv(ring.in.data(), bytes, MPI_BYTE, before, 0, comm, ring.requests.data());
    MPI_Isend(ring.out.data(), bytes, MPI_BYTE, (rank + 1) % size, 0, comm, &ring.requests[1]);
  };
  start(MPI_COMM_WORLD, 0);
  for (size_t i = 0; i < made.size(); ++i) {
    start(made[i].comm, static_cast<int>(2 * i + 1));
    start(made[i].roots, static_cast<int>(2 * i + 2));
  }
  for (auto ring = rings.rbegin(); ring != rings.rend(); ++ring) {
    MPI_Waitall(2, ring->requests.data(), MPI_STATUSES_IGNORE);
    expect("what comes round a ring", std::vector<char>(bytes, ring->expected), ring->in);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::string method = "split";
  int bytes = 0;
  strata::cli::App app("hierarchy");
  app.add_option("--method", method)->check(strata::cli::IsMember({"split", "roots", "all", "kept", "wishes"}));
  app.add_option("--bytes", bytes)->check(strata::cli::NonNegativeNumber);
  strata::programs::parse(app, argc, argv);

  std::vector<Made> made;
  MPIX_Hierarchy kept = MPIX_HIERARCHY_NULL;
  if (method == "wishes") {
    split_by_wishes(made);
  } else {
    if (method == "kept") {
      succeed("MPIX_Hierarchy_create", MPIX_Hierarchy_create(MPI_COMM_WORLD, MPI_INFO_NULL, &kept));
      made = levels_of(kept);
    } else {
      made = method == "all" ? split_at_once() : split_step_by_step(method == "roots");
    }
    const std::vector<Level> expected = read_levels();
    expect("depth", expected.size(), made.size());
    for (size_t i = 0; i < made.size(); ++i) expect_level(expected[i], method != "split", made[i]);
  }
  if (bytes > 0) use(made, bytes);
  if (kept != MPIX_HIERARCHY_NULL) {
    MPIX_Hierarchy_free(&kept);
  } else {
    for (Made& m : made) {
      if (m.roots != MPI_COMM_NULL) MPI_Comm_free(&m.roots);
      MPI_Comm_free(&m.comm);
    }
  }
  MPI_Finalize();
  return 0;
}
