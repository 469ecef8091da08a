// SPDX-License-Identifier: LGPL-2.1-only
// Blocking collectives, flat and over a hierarchy: every rank has the correct result in every order of messages.
//
//   hierarchical_collectives --collective bcast|reduce|allreduce|gather|scatter|allgather|barrier
//     [--algorithm linear|chain|pipeline|split-binary|binary|binomial|in-order|ring|doubling]
//     [--over flat|topology|AxB] [--root R] [--count N] [--segment B] [--op sum|compose|float] [--calls C]
//
// --over selects MPI_COMM_WORLD itself, MPIX_Hierarchy_create, or MPIX_Hierarchy_create_groups. Each rank has its own N
// numbers of 8 bytes. C calls follow directly one after another, so that a message of one call could match a receive of
// the next.
//
// Asserted:
// - Every element of every result, as defined by the MPI function of that name.
// - For `compose`, a noncommutative operation: it is applied in the order of the ranks (mpix.h).
// - For `float`, a sum that depends on the order of its additions: every order of messages gives the same bits, and all
//   ranks of an allreduce have the same bits.
// - For a barrier: no rank leaves it before rank R has entered. R sends a number to all others before it enters
//   (MPI_Ssend), and each rank must have received it when it leaves.
#include <mpi.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/dims_text.h"
#include "check/protocols/composition.h"
#include "check/protocols/expect.h"
#include "check/protocols/numbers.h"
#include "mpi_ext/mpix.h"
#include "scenarios/programs/options.h"

