// SPDX-License-Identifier: LGPL-2.1-only
// Measures how long it takes to create the whole communicator hierarchy below MPI_COMM_WORLD, including roots: the time
// until the last rank has all its communicators (s), from a moment when all ranks are ready.
//
//   hierarchy --method levels|all|kept [--depth D]
//
// levels: repeated MPIX_Comm_hsplit_with_roots; all: MPIX_Comm_hsplit_all; kept: MPIX_Hierarchy_create. Each rank
// checks its communicators without messages; D is the number of levels that every rank must find. Also reports the
// number of levels of the deepest rank, the number of communicators including roots, and (under SMPI) the number of
// point-to-point messages for their creation, including those inside MPI's own functions, as counted by the simulated
// network.
#include <mpi.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "mpi_ext/adapter/measure.h"
#include "mpi_ext/mpix.h"
#include "records/exchange/exchanged_words.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"
#include "scenarios/programs/rank_and_size.h"

namespace {

using strata::programs::rank_in;
using strata::programs::size_of;

constexpr int kMaxDepth = 64;  // more levels than hwloc and a network have

struct Levels {
  std::vector<MPI_Comm> comms, roots;
  MPIX_Hierarchy kept = MPIX_HIERARCHY_NULL;
};

Levels create(const std::string& method) {
  Levels l;
  int depth = 0;
  if (method == "kept") {
    MPIX_Hierarchy_create(MPI_COMM_WORLD, MPI_INFO_NULL, &l.kept);
    MPIX_Hierarchy_depth(l.kept, &depth);
    l.comms.resize(depth);
    l.roots.resize(depth);
    for (int i = 0; i < depth; ++i) MPIX_Hierarchy_level(l.kept, i, &l.comms[i], &l.roots[i]);
  } else if (method == "all") {
    std::array<MPI_Comm, kMaxDepth> comms, roots;
    MPIX_Comm_hsplit_all(MPI_COMM_WORLD, MPI_INFO_NULL, kMaxDepth, comms.data(), roots.data(), &depth);
    l.comms.assign(comms.begin(), comms.begin() + depth);
    l.roots.assign(roots.begin(), roots.begin() + depth);
  } else {
    for (MPI_Comm parent = MPI_COMM_WORLD; parent != MPI_COMM_NULL;) {
      MPI_Comm comm = MPI_COMM_NULL, roots = MPI_COMM_NULL;
      MPIX_Comm_hsplit_with_roots(parent, MPI_INFO_NULL, &comm, &roots);
      parent = comm;
      if (comm == MPI_COMM_NULL) break;
      l.comms.push_back(comm);
      l.roots.push_back(roots);
    }
  }
  return l;
}

// The number of errors that a rank can see in its communicators.
int wrong(const Levels& l, int depth) {
  int found = depth >= 0 && static_cast<int>(l.comms.size()) != depth ? 1 : 0;
  MPI_Comm parent = MPI_COMM_WORLD;
  for (size_t i = 0; i < l.comms.size(); ++i) {
    int num_comms = 0, index = -1;
    char* type = nullptr;
    MPIX_Comm_get_hlevel_info(l.comms[i], &num_comms, &index, &type);
    found += index >= 0 && index < num_comms && type != nullptr ? 0 : 1;
    found += size_of(l.comms[i]) < size_of(parent) ? 0 : 1;
    const bool root = rank_in(l.comms[i]) == 0;
    found += root == (l.roots[i] != MPI_COMM_NULL) ? 0 : 1;
    if (l.roots[i] != MPI_COMM_NULL) found += size_of(l.roots[i]) == num_comms ? 0 : 1;
    parent = l.comms[i];
  }
  return found;
}

void release(Levels& l) {
  if (l.kept != MPIX_HIERARCHY_NULL) {
    MPIX_Hierarchy_free(&l.kept);
    return;
  }
  for (std::vector<MPI_Comm>* comms : {&l.roots, &l.comms}) {
    for (MPI_Comm& c : *comms) {
      if (c != MPI_COMM_NULL) MPI_Comm_free(&c);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::string method = "levels";
  int depth = -1;
  strata::cli::App app("hierarchy");
  app.add_option("--method", method)->check(strata::cli::IsMember({"levels", "all", "kept"}));
  app.add_option("--depth", depth)->check(strata::cli::NonNegativeNumber);
  strata::programs::parse(app, argc, argv);

  const int rank = rank_in(MPI_COMM_WORLD);
  const double start = strata::mpix::start_together(MPI_COMM_WORLD);
  const double before = static_cast<double>(strata::mpix::messages_sent());
  Levels levels = create(method);
  const double mine = MPI_Wtime() - start;
  strata::mpix::let_others_finish(MPI_COMM_WORLD);
  const double after = static_cast<double>(strata::mpix::messages_sent());

  // Take the minimum, because the first rank at either moment reads the count before any rank sends again. All ranks
  // get the results, because SMPI cannot reduce on one rank.
  std::array<double, 2> counts = {before, after}, first = {};
  MPI_Allreduce(counts.data(), first.data(), 2, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  const int bad = wrong(levels, depth);
  std::array<double, 3> largest = {mine, static_cast<double>(levels.comms.size()), static_cast<double>(bad)}, all = {};
  MPI_Allreduce(largest.data(), all.data(), 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  // Each communicator is counted by its rank 0.
  double communicators = 0, sum = 0;
  for (size_t i = 0; i < levels.comms.size(); ++i) {
    communicators += rank_in(levels.comms[i]) == 0 ? 1 : 0;
    communicators += levels.roots[i] != MPI_COMM_NULL && rank_in(levels.roots[i]) == 0 ? 1 : 0;
  }
  MPI_Allreduce(&communicators, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  release(levels);
  if (bad != 0) std::fprintf(stderr, "%s rank %d: %d things are wrong\n", strata::words::kWrong, rank, bad);
  if (rank == 0 && all[2] == 0) {
    strata::programs::report("time", all[0], "s");
    strata::programs::report("levels", all[1], "1");
    strata::programs::report("communicators", sum, "1");
    if (first[1] >= 0) strata::programs::report("messages", first[1] - first[0], "1");
  }
  MPI_Finalize();
  return bad == 0 ? 0 : 1;
}
