// SPDX-License-Identifier: LGPL-2.1-only
// SMPI's blocking collectives become those of an MPI library: which algorithm, and what each rank does in it. The
// environment variable words::kCollectives names the library, such as openmpi-4.1, and words::kRules a file of rules.
// For example, MPI_Bcast of 1 MB on 64 ranks is a k-nomial tree, as in Open MPI 4.1. MPICH's choices and compositions
// look at the ranks of each node (node_numbers.h).
//
// Preloaded behind the other libraries, which have checked the arguments, made types contiguous and equal, and done
// collectives on one rank and between groups (preload/supply). Functions without a schedule are left to
// SMPI: nonblocking collectives, MPI_Gatherv, MPI_Scatterv, MPI_Alltoallw, and neighborhoods.
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "base/error.h"
#include "collectives/chosen/chosen.h"
#include "collectives/rules/mpich_variables.h"
#include "collectives/rules/read_rules.h"
#include "mpi_ext/preload/algorithms/node_numbers.h"
#include "mpi_ext/preload/algorithms/run_steps.h"
#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/ranks_behind.h"
#include "mpi_ext/preload/supply/refuse.h"
#include "records/exchange/exchanged_words.h"
#include "sim/simgrid/datatype.h"

namespace strata::mpix {
namespace {

using collectives::Chooser;
using collectives::Chosen;
using collectives::Collective;
using collectives::Library;
using collectives::Operation;
using collectives::RuleFile;
using collectives::Steps;

const Library& library() {
  static const Library* const parsed = [] {
    try {
      return new Library(collectives::parse_library(std::getenv(words::kCollectives), words::kCollectives));
    } catch (const InputError& error) {
      refuse(error.what());
    }
  }();
  return *parsed;
}

// The rules that the user gives the library; null: none.
const RuleFile* rules() {
  const char* const file = std::getenv(words::kRules);
  if (file == nullptr) return nullptr;
  try {
    auto* const read = new RuleFile(collectives::read_rules(file, library()));
    if (const char* const name = std::getenv(words::kRulesName)) read->file = name;
    return read;
  } catch (const InputError& error) {
    refuse(error.what());
  }
}

// Those that MPICH's variables in the program's environment keep the device from composing.
std::set<collectives::Operation> not_composed() {
  if (library().is_openmpi()) return {};
  try {
    return collectives::not_composed([](const char* variable) { return std::getenv(variable); });
  } catch (const InputError& error) {
    refuse(error.what());
  }
}

const Chooser& chooser() {
  static const Chooser* const made = new Chooser(library(), rules(), not_composed());
  return *made;
}

bool is_contiguous(MPI_Datatype type) {
  return type != nullptr && type != MPI_DATATYPE_NULL && type->size() > 0 && type->lb() == 0 &&
         static_cast<std::size_t>(type->ub()) == type->size();
}

// Whether it is done here. Errors in arguments are SMPI's to find.
bool is_ours(MPI_Comm comm, int count = 0, MPI_Datatype type = MPI_BYTE) {
  int between = 0;
  return comm != MPI_COMM_NULL && STRATA_BEHIND(Comm_test_inter)(comm, &between) == MPI_SUCCESS && between == 0 &&
         size_of(comm) > 1 && count >= 0 && is_contiguous(type);
}

char* element(void* buffer, std::int64_t index, MPI_Datatype type) {
  return static_cast<char*>(buffer) + index * static_cast<std::int64_t>(type->size());
}

Collective call_of(Operation operation, MPI_Comm comm, std::int64_t count, MPI_Datatype type, int root = 0) {
  Collective call = {.operation = operation,
                     .ranks = size_of(comm),
                     .root = root,
                     .count = count,
                     .element_bytes = static_cast<std::int64_t>(type->size())};
  if (!library().is_openmpi()) call.nodes = node_numbers(comm);
  return call;
}

Steps steps_of(const Collective& call, MPI_Comm comm) {
  Steps steps;
  try {
    const Chosen chosen = chooser().choose(call);
    if (chosen.algorithm == nullptr) {
      throw InputError(name_of(call.operation),
                       "the library chooses algorithm " + chosen.decision.name + ", which has no schedule here",
                       "--mpi smpi, or the library itself: build the program with its mpicc");
    }
    chooser().append(chosen, call, rank_of(comm), steps);
  } catch (const InputError& error) {
    refuse(error.what());
  }
  return steps;
}

int run(const Collective& call, const CallBuffers& buffers, MPI_Comm comm) {
  return run_steps(steps_of(call, comm), buffers, comm);
}

// Operation with the same vector on all ranks.
int reduce(Operation operation, const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op, int root,
           MPI_Comm comm) {
  Collective call = call_of(operation, comm, count, type, root);
  call.commutative = op->is_commutative();
  call.built_in = op->is_predefined();
  call.in_place = sent == MPI_IN_PLACE;
  return run(call, {call.in_place ? received : sent, received, type, op}, comm);
}

std::int64_t sum(const int* counts, int ranks) { return std::accumulate(counts, counts + ranks, std::int64_t{0}); }

// A rank knows its row and its column of the matrix of counts, and does nothing with the rest. So all ranks use one
// matrix, one after the other: SMPI changes to another rank only in its own functions.
Steps steps_of_alltoallv(const int* sent, const int* received, MPI_Datatype type, bool in_place, MPI_Comm comm) {
  static std::vector<std::int64_t> matrix;
  Collective call = call_of(Operation::kAlltoallv, comm, 0, type);
  call.in_place = in_place;
  const int me = rank_of(comm), ranks = call.ranks;
  call.count = sum(sent, ranks) / ranks;
  call.counts = std::move(matrix);
  call.counts.resize(static_cast<std::size_t>(ranks) * ranks);
  for (int r = 0; r < ranks; ++r) {
    call.counts[static_cast<std::size_t>(me) * ranks + r] = sent[r];
    call.counts[static_cast<std::size_t>(r) * ranks + me] = received[r];
  }
  Steps steps = steps_of(call, comm);
  matrix = std::move(call.counts);
  return steps;
}

// Blocks of several sizes at places of their own. Schedules have them one behind the other, as they mostly are.
class Blocks {
 public:
  Blocks(void* buffer, const int* counts, const int* places, int ranks, MPI_Datatype type)
      : buffer_(buffer), counts_(counts), places_(places), ranks_(ranks), type_(type) {
    std::int64_t next = 0;
    for (int r = 0; r < ranks; ++r) {
      in_order_ = in_order_ && (counts[r] == 0 || places[r] == next);
      next += counts[r];
    }
    if (!in_order_) packed_.resize(next * static_cast<std::int64_t>(type->size()));
  }
  void* data() { return in_order_ ? buffer_ : packed_.data(); }
  void pack() {
    move([](char* packed, char* block, std::size_t bytes) { std::copy_n(block, bytes, packed); });
  }
  void unpack() {
    move([](char* packed, char* block, std::size_t bytes) { std::copy_n(packed, bytes, block); });
  }