namespace {

using namespace strata::check::protocols;

struct Options {
  std::string collective = "bcast", algorithm = "linear", over = "flat", op = "sum";
  int root = 0, count = 1, segment = 0, calls = 1;
};

// The collectives, with the selected algorithm, on one of the communicators.
class Calls {
 public:
  explicit Calls(const Options& options) : root_(options.root), segment_(options.segment) {
    static const std::map<std::string, int> names = {{"linear", MPIX_ALGORITHM_LINEAR},
                                                     {"chain", MPIX_ALGORITHM_CHAIN},
                                                     {"pipeline", MPIX_ALGORITHM_PIPELINE},
                                                     {"split-binary", MPIX_ALGORITHM_SPLIT_BINARY},
                                                     {"binary", MPIX_ALGORITHM_BINARY},
                                                     {"binomial", MPIX_ALGORITHM_BINOMIAL},
                                                     {"in-order", MPIX_ALGORITHM_IN_ORDER_BINARY},
                                                     {"ring", MPIX_ALGORITHM_RING},
                                                     {"doubling", MPIX_ALGORITHM_RECURSIVE_DOUBLING}};
    const auto at = names.find(options.algorithm);
    if (at == names.end()) strata::programs::refuse("--algorithm: no algorithm '" + options.algorithm + "'");
    algorithm_ = at->second;
    if (options.over == "flat") return;
    if (options.over == "topology") {
      succeed("MPIX_Hierarchy_create", MPIX_Hierarchy_create(MPI_COMM_WORLD, MPI_INFO_NULL, &hierarchy_));
      return;
    }
    const std::vector<int> groups = strata::parse_dims(options.over);
    succeed("MPIX_Hierarchy_create_groups",
            MPIX_Hierarchy_create_groups(MPI_COMM_WORLD, static_cast<int>(groups.size()), groups.data(), &hierarchy_));
  }
  ~Calls() {
    if (hierarchy_ != MPIX_HIERARCHY_NULL) MPIX_Hierarchy_free(&hierarchy_);
  }
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  template <class T>
  void bcast(std::vector<T>& data, MPI_Datatype type) {
    const int n = static_cast<int>(data.size());
    succeed("bcast", hierarchy_ == MPIX_HIERARCHY_NULL
                         ? MPIX_Bcast(data.data(), n, type, root_, MPI_COMM_WORLD, algorithm_, segment_)
                         : MPIX_Hierarchy_bcast(data.data(), n, type, root_, hierarchy_, algorithm_, segment_));
  }
  template <class T>
  void reduce(const std::vector<T>& in, std::vector<T>& out, MPI_Datatype type, MPI_Op op) {
    const int n = static_cast<int>(in.size());
    succeed("reduce",
            hierarchy_ == MPIX_HIERARCHY_NULL
                ? MPIX_Reduce(in.data(), out.data(), n, type, op, root_, MPI_COMM_WORLD, algorithm_, segment_)
                : MPIX_Hierarchy_reduce(in.data(), out.data(), n, type, op, root_, hierarchy_, algorithm_, segment_));
  }
  template <class T>
  void allreduce(const std::vector<T>& in, std::vector<T>& out, MPI_Datatype type, MPI_Op op) {
    const int n = static_cast<int>(in.size());
    succeed("allreduce",
            hierarchy_ == MPIX_HIERARCHY_NULL
                ? MPIX_Allreduce(in.data(), out.data(), n, type, op, MPI_COMM_WORLD, algorithm_, segment_)
                : MPIX_Hierarchy_allreduce(in.data(), out.data(), n, type, op, hierarchy_, algorithm_, segment_));
  }
  // Gathers `n` elements from each rank.
  void gather(const std::vector<long>& in, std::vector<long>& out, int n) {
    succeed(
        "gather",
        hierarchy_ == MPIX_HIERARCHY_NULL
            ? MPIX_Gather(in.data(), n, MPI_LONG, out.data(), n, MPI_LONG, root_, MPI_COMM_WORLD, algorithm_)
            : MPIX_Hierarchy_gather(in.data(), n, MPI_LONG, out.data(), n, MPI_LONG, root_, hierarchy_, algorithm_));
  }
  void scatter(const std::vector<long>& in, std::vector<long>& out, int n) {
    succeed(
        "scatter",
        hierarchy_ == MPIX_HIERARCHY_NULL
            ? MPIX_Scatter(in.data(), n, MPI_LONG, out.data(), n, MPI_LONG, root_, MPI_COMM_WORLD, algorithm_)
            : MPIX_Hierarchy_scatter(in.data(), n, MPI_LONG, out.data(), n, MPI_LONG, root_, hierarchy_, algorithm_));
  }
  void allgather(const std::vector<long>& in, std::vector<long>& out, int n) {
    succeed("allgather",
            hierarchy_ == MPIX_HIERARCHY_NULL
                ? MPIX_Allgather(in.data(), n, MPI_LONG, out.data(), n, MPI_LONG, MPI_COMM_WORLD, algorithm_)
                : MPIX_Hierarchy_allgather(in.data(), n, MPI_LONG, out.data(), n, MPI_LONG, hierarchy_, algorithm_));
  }
  void barrier() {
    succeed("barrier", hierarchy_ == MPIX_HIERARCHY_NULL ? MPIX_Barrier(MPI_COMM_WORLD, algorithm_)
                                                         : MPIX_Hierarchy_barrier(hierarchy_, algorithm_));
  }

 private:
  int root_, segment_, algorithm_ = 0;
  MPIX_Hierarchy hierarchy_ = MPIX_HIERARCHY_NULL;
};

// Reduces `mine`, on all ranks or on the root; `check` is called with the result on ranks that have it.
template <class T>
void reduce(Calls& calls, const Options& o, const std::vector<T>& mine, MPI_Datatype type, MPI_Op op,
            const std::function<void(const std::vector<T>&)>& check) {
  std::vector<T> result(mine.size());
  if (o.collective == "allreduce") {
    calls.allreduce(mine, result, type, op);
  } else {
    calls.reduce(mine, result, type, op);
  }
  if (o.collective == "allreduce" || rank_in(MPI_COMM_WORLD) == o.root) check(result);
}

void sum(Calls& calls, const Options& o, int call) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const std::vector<long> expected = sum_of_all(size, call, o.count);
  reduce<long>(calls, o, numbers(rank, call, o.count), MPI_LONG, MPI_SUM,
               [&](const std::vector<long>& result) { expect("the sum", expected, result); });
}

