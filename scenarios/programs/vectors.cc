// SPDX-License-Identifier: LGPL-2.1-only
// Measures hierarchical processing of vectors (RR-9077, Section 7.4, Algorithm 5). On each level of a communicator
// hierarchy, innermost first, the vectors of a group are gathered on its first member, which combines them into one.
//
//   vectors --hierarchy topo|N1xN2x... [--elements N]
//
// `topo` is the hierarchy of the machine, with all its levels. 3x4x2x3x8 is a hierarchy given by the user, which
// divides the ranks into 3 blocks, each of them into 4, and so on, outermost first (the paper's H_conf1;
// MPIX_Hierarchy_create_groups). Every rank must be alone in its innermost communicator, so bind ranks to cores.
//
// Every rank begins with a vector `lresult` of N elements of 4 bytes, and keeps another, `lvec`. From the innermost
// level to the outermost, the following happens on each communicator of roots with p members (the rank 0s of sibling
// communicators; on the innermost level, these are all members of the communicator above):
//   1. MPIX_Gather, linear: members 1 to p - 1 send their lresult, 4 N bytes, to member 0, which receives them in this
//      order, one after another;
//   2. member 0 computes its next lresult, (sum of the p vectors) / lvec, element by element: p - 1 additions of two
//      vectors and a division, p combinations of 4 N bytes (charge_combine).
// Only member 0 continues on the next level. There is no other synchronisation: groups continue as soon as they are
// done.
//
// Reports `time`: when the last rank is done (s). If the vectors of all ranks take at most kVerifiedBytes, the result
// is compared with a serial fold on rank 0. Otherwise, vectors are buffers with arbitrary data, and the arithmetic is
// only charged.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "base/dims_text.h"
#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/measure.h"
#include "mpi_ext/mpix.h"
#include "records/exchange/exchanged_words.h"
#include "records/program_defaults.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"

namespace {

constexpr double kVerifiedBytes = 256e6;   // B over all ranks: what a laptop can spare for each of several runs
constexpr int kLargestValue = 12;          // in a rank's own vector
constexpr double kExactInFloat = 1 << 24;  // whole numbers up to this are exact

// Element i of rank q's own vector: a whole number from 0 to kLargestValue.
float own_value(int q, int i) { return static_cast<float>((q * 7 + i) % (kLargestValue + 1)); }

// Element i of rank q's lvec: 1 or 2, so that division is exact. The pattern differs between ranks.
float divisor(int q, int i) {
  const std::uint32_t hash = (static_cast<std::uint32_t>(q) * 2654435761U) ^ (static_cast<std::uint32_t>(i) * 40503U);
  return static_cast<float>(1 + (hash >> 13U & 1U));
}

// The communicators for Algorithm 5: those of roots, innermost first; null if this rank is not a root.
struct Levels {
  std::vector<MPI_Comm> comms;
  std::vector<int> first;  // for each of them, the rank in MPI_COMM_WORLD to which this rank's vector goes
  bool alone = true;       // in its innermost communicator
};

int world_rank_of_first(MPI_Comm comm) {
  MPI_Group group, world;
  MPI_Comm_group(comm, &group);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int here = 0, there = 0;
  MPI_Group_translate_ranks(group, 1, &here, world, &there);
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  return there;
}

Levels levels_of(MPIX_Hierarchy hierarchy) {
  Levels levels;
  int depth = 0, innermost_size = 0;
  MPIX_Hierarchy_depth(hierarchy, &depth);
  MPI_Comm parent = MPI_COMM_WORLD;
  for (int level = 0; level < depth; ++level) {
    MPI_Comm comm = MPI_COMM_NULL, roots = MPI_COMM_NULL;
    MPIX_Hierarchy_level(hierarchy, level, &comm, &roots);
    levels.comms.push_back(roots);
    levels.first.push_back(world_rank_of_first(parent));
    parent = comm;
  }
  MPI_Comm_size(parent, &innermost_size);
  levels.alone = innermost_size == 1;
  std::reverse(levels.comms.begin(), levels.comms.end());
  std::reverse(levels.first.begin(), levels.first.end());
  return levels;
}

// func of Algorithm 5: the sum of `count` consecutive vectors, divided by rank q's lvec.
void add_and_normalise(const float* vectors, int count, int q, int elements, float* result) {
  for (int i = 0; i < elements; ++i) {
    float sum = 0;
    for (int v = 0; v < count; ++v) sum += vectors[static_cast<std::size_t>(v) * elements + i];
    result[i] = sum / divisor(q, i);
  }
}

// Rank 0 compares its result with a direct computation, without messages and levels: the sum over all ranks q of q's
// own vector, divided by the lvec of each rank that gathered it or a sum containing it. Returns the number of different
// elements; 0 on other ranks.
int wrong_elements(const Levels& levels, const float* result, int elements) {
  int rank = 0, size = 0, most = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int depth = static_cast<int>(levels.first.size());
  MPI_Allreduce(&depth, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  std::vector<int> mine = levels.first;
  mine.resize(most, -1);
  std::vector<int> all(rank == 0 ? static_cast<std::size_t>(most) * size : 0);
  MPI_Gather(mine.data(), most, MPI_INT, all.data(), most, MPI_INT, 0, MPI_COMM_WORLD);
  int wrong = 0;
  for (int i = 0; rank == 0 && i < elements; ++i) {
    double sum = 0;
    for (int q = 0; q < size; ++q) {
      double term = own_value(q, i);
      for (int level = 0; level < most; ++level) {
        const int by = all[static_cast<std::size_t>(q) * most + level];
        if (by >= 0) term /= divisor(by, i);
      }
      sum += term;
    }
    wrong += result[i] != static_cast<float>(sum) ? 1 : 0;
  }
  return wrong;
}

// Algorithm 5. `result`: this rank's vector. `gathered`: room for the vectors of the largest group with this rank as
// member 0. If `looked_at`, computes func.
void process(const Levels& levels, int elements, float* result, float* gathered, bool looked_at) {
  int me = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  for (const MPI_Comm comm : levels.comms) {
    if (comm == MPI_COMM_NULL) return;  // not on this level or any outer one
    int rank = 0, members = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &members);
    MPIX_Gather(result, elements, MPI_FLOAT, gathered, elements, MPI_FLOAT, 0, comm, MPIX_ALGORITHM_LINEAR);
    if (rank != 0) continue;
    if (looked_at) add_and_normalise(gathered, members, me, elements, result);
    for (int v = 0; v < members; ++v) {
      strata::mpix::charge_combine(sizeof(float) * static_cast<std::size_t>(elements));
    }
  }
}

// The size of the largest group with this rank as member 0; 0 if there is none.
int largest_group(const Levels& levels) {
  int largest = 0;
  for (const MPI_Comm comm : levels.comms) {
    int rank = 0, members = 0;
    if (comm == MPI_COMM_NULL) break;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &members);
    if (rank == 0) largest = std::max(largest, members);
  }
  return largest;
}

