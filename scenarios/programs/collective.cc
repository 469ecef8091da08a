// Measures one collective: the time until the last rank is through (s), from a moment at which all are ready.
//
//   collective [--collective bcast|reduce|allreduce|gather|scatter|allgather|barrier] --algorithm A
//              [--variant native|hierarchical] [--elements N] [--root R] [--segment BYTES]
//
// Elements are of 4 bytes, as in RR-9077, Section 7.2; of gather, scatter and allgather N is a rank's block. The
// operation of the reductions is the sum. Native is the algorithm on MPI_COMM_WORLD; hierarchical is the same algorithm
// on each level of the topology's hierarchy.
//
// Where the buffers of all ranks together take at most kVerifiedBytes every rank has its own and compares what it got
// with what MPI says it gets; beyond, the ranks share one buffer and the same code moves the same messages through it.
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "mpi_ext/adapter/measure.h"
#include "mpi_ext/mpix.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"

namespace {

constexpr double kVerifiedBytes = 256e6;  // B over all ranks: what a laptop has to spare for each of a few simulations
constexpr std::uint32_t kGuard = 0xfeedbeef;  // stands behind a rank's results and must stay

enum class Collective { kBcast, kReduce, kAllreduce, kGather, kScatter, kAllgather, kBarrier };

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

struct Options {
  std::string collective = "bcast", algorithm = "linear", variant = "native";
  int elements = 1, root = 0, segment_bytes = 0;

  bool hierarchical() const { return variant == "hierarchical"; }
  const Kind& kind() const { return kinds().at(collective); }
};

Options parse_options(int argc, char** argv, int size) {
  Options o;
  CLI::App app("collective");
  app.add_option("--collective", o.collective)->check(CLI::IsMember(kinds()));
  app.add_option("--algorithm", o.algorithm)->check(CLI::IsMember(algorithm_codes()));
  app.add_option("--variant", o.variant)->check(CLI::IsMember({"native", "hierarchical"}));
  app.add_option("--elements", o.elements)->check(CLI::NonNegativeNumber);
  app.add_option("--root", o.root)->check(CLI::Range(0, size - 1));
  app.add_option("--segment", o.segment_bytes)->check(CLI::NonNegativeNumber);
  app.callback([&] {
    const Kind& kind = o.kind();
    if (kind.algorithms.count(o.algorithm) == 0) {
      std::string known;
      for (const std::string& a : kind.algorithms) known += (known.empty() ? "" : ", ") + a;
      throw CLI::ValidationError("--algorithm", o.collective + " has no " + o.algorithm + "; it has " + known);
    }
    if (o.hierarchical() && (o.algorithm == "ring" || o.algorithm == "recursive-doubling")) {
      throw CLI::ValidationError("--algorithm", o.algorithm + " has no hierarchical form; it has no root");
    }
    const auto refuse = [&](const char* option, bool known) {
      if (!known && app.count(option) > 0) throw CLI::ValidationError(option, "does not go with " + o.collective);
    };
    refuse("--elements", kind.has_elements);
    refuse("--root", kind.rooted);
    refuse("--segment", kind.segmented);
  });
  strata::programs::parse(app, argc, argv);
  if (!o.kind().has_elements) o.elements = 0;
  return o;
}

// What a rank has in a collective's send and receive buffers, in elements.
struct Shape {
  std::size_t send = 0, receive = 0;
};

Shape shape_of(const Options& o, int rank, int size) {
  const auto one = static_cast<std::size_t>(o.elements), all = one * static_cast<std::size_t>(size);
  const bool root = rank == o.root;
  switch (o.kind().collective) {
    case Collective::kBcast:
      return {0, one};
    case Collective::kReduce:
      return {one, root ? one : 0};
    case Collective::kAllreduce:
      return {one, one};
    case Collective::kGather:
      return {one, root ? all : 0};
    case Collective::kScatter:
      return {root ? all : 0, one};
    case Collective::kAllgather:
      return {one, all};
    case Collective::kBarrier:
      return {};
  }
  return {};
}

// The element of that index in the data of `rank`. Sums of them wrap, as unsigned integers do.
std::uint32_t element(std::size_t index, int rank) {
  return static_cast<std::uint32_t>(index) * 2654435761u + static_cast<std::uint32_t>(rank) * 40503u;
}

// The sum of element(index, r) over ranks r < size.
std::uint32_t sum(std::size_t index, int size) {
  const auto ranks = static_cast<std::uint64_t>(size);
  return static_cast<std::uint32_t>(ranks * element(index, 0) + ranks * (ranks - 1) / 2 * 40503u);
}

std::uint32_t sent(const Options& o, std::size_t index, int rank) {
  if (o.kind().collective != Collective::kScatter) return element(index, rank);
  const auto block = static_cast<std::size_t>(o.elements);
  return element(index % block, static_cast<int>(index / block));  // the root's: a block for each rank
}

std::uint32_t expected(const Options& o, std::size_t index, int rank, int size) {
  const auto block = static_cast<std::size_t>(o.elements);
  switch (o.kind().collective) {
    case Collective::kBcast:
      return element(index, o.root);
    case Collective::kReduce:
    case Collective::kAllreduce:
      return sum(index, size);
    case Collective::kGather:
    case Collective::kAllgather:
      return element(index % block, static_cast<int>(index / block));
    case Collective::kScatter:
      return element(index, rank);
    case Collective::kBarrier:
      break;
  }
  return 0;
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
  }
}