void compose_all(Calls& calls, const Options& o, int call) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const Composition composition;
  const std::vector<Function> expected(o.count, composition_of_first(size, call));
  reduce<Function>(calls, o, std::vector<Function>(o.count, function_of(rank, call)), composition.type(),
                   composition.op(),
                   [&](const std::vector<Function>& result) { expect("the composition", expected, result); });
}

// 1e16 + 1 - 1e16 + 1 ...: a 1 that is added to 1e16 is lost.
void add_floats(Calls& calls, const Options& o, int call) {
  const int rank = rank_in(MPI_COMM_WORLD);
  const double mine = rank % 2 == 1 ? 1.0 : rank % 4 == 0 ? 1e16 : -1e16;
  reduce<double>(
      calls, o, std::vector<double>(o.count, mine), MPI_DOUBLE, MPI_SUM,
      [&](const std::vector<double>& result) { expect_as_ever("sum-of-call-" + std::to_string(call), result); });
}

void pass_barrier(Calls& calls, const Options& o, int call) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const char word = 'w';
  char got = ' ';
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank != o.root) MPI_Irecv(&got, 1, MPI_CHAR, o.root, call, MPI_COMM_WORLD, &request);
  for (int r = 0; rank == o.root && r < size; ++r) {
    if (r != o.root) MPI_Ssend(&word, 1, MPI_CHAR, r, call, MPI_COMM_WORLD);
  }
  calls.barrier();
  if (rank == o.root) return;
  int there = 0;
  MPI_Test(&request, &there, MPI_STATUS_IGNORE);
  expect("whether rank " + std::to_string(o.root) + " has come", 1, there);
}

void call_once(Calls& calls, const Options& o, int call) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const bool is_root = rank == o.root;
  const std::vector<long> mine = numbers(rank, call, o.count), all = everybodys(size, call, o.count);
  if (o.collective == "barrier") {
    pass_barrier(calls, o, call);
  } else if (o.collective == "bcast") {
    std::vector<long> data = is_root ? mine : std::vector<long>(o.count);
    calls.bcast(data, MPI_LONG);
    expect("what is broadcast", numbers(o.root, call, o.count), data);
  } else if (o.collective == "scatter") {
    std::vector<long> part(o.count);
    calls.scatter(is_root ? all : std::vector<long>(), part, o.count);
    expect("the part", mine, part);
  } else if (o.collective == "gather") {
    std::vector<long> gathered(is_root ? all.size() : 0);
    calls.gather(mine, gathered, o.count);
    expect("what is gathered", is_root ? all : std::vector<long>(), gathered);
  } else if (o.collective == "allgather") {
    std::vector<long> gathered(all.size());
    calls.allgather(mine, gathered, o.count);
    expect("what is gathered", all, gathered);
  } else {
    (o.op == "sum" ? sum : o.op == "compose" ? compose_all : add_floats)(calls, o, call);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Options o;
  strata::cli::App app("hierarchical_collectives");
  app.add_option("--collective", o.collective)
      ->check(strata::cli::IsMember({"bcast", "reduce", "allreduce", "gather", "scatter", "allgather", "barrier"}));
  app.add_option("--algorithm", o.algorithm);
  app.add_option("--over", o.over);
  app.add_option("--op", o.op)->check(strata::cli::IsMember({"sum", "compose", "float"}));
  app.add_option("--root", o.root)->check(strata::cli::Range(0, size_of(MPI_COMM_WORLD) - 1));
  app.add_option("--count", o.count)->check(strata::cli::PositiveNumber);
  app.add_option("--segment", o.segment)->check(strata::cli::NonNegativeNumber);
  app.add_option("--calls", o.calls)->check(strata::cli::PositiveNumber);
  strata::programs::parse(app, argc, argv);
  {
    Calls calls(o);
    for (int call = 0; call < o.calls; ++call) call_once(calls, o, call);
  }
  MPI_Finalize();
  return 0;
}