// The benchmark on one hierarchy. Returns the number of wrong elements of the result, on rank 0.
int measure(MPIX_Hierarchy hierarchy, int elements) {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const Levels levels = levels_of(hierarchy);
  int alone = levels.alone ? 1 : 0, all_alone = 0;
  MPI_Allreduce(&alone, &all_alone, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (all_alone == 0)
    strata::programs::refuse("a rank shares its innermost communicator; bind each rank to a core of its own");

  const int room = largest_group(levels);
  const double bytes = sizeof(float) * static_cast<double>(elements);
  double vectors = 1.0 + room, all_vectors = 0;
  MPI_Allreduce(&vectors, &all_vectors, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const double largest_sum = static_cast<double>(kLargestValue) * size * (1L << levels.comms.size());
  const bool verified = bytes * all_vectors <= kVerifiedBytes && largest_sum <= kExactInFloat;
  std::vector<float> own, group;
  float *result, *gathered;
  if (verified) {
    own.resize(elements);
    for (int i = 0; i < elements; ++i) own[i] = own_value(rank, i);
    group.resize(static_cast<std::size_t>(room) * elements);
    result = own.data();
    gathered = group.data();
  } else {
    const std::size_t each = sizeof(float) * static_cast<std::size_t>(elements);
    result = static_cast<float*>(strata::mpix::allocate_payload(each));
    gathered = static_cast<float*>(strata::mpix::allocate_payload(each * room));
  }
  std::vector<float> warm(1 + static_cast<std::size_t>(room));
  process(levels, 1, warm.data(), warm.data() + 1, false);  // the first call makes contexts

  const double start = strata::mpix::start_together(MPI_COMM_WORLD);
  process(levels, elements, result, gathered, verified);
  const double mine = MPI_Wtime() - start;
  strata::mpix::let_others_finish(MPI_COMM_WORLD);

  double slowest = 0;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);  // SMPI cannot reduce on one rank
  const int wrong = verified ? wrong_elements(levels, result, elements) : 0;
  if (!verified) {
    strata::mpix::free_payload(gathered);
    strata::mpix::free_payload(result);
  }
  if (rank == 0 && wrong == 0) strata::programs::report("time", slowest, "s");
  return wrong;
}

MPIX_Hierarchy make_hierarchy(const std::string& text) {
  MPIX_Hierarchy hierarchy = MPIX_HIERARCHY_NULL;
  if (text == "topo") {
    MPIX_Hierarchy_create(MPI_COMM_WORLD, MPI_INFO_NULL, &hierarchy);
    return hierarchy;
  }
  const std::vector<int> groups = strata::parse_dims(text);
  if (groups.empty()) strata::programs::refuse("--hierarchy: '" + text + "' is neither topo nor numbers as 3x4x2x3x8");
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (std::accumulate(groups.begin(), groups.end(), 1.0, std::multiplies<>()) != size) {
    strata::programs::refuse("--hierarchy: the product of " + text + " is not the number of ranks, " +
                             std::to_string(size));
  }
  MPIX_Hierarchy_create_groups(MPI_COMM_WORLD, static_cast<int>(groups.size()), groups.data(), &hierarchy);
  return hierarchy;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  strata::programs::VectorsOptions o;
  strata::cli::App app("vectors");
  app.add_option("--hierarchy", o.hierarchy);
  app.add_option("--elements", o.elements)->check(strata::cli::NonNegativeNumber);
  strata::programs::parse(app, argc, argv);
  MPIX_Hierarchy hierarchy = make_hierarchy(o.hierarchy);
  const int wrong = measure(hierarchy, o.elements);
  if (wrong != 0) std::fprintf(stderr, "%s %d elements of %d\n", strata::words::kWrong, wrong, o.elements);
  MPIX_Hierarchy_free(&hierarchy);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