 private:
  template <class Copy>
  void move(const Copy& copy) {
    if (in_order_) return;
    char* packed = packed_.data();
    for (int r = 0; r < ranks_; ++r) {
      const std::size_t bytes = counts_[r] * type_->size();
      copy(packed, element(buffer_, places_[r], type_), bytes);
      packed += bytes;
    }
  }

  void* buffer_;
  const int *counts_, *places_;
  int ranks_;
  MPI_Datatype type_;
  bool in_order_ = true;
  std::vector<char> packed_;
};

}  // namespace
}  // namespace strata::mpix

using namespace strata::mpix;

extern "C" {

int PMPI_Barrier(MPI_Comm comm) {
  if (!is_ours(comm)) return STRATA_BEHIND(Barrier)(comm);
  return run(call_of(Operation::kBarrier, comm, 0, MPI_BYTE), {}, comm);
}

int PMPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  if (!is_ours(comm, count, type)) return STRATA_BEHIND(Bcast)(buffer, count, type, root, comm);
  return run(call_of(Operation::kBcast, comm, count, type, root), {.output = buffer, .type = type}, comm);
}

int PMPI_Reduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  if (!is_ours(comm, count, type)) return STRATA_BEHIND(Reduce)(sent, received, count, type, op, root, comm);
  return reduce(Operation::kReduce, sent, received, count, type, op, root, comm);
}

int PMPI_Allreduce(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (!is_ours(comm, count, type)) return STRATA_BEHIND(Allreduce)(sent, received, count, type, op, comm);
  return reduce(Operation::kAllreduce, sent, received, count, type, op, 0, comm);
}

int PMPI_Scan(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (!is_ours(comm, count, type)) return STRATA_BEHIND(Scan)(sent, received, count, type, op, comm);
  return reduce(Operation::kScan, sent, received, count, type, op, 0, comm);
}

int PMPI_Exscan(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (!is_ours(comm, count, type)) return STRATA_BEHIND(Exscan)(sent, received, count, type, op, comm);
  return reduce(Operation::kExscan, sent, received, count, type, op, 0, comm);
}

int PMPI_Reduce_scatter_block(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm) {
  if (!is_ours(comm, count, type)) return STRATA_BEHIND(Reduce_scatter_block)(sent, received, count, type, op, comm);
  return reduce(Operation::kReduceScatterBlock, sent, received, count, type, op, 0, comm);
}

int PMPI_Reduce_scatter(const void* sent, void* received, const int* counts, MPI_Datatype type, MPI_Op op,
                        MPI_Comm comm) {
  if (!is_ours(comm, 0, type)) return STRATA_BEHIND(Reduce_scatter)(sent, received, counts, type, op, comm);
  Collective call = call_of(Operation::kReduceScatter, comm, 0, type);
  call.counts.assign(counts, counts + call.ranks);
  call.commutative = op->is_commutative();
  call.built_in = op->is_predefined();
  call.in_place = sent == MPI_IN_PLACE;
  return run(call, {call.in_place ? received : sent, received, type, op}, comm);
}