// Contexts are made at the first call: one with a single element.
void warm_up(const Options& o, int size, MPIX_Hierarchy hierarchy) {
  std::vector<std::uint32_t> send(static_cast<std::size_t>(size)), receive(static_cast<std::size_t>(size));
  call(o, {send.data(), receive.data()}, 1, hierarchy);
}

// Whether nobody leaves the barrier before the last has entered it, which rank 0 does later than the others.
bool barrier_holds(const Options& o, int rank, MPIX_Hierarchy hierarchy) {
  strata::mpix::start_together(MPI_COMM_WORLD);
  if (rank == 0) {
    char byte = 0, back = 0;
    MPI_Sendrecv(&byte, 1, MPI_CHAR, 0, 0, &back, 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  const double entered = MPI_Wtime();
  call(o, {nullptr, nullptr}, 0, hierarchy);
  const double left = MPI_Wtime();
  strata::mpix::let_others_finish(MPI_COMM_WORLD);
  double last_entered = 0;
  MPI_Allreduce(&entered, &last_entered, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return left >= last_entered;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const Options o = parse_options(argc, argv, size);

  const Shape shape = shape_of(o, rank, size);
  double bytes_of_all = 0;
  for (int r = 0; r < size; ++r) {
    const Shape s = shape_of(o, r, size);
    bytes_of_all += static_cast<double>(sizeof(std::uint32_t)) * static_cast<double>(s.send + s.receive);
  }
  const bool verified = bytes_of_all <= kVerifiedBytes;
  std::vector<std::uint32_t> send, receive;
  Buffers buffers{};
  if (verified) {
    for (std::size_t i = 0; i < shape.send; ++i) send.push_back(sent(o, i, rank));
    receive.assign(shape.receive + 1, kGuard);
    if (o.kind().collective == Collective::kBcast && rank == o.root) {
      for (std::size_t i = 0; i < shape.receive; ++i) receive[i] = element(i, rank);
    }
    buffers = {send.data(), receive.data()};
  } else {
    buffers = {strata::mpix::allocate_payload(shape.send * sizeof(std::uint32_t)),
               strata::mpix::allocate_payload(shape.receive * sizeof(std::uint32_t))};
  }

  MPIX_Hierarchy hierarchy = MPIX_HIERARCHY_NULL;
  if (o.hierarchical()) MPIX_Hierarchy_create(MPI_COMM_WORLD, MPI_INFO_NULL, &hierarchy);
  warm_up(o, size, hierarchy);

  const double start = strata::mpix::start_together(MPI_COMM_WORLD);
  call(o, buffers, o.elements, hierarchy);
  const double mine = MPI_Wtime() - start;
  strata::mpix::let_others_finish(MPI_COMM_WORLD);

  double slowest = 0;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);  // SMPI cannot reduce on one rank
  int wrong = 0, any_wrong = 0;
  if (verified) {
    for (std::size_t i = 0; i < shape.receive; ++i) wrong += receive[i] != expected(o, i, rank, size) ? 1 : 0;
    wrong += receive[shape.receive] != kGuard ? 1 : 0;
    if (o.kind().collective == Collective::kBarrier && !barrier_holds(o, rank, hierarchy)) ++wrong;
  } else {
    strata::mpix::free_payload(buffers.send);
    strata::mpix::free_payload(buffers.receive);
  }
  MPI_Allreduce(&wrong, &any_wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (o.hierarchical()) MPIX_Hierarchy_free(&hierarchy);
  if (wrong != 0) std::fprintf(stderr, "@strata wrong rank %d has %d wrong of %zu\n", rank, wrong, shape.receive);
  if (rank == 0 && any_wrong == 0) strata::programs::report("time", slowest, "s");
  MPI_Finalize();
  return any_wrong == 0 ? 0 : 1;
}
