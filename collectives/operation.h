// SPDX-License-Identifier: LGPL-2.1-only
// The collective operations of MPI whose algorithms differ, with the numbers that Open MPI's files give them.
//
//   find_operation("bcast")             Operation::kBcast
//   openmpi_id(Operation::kBcast)       7, as in a line `7 # collective ID` of a file of dynamic rules
//   openmpi_collective_name(10)         "gatherv": it has an id, but only one algorithm, so it is not an Operation
#pragma once

#include <optional>
#include <string_view>

#include "base/words.h"

namespace strata::collectives {

enum class Operation {
  kAllgather,
  kAllgatherv,
  kAllreduce,
  kAlltoall,
  kAlltoallv,
  kBarrier,
  kBcast,
  kExscan,
  kGather,
  kReduce,
  kReduceScatter,
  kReduceScatterBlock,
  kScan,
  kScatter,
};

inline constexpr Word<Operation> kOperations[] = {{Operation::kAllgather, "allgather"},
                                                  {Operation::kAllgatherv, "allgatherv"},
                                                  {Operation::kAllreduce, "allreduce"},
                                                  {Operation::kAlltoall, "alltoall"},
                                                  {Operation::kAlltoallv, "alltoallv"},
                                                  {Operation::kBarrier, "barrier"},
                                                  {Operation::kBcast, "bcast"},
                                                  {Operation::kExscan, "exscan"},
                                                  {Operation::kGather, "gather"},
                                                  {Operation::kReduce, "reduce"},
                                                  {Operation::kReduceScatter, "reduce_scatter"},
                                                  {Operation::kReduceScatterBlock, "reduce_scatter_block"},
                                                  {Operation::kScan, "scan"},
                                                  {Operation::kScatter, "scatter"}};

constexpr const char* name_of(Operation operation) { return word_of(kOperations, operation); }
constexpr std::optional<Operation> find_operation(std::string_view name) { return find_word(kOperations, name); }

/// The names of Open MPI's collectives by id. Source: COLLTYPE in ompi/mca/coll/base/coll_base_functions.h, and
/// colltype_translation_table in coll_base_util.c; the same in Open MPI 4.1.4, 5.0.9 and 6.0.
inline constexpr const char* kOpenMpiCollectives[] = {"allgather",
                                                      "allgatherv",
                                                      "allreduce",
                                                      "alltoall",
                                                      "alltoallv",
                                                      "alltoallw",
                                                      "barrier",
                                                      "bcast",
                                                      "exscan",
                                                      "gather",
                                                      "gatherv",
                                                      "reduce",
                                                      "reduce_scatter",
                                                      "reduce_scatter_block",
                                                      "scan",
                                                      "scatter",
                                                      "scatterv",
                                                      "neighbor_allgather",
                                                      "neighbor_allgatherv",
                                                      "neighbor_alltoall",
                                                      "neighbor_alltoallv",
                                                      "neighbor_alltoallw"};

inline constexpr int kNumOpenMpiCollectives = 22;
static_assert(sizeof(kOpenMpiCollectives) == kNumOpenMpiCollectives * sizeof(const char*));

/// `id`: 0 to 21.
constexpr const char* openmpi_collective_name(int id) { return kOpenMpiCollectives[id]; }
/// -1: Open MPI has no such collective.
constexpr int openmpi_id(std::string_view name) {
  for (int id = 0; id < kNumOpenMpiCollectives; ++id) {
    if (name == kOpenMpiCollectives[id]) return id;
  }
  return -1;
}
constexpr int openmpi_id(Operation operation) { return openmpi_id(name_of(operation)); }

/// Whether it applies a reduction's operation.
constexpr bool reduces(Operation o) {
  return o == Operation::kReduce || o == Operation::kAllreduce || o == Operation::kReduceScatter ||
         o == Operation::kReduceScatterBlock || o == Operation::kScan || o == Operation::kExscan;
}

constexpr bool has_root(Operation o) {
  return o == Operation::kBcast || o == Operation::kReduce || o == Operation::kGather || o == Operation::kScatter;
}

}  // namespace strata::collectives