int PMPI_Gather(const void* sent, int sent_count, MPI_Datatype sent_type, void* received, int received_count,
                MPI_Datatype received_type, int root, MPI_Comm comm) {
  const bool is_root = is_ours(comm) && rank_of(comm) == root;
  const bool in_place = is_root && sent == MPI_IN_PLACE;
  const int count = is_root ? received_count : sent_count;
  const MPI_Datatype type = is_root ? received_type : sent_type;
  if (!is_ours(comm, count, type)) {
    return STRATA_BEHIND(Gather)(sent, sent_count, sent_type, received, received_count, received_type, root, comm);
  }
  Collective call = call_of(Operation::kGather, comm, count, type, root);
  call.in_place = in_place;
  const void* input = in_place ? element(received, static_cast<std::int64_t>(root) * count, type) : sent;
  return run(call, {input, received, type}, comm);
}

int PMPI_Scatter(const void* sent, int sent_count, MPI_Datatype sent_type, void* received, int received_count,
                 MPI_Datatype received_type, int root, MPI_Comm comm) {
  const bool is_root = is_ours(comm) && rank_of(comm) == root;
  const int count = is_root ? sent_count : received_count;
  const MPI_Datatype type = is_root ? sent_type : received_type;
  if (!is_ours(comm, count, type)) {
    return STRATA_BEHIND(Scatter)(sent, sent_count, sent_type, received, received_count, received_type, root, comm);
  }
  Collective call = call_of(Operation::kScatter, comm, count, type, root);
  call.in_place = is_root && received == MPI_IN_PLACE;
  return run(call, {sent, received, type}, comm);
}

int PMPI_Allgather(const void* sent, int sent_count, MPI_Datatype sent_type, void* received, int count,
                   MPI_Datatype type, MPI_Comm comm) {
  if (!is_ours(comm, count, type)) {
    return STRATA_BEHIND(Allgather)(sent, sent_count, sent_type, received, count, type, comm);
  }
  Collective call = call_of(Operation::kAllgather, comm, count, type);
  call.in_place = sent == MPI_IN_PLACE;
  const auto before = static_cast<std::int64_t>(rank_of(comm)) * count;
  return run(call, {call.in_place ? element(received, before, type) : sent, received, type}, comm);
}

int PMPI_Allgatherv(const void* sent, int sent_count, MPI_Datatype sent_type, void* received, const int* counts,
                    const int* places, MPI_Datatype type, MPI_Comm comm) {
  if (!is_ours(comm, 0, type)) {
    return STRATA_BEHIND(Allgatherv)(sent, sent_count, sent_type, received, counts, places, type, comm);
  }
  Collective call = call_of(Operation::kAllgatherv, comm, 0, type);
  call.counts.assign(counts, counts + call.ranks);
  call.in_place = sent == MPI_IN_PLACE;
  Blocks blocks(received, counts, places, call.ranks, type);
  if (call.in_place) blocks.pack();
  const std::int64_t before = sum(counts, rank_of(comm));
  const int error = run(call, {call.in_place ? element(blocks.data(), before, type) : sent, blocks.data(), type}, comm);
  blocks.unpack();
  return error;
}

int PMPI_Alltoall(const void* sent, int sent_count, MPI_Datatype sent_type, void* received, int count,
                  MPI_Datatype type, MPI_Comm comm) {
  if (!is_ours(comm, count, type)) {
    return STRATA_BEHIND(Alltoall)(sent, sent_count, sent_type, received, count, type, comm);
  }
  Collective call = call_of(Operation::kAlltoall, comm, count, type);
  call.in_place = sent == MPI_IN_PLACE;
  return run(call, {call.in_place ? received : sent, received, type}, comm);
}

int PMPI_Alltoallv(const void* sent, const int* sent_counts, const int* sent_places, MPI_Datatype sent_type,
                   void* received, const int* counts, const int* places, MPI_Datatype type, MPI_Comm comm) {
  if (!is_ours(comm, 0, type)) {
    return STRATA_BEHIND(Alltoallv)(sent, sent_counts, sent_places, sent_type, received, counts, places, type, comm);
  }
  const int ranks = size_of(comm);
  const bool in_place = sent == MPI_IN_PLACE;
  const Steps steps = steps_of_alltoallv(in_place ? counts : sent_counts, counts, type, in_place, comm);
  Blocks to(received, counts, places, ranks, type);
  if (in_place) {
    to.pack();
    const int error = run_steps(steps, {to.data(), to.data(), type}, comm);
    to.unpack();
    return error;
  }
  Blocks from(const_cast<void*>(sent), sent_counts, sent_places, ranks, type);
  from.pack();
  const int error = run_steps(steps, {from.data(), to.data(), type}, comm);
  to.unpack();
  return error;
}

}  // extern "C"
