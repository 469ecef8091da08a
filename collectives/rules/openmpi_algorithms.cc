// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/openmpi_algorithms.h"

#include <string>
#include <vector>

namespace strata::collectives {
namespace {

// Names that later versions add come last, with the version that has them first: those of 4.1, then of 5.0, then
// of 6.0.
struct Names {
  Operation operation;
  std::vector<const char*> of_41, added_in_50, added_in_60;
};

// Source: the tables OPERATION_algorithms in ompi/mca/coll/tuned/coll_tuned_OPERATION_decision.c of Open MPI 4.1.4,
// 4.1.8, 5.0.0, 5.0.9 and of the branch v6.0.x, which calls "bruck" of allgather "bruck-k-fanout".
const std::vector<Names>& tuned_names() {
  static const std::vector<Names> names = {
      {Operation::kAllgather,
       {"ignore", "linear", "bruck", "recursive_doubling", "ring", "neighbor", "two_proc"},
       {"sparbit"},
       {"direct-messaging"}},
      {Operation::kAllgatherv, {"ignore", "default", "bruck", "ring", "neighbor", "two_proc"}, {"sparbit"}, {}},
      {Operation::kAllreduce,
       {"ignore", "basic_linear", "nonoverlapping", "recursive_doubling", "ring", "segmented_ring", "rabenseifner"},
       {},
       {"allgather_reduce"}},
      {Operation::kAlltoall, {"ignore", "linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"}, {}, {}},
      {Operation::kAlltoallv, {"ignore", "basic_linear", "pairwise"}, {}, {}},
      {Operation::kBarrier,
       {"ignore", "linear", "double_ring", "recursive_doubling", "bruck", "two_proc", "tree"},
       {},
       {}},
      {Operation::kBcast,
       {"ignore", "basic_linear", "chain", "pipeline", "split_binary_tree", "binary_tree", "binomial", "knomial",
        "scatter_allgather", "scatter_allgather_ring"},
       {},
       {}},
      {Operation::kExscan, {"ignore", "linear", "recursive_doubling"}, {}, {}},
      {Operation::kGather, {"ignore", "basic_linear", "binomial", "linear_sync"}, {}, {}},
      {Operation::kReduce,
       {"ignore", "linear", "chain", "pipeline", "binary", "binomial", "in-order_binary", "rabenseifner"},
       {},
       {"knomial"}},
      {Operation::kReduceScatter, {"ignore", "non-overlapping", "recursive_halving", "ring", "butterfly"}, {}, {}},
      {Operation::kReduceScatterBlock,
       {"ignore", "basic_linear", "recursive_doubling", "recursive_halving", "butterfly"},
       {},
       {}},
      {Operation::kScan, {"ignore", "linear", "recursive_doubling"}, {}, {}},
      {Operation::kScatter, {"ignore", "basic_linear", "binomial", "linear_nb"}, {}, {}},
  };
  return names;
}

// Source: mca_coll_han_available_algorithms in ompi/mca/coll/han/coll_han_algorithms.c of Open MPI 5.0.9 and of the
// branch v6.0.x, where number 0, "default", comes first.
const std::vector<Names>& han_names() {
  static const std::vector<Names> names = {
      {Operation::kBarrier, {}, {"default", "simple"}, {}},
      {Operation::kBcast, {}, {"default", "intra", "simple"}, {}},
      {Operation::kReduce, {}, {"default", "intra", "simple", "reproducible"}, {}},
      {Operation::kAllreduce, {}, {"default", "intra", "simple", "reproducible"}, {}},
      {Operation::kScatter, {}, {"default", "intra", "simple"}, {}},
      {Operation::kGather, {}, {"default", "intra", "simple"}, {}},
      {Operation::kAllgather, {}, {"default", "intra", "simple"}, {}},
      {Operation::kAlltoall, {}, {}, {"default", "smsc"}},
      {Operation::kAlltoallv, {}, {}, {"default", "smsc"}},
  };
  return names;
}

struct List {
  Operation operation;
  std::vector<const char*> names;
};

std::vector<List> lists_of(const std::vector<Names>& table, int series) {
  std::vector<List> lists;
  for (const Names& n : table) {
    List list{n.operation, n.of_41};
    if (series >= 5) list.names.insert(list.names.end(), n.added_in_50.begin(), n.added_in_50.end());
    if (series >= 6) list.names.insert(list.names.end(), n.added_in_60.begin(), n.added_in_60.end());
    for (const char*& name : list.names) {
      if (series >= 6 && n.operation == Operation::kAllgather && std::string_view(name) == "bruck") {
        name = "bruck-k-fanout";
      }
    }
    lists.push_back(list);
  }
  return lists;
}

std::span<const char* const> of_operation(const std::vector<List>& lists, Operation operation) {
  for (const List& l : lists) {
    if (l.operation == operation) return l.names;
  }
  return {};
}

}  // namespace

std::span<const char* const> tuned_algorithms(Operation operation, const Library& library) {
  static const std::vector<List> of_4 = lists_of(tuned_names(), 4), of_5 = lists_of(tuned_names(), 5),
                                 of_6 = lists_of(tuned_names(), 6);
  return of_operation(library.from(6) ? of_6 : library.from(5) ? of_5 : of_4, operation);
}

std::span<const char* const> han_algorithms(Operation operation, const Library& library) {
  static const std::vector<List> of_4 = lists_of(han_names(), 4), of_5 = lists_of(han_names(), 5),
                                 of_6 = lists_of(han_names(), 6);
  return of_operation(library.from(6) ? of_6 : library.from(5) ? of_5 : of_4, operation);
}

std::optional<int> number_of(std::span<const char* const> algorithms, std::string_view name) {
  for (size_t i = 0; i < algorithms.size(); ++i) {
    if (name == algorithms[i]) return static_cast<int>(i);
  }
  return std::nullopt;
}

}  // namespace strata::collectives
