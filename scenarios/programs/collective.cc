// SPDX-License-Identifier: LGPL-2.1-only
// Measures one collective: the time until the last rank has finished (s), from a moment when all ranks are ready.
//
//   collective [--collective bcast|reduce|allreduce|gather|scatter|allgather|barrier] --algorithm A
//              [--variant native|hierarchical] [--elements N] [--root R] [--segment BYTES]
//
// Elements have 4 bytes, as in RR-9077, Section 7.2. For gather, scatter and allgather, N is the size of a rank's
// block. Reductions compute the sum. Native is the algorithm on MPI_COMM_WORLD; hierarchical is the same algorithm on
// each level of the topology's hierarchy. Results are verified if they fit in memory (payload.h).
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mpi_ext/mpix.h"
#include "records/exchange/exchanged_words.h"
#include "records/program_defaults.h"
#include "scenarios/programs/checked_buffers.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"
#include "scenarios/programs/region.h"

namespace {

using strata::programs::barrier_holds;
using strata::programs::Collective;
using strata::programs::Payload;
using strata::programs::time_until_last;

struct Kind {
  Collective collective;
  std::set<std::string> algorithms;
  bool rooted, segmented, has_elements;
};

const std::set<std::string> kTrees = {"linear", "chain", "pipeline", "binary", "binomial"};

std::set<std::string> trees_and(const std::string& another) {
  std::set<std::string> all = kTrees;
  all.insert(another);
  return all;
}

const std::map<std::string, Kind>& kinds() {
  static const std::map<std::string, Kind> all = {
      {"bcast", {Collective::kBcast, trees_and("split-binary"), true, true, true}},
      {"reduce", {Collective::kReduce, trees_and("in-order-binary"), true, true, true}},
      {"allreduce", {Collective::kAllreduce, trees_and("recursive-doubling"), false, true, true}},
      {"gather", {Collective::kGather, {"linear", "binomial"}, true, false, true}},
      {"scatter", {Collective::kScatter, {"linear", "binomial"}, true, false, true}},
      {"allgather", {Collective::kAllgather, {"linear", "binomial", "ring"}, false, false, true}},
      {"barrier", {Collective::kBarrier, {"linear", "binomial", "recursive-doubling"}, false, false, false}}};
  return all;
}

const std::map<std::string, int>& algorithm_codes() {
  static const std::map<std::string, int> all = {{"linear", MPIX_ALGORITHM_LINEAR},
                                                 {"chain", MPIX_ALGORITHM_CHAIN},
                                                 {"pipeline", MPIX_ALGORITHM_PIPELINE},
                                                 {"split-binary", MPIX_ALGORITHM_SPLIT_BINARY},
                                                 {"binary", MPIX_ALGORITHM_BINARY},
                                                 {"binomial", MPIX_ALGORITHM_BINOMIAL},
                                                 {"in-order-binary", MPIX_ALGORITHM_IN_ORDER_BINARY},
                                                 {"ring", MPIX_ALGORITHM_RING},
                                                 {"recursive-doubling", MPIX_ALGORITHM_RECURSIVE_DOUBLING}};
  return all;
}

struct Options : strata::programs::CollectiveOptions {
  bool hierarchical() const { return variant == "hierarchical"; }
  const Kind& kind() const { return kinds().at(collective); }
};

Options parse_options(int argc, char** argv, int size) {
  Options o;
  strata::cli::App app("collective");
  app.add_option("--collective", o.collective)->check(strata::cli::IsMember(kinds()));
  app.add_option("--algorithm", o.algorithm)->check(strata::cli::IsMember(algorithm_codes()));
  app.add_option("--variant", o.variant)->check(strata::cli::IsMember({"native", "hierarchical"}));
  app.add_option("--elements", o.elements)->check(strata::cli::NonNegativeNumber);
  app.add_option("--root", o.root)->check(strata::cli::Range(0, size - 1));
  app.add_option("--segment", o.segment_bytes)->check(strata::cli::NonNegativeNumber);
  app.callback([&] {
    const Kind& kind = o.kind();
    if (kind.algorithms.count(o.algorithm) == 0) {
      std::string known;
      for (const std::string& a : kind.algorithms) known += (known.empty() ? "" : ", ") + a;
      throw strata::cli::ValidationError("--algorithm", o.collective + " has no " + o.algorithm + "; it has " + known);
    }
    if (o.hierarchical() && (o.algorithm == "ring" || o.algorithm == "recursive-doubling")) {
      throw strata::cli::ValidationError("--algorithm", o.algorithm + " has no hierarchical form; it has no root");
    }
    const auto refuse = [&](const char* option, bool known) {
      if (!known && app.count(option) > 0)
        throw strata::cli::ValidationError(option, "does not go with " + o.collective);
    };
    refuse("--elements", kind.has_elements);
    refuse("--root", kind.rooted);
    refuse("--segment", kind.segmented);
  });
  strata::programs::parse(app, argc, argv);
  if (!o.kind().has_elements) o.elements = 0;
  return o;
}

struct Buffers {
  void* send;
  void* receive;
};

void call(const Options& o, const Buffers& b, int n, MPIX_Hierarchy hierarchy) {
  const int a = algorithm_codes().at(o.algorithm), segment = o.segment_bytes, root = o.root;
  const MPI_Datatype type = MPI_UINT32_T;
  const MPI_Comm world = MPI_COMM_WORLD;
  const bool h = o.hierarchical();
  switch (o.kind().collective) {
    case Collective::kBcast:
      h ? MPIX_Hierarchy_bcast(b.receive, n, type, root, hierarchy, a, segment)
        : MPIX_Bcast(b.receive, n, type, root, world, a, segment);
      break;
    case Collective::kReduce:
      h ? MPIX_Hierarchy_reduce(b.send, b.receive, n, type, MPI_SUM, root, hierarchy, a, segment)
        : MPIX_Reduce(b.send, b.receive, n, type, MPI_SUM, root, world, a, segment);
      break;
    case Collective::kAllreduce:
      h ? MPIX_Hierarchy_allreduce(b.send, b.receive, n, type, MPI_SUM, hierarchy, a, segment)
        : MPIX_Allreduce(b.send, b.receive, n, type, MPI_SUM, world, a, segment);
      break;
    case Collective::kGather:
      h ? MPIX_Hierarchy_gather(b.send, n, type, b.receive, n, type, root, hierarchy, a)
        : MPIX_Gather(b.send, n, type, b.receive, n, type, root, world, a);
      break;
    case Collective::kScatter:
      h ? MPIX_Hierarchy_scatter(b.send, n, type, b.receive, n, type, root, hierarchy, a)
        : MPIX_Scatter(b.send, n, type, b.receive, n, type, root, world, a);
      break;
    case Collective::kAllgather:
      h ? MPIX_Hierarchy_allgather(b.send, n, type, b.receive, n, type, hierarchy, a)
        : MPIX_Allgather(b.send, n, type, b.receive, n, type, world, a);
      break;
    case Collective::kBarrier:
      h ? MPIX_Hierarchy_barrier(hierarchy, a) : MPIX_Barrier(world, a);
      break;
    case Collective::kScan:
      break;  // not in kinds()
  }
}

// Calls the collective once with a single element, since the first call makes contexts.
void warm_up(const Options& o, int size, MPIX_Hierarchy hierarchy) {
  std::vector<std::uint32_t> send(size), receive(size);
  call(o, {send.data(), receive.data()}, 1, hierarchy);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const Options o = parse_options(argc, argv, size);

  std::optional<Payload> payload(std::in_place, o.kind().collective, o.elements, o.root, rank, size);
  MPIX_Hierarchy hierarchy = MPIX_HIERARCHY_NULL;
  if (o.hierarchical()) MPIX_Hierarchy_create(MPI_COMM_WORLD, MPI_INFO_NULL, &hierarchy);
  warm_up(o, size, hierarchy);

  const double slowest = time_until_last(MPI_COMM_WORLD, [&](double) {
    call(o, {payload->send(), payload->receive()}, o.elements, hierarchy);
  });
  int wrong = payload->count_wrong(), any_wrong = 0;
  payload.reset();
  if (o.kind().collective == Collective::kBarrier) {
    const bool holds = barrier_holds(MPI_COMM_WORLD, [&] { call(o, {nullptr, nullptr}, 0, hierarchy); });
    wrong += holds ? 0 : 1;
  }
  MPI_Allreduce(&wrong, &any_wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (o.hierarchical()) MPIX_Hierarchy_free(&hierarchy);
  if (wrong != 0) std::fprintf(stderr, "%s rank %d has %d wrong elements\n", strata::words::kWrong, rank, wrong);
  if (rank == 0 && any_wrong == 0) strata::programs::report("time", slowest, "s");
  MPI_Finalize();
  return any_wrong == 0 ? 0 : 1;
}
