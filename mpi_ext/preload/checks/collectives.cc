// SPDX-License-Identifier: LGPL-2.1-only
// Whether the ranks of a communicator call the same collectives, with arguments that fit together. The n-th collective
// of each rank on a communicator is compared with those of the ranks that have called it before, at once, because the
// call may never return:
//
//   rank 0: MPI_Bcast(x, 4, MPI_INT, 0, comm)     rank 1: MPI_Bcast(x, 4, MPI_INT, 1, comm)    different roots
//   rank 0: MPI_Barrier(comm)                     rank 1: MPI_Bcast(...)                       different functions
//
// Data that meet must have the same type signature. Which data meet follows from the collective: in MPI_Gather, the
// data that each rank sends and the data that the root receives from it.
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "mpi_ext/preload/checks/checks.h"
#include "mpi_ext/preload/checks/signature.h"
#include "mpi_ext/preload/checks/significant.h"
#include "mpi_ext/preload/checks/smpis.h"
#include "sim/simgrid/window.h"

namespace strata::mpix {
namespace {

enum class Flow {
  kNone,        // no data, or not compared
  kBcast,       // all have the same
  kToRoot,      // each rank sends what the root receives from it
  kFromRoot,    // the root sends what each rank receives
  kAllToAll,    // each rank sends what each other receives from it
  kReduction,   // all have the same
  kReductions,  // all have the same list of counts
};

// None: not a collective of all ranks of a communicator, or one whose order is not compared.
std::optional<Flow> flow_of(Function function) {
  switch (function) {
    case kMPI_Barrier:
    case kMPI_Ibarrier:
    case kMPI_Comm_dup:
    case kMPI_Comm_dup_with_info:
    case kMPI_Comm_idup:
    case kMPI_Comm_create:
    case kMPI_Comm_split:
    case kMPI_Comm_split_type:
    case kMPI_Cart_create:
    case kMPI_Cart_sub:
    case kMPI_Win_create:
    case kMPI_Win_allocate:
    case kMPI_Win_allocate_shared:
    case kMPI_Win_create_dynamic:
    case kMPI_Win_fence:
    case kMPI_Win_free:
    case kMPI_Neighbor_allgather:
    case kMPI_Neighbor_allgatherv:
    case kMPI_Neighbor_alltoall:
    case kMPI_Neighbor_alltoallv:
    case kMPI_Neighbor_alltoallw:
      return Flow::kNone;
    case kMPI_Bcast:
    case kMPI_Ibcast:
      return Flow::kBcast;
    case kMPI_Gather:
    case kMPI_Gatherv:
    case kMPI_Igather:
    case kMPI_Igatherv:
      return Flow::kToRoot;
    case kMPI_Scatter:
    case kMPI_Scatterv:
    case kMPI_Iscatter:
    case kMPI_Iscatterv:
      return Flow::kFromRoot;
    case kMPI_Allgather:
    case kMPI_Allgatherv:
    case kMPI_Alltoall:
    case kMPI_Alltoallv:
    case kMPI_Alltoallw:
    case kMPI_Iallgather:
    case kMPI_Iallgatherv:
    case kMPI_Ialltoall:
    case kMPI_Ialltoallv:
    case kMPI_Ialltoallw:
      return Flow::kAllToAll;
    case kMPI_Reduce:
    case kMPI_Allreduce:
    case kMPI_Scan:
    case kMPI_Exscan:
    case kMPI_Reduce_scatter_block:
    case kMPI_Ireduce:
    case kMPI_Iallreduce:
    case kMPI_Iscan:
    case kMPI_Iexscan:
    case kMPI_Ireduce_scatter_block:
      return Flow::kReduction;
    case kMPI_Reduce_scatter:
    case kMPI_Ireduce_scatter:
      return Flow::kReductions;
    default:
      return {};
  }
}

// Data for each rank of the communicator.
class Shares {
 public:
  Shares() = default;
  explicit Shares(std::vector<Data> data) : data_(std::move(data)) {}
  bool known() const { return !data_.empty(); }
  /// If all are equal, there is one.
  const Data& of(int rank) const { return data_.size() == 1 ? data_[0] : data_[rank]; }
  std::size_t number() const { return data_.size(); }

 private:
  std::vector<Data> data_;
};

// How a rank takes part: all that others are compared with.
struct Part {
  PastCall call;
  Function function = kFunctions;
  Flow flow = Flow::kNone;
  int rank = 0;  // in the communicator
  std::optional<int> root = {};
  MPI_Op op = MPI_OP_NULL;
  Shares sends = {}, receives = {};  // to each rank, from each rank; not known: nothing, or MPI_IN_PLACE
};

Shares shares(const Call& call, int ranks, Role count, Role counts, Role type, Role types) {
  const auto usable = [](MPI_Datatype t) { return t != nullptr && t != MPI_DATATYPE_NULL; };
  if (call.has(counts) && call.numbers(counts) != nullptr) {
    std::vector<Data> all;
    for (int r = 0; r < ranks; ++r) {
      MPI_Datatype const t = call.has(types) ? call.pointer<const MPI_Datatype*>(types)[r] : call.type(type);
      if (!usable(t)) return {};
      all.push_back(data_of(call.numbers(counts)[r], t));
    }
    return Shares(std::move(all));
  }
  if (!call.has(count) || !usable(call.type(type))) return {};
  return Shares({data_of(call.number(count), call.type(type))});
}

Part part_of(const Call& call, Flow flow, const CommInfo& comm) {
  Part part{.call = past(call), .function = call.function(), .flow = flow, .rank = comm.rank};
  if (call.has(Role::kRoot)) part.root = call.number(Role::kRoot);
  part.op = call.op();
  if (flow == Flow::kNone) return part;
  const bool whole = flow == Flow::kBcast || flow == Flow::kReduction || flow == Flow::kReductions;
  if (whole) {
    const Role count = call.has(Role::kCount) ? Role::kCount : Role::kRecvCount;
    part.sends = shares(call, comm.size, count, Role::kRecvCounts, Role::kType, Role::kNone);
    return part;
  }
  if (significant(call, Role::kSendBuffer)) {
    part.sends = shares(call, comm.size, Role::kSendCount, Role::kSendCounts, Role::kSendType, Role::kSendTypes);
  }
  if (significant(call, Role::kRecvBuffer)) {
    part.receives = shares(call, comm.size, Role::kRecvCount, Role::kRecvCounts, Role::kRecvType, Role::kRecvTypes);
  }
  return part;
}

struct Mismatch {
  const char* check;
  std::string mine, others;
  const char* rule;
  const char* source;
};

std::string name_of(MPI_Op op) {
  constexpr auto kNames = [] {
    return std::vector<std::pair<MPI_Op, const char*>>{
        {MPI_MAX, "MPI_MAX"},   {MPI_MIN, "MPI_MIN"},   {MPI_MAXLOC, "MPI_MAXLOC"}, {MPI_MINLOC, "MPI_MINLOC"},
        {MPI_SUM, "MPI_SUM"},   {MPI_PROD, "MPI_PROD"}, {MPI_LAND, "MPI_LAND"},     {MPI_LOR, "MPI_LOR"},
        {MPI_LXOR, "MPI_LXOR"}, {MPI_BAND, "MPI_BAND"}, {MPI_BOR, "MPI_BOR"},       {MPI_BXOR, "MPI_BXOR"}};
  };
  for (const auto& [known, name] : kNames()) {
    if (known == op) return name;
  }
  return "an operation of the program";
}

bool is_program_op(MPI_Op op) { return name_of(op)[0] == 'a'; }

constexpr const char* kSignatures = "MPI 4.1, Section 6.1";

// The data that a rank sends, and those that another receives from it.
std::optional<Mismatch> compare(const Data& sent, const Data& received, bool mine_is_sent, bool reduction) {
  bool too_long = false;
  const std::optional<std::string> wrong = disagreement(sent, received, true, too_long);
  if (!wrong) return {};
  const std::string sends = "it sends " + text_of(sent), receives = "it receives " + text_of(received);
  if (reduction) {
    const Data& mine = mine_is_sent ? sent : received;
    const Data& other = mine_is_sent ? received : sent;
    return Mismatch{"data", "its data are " + text_of(mine), "its data are " + text_of(other),
                    "all ranks give the same number of elements of the same type", kSignatures};
  }
  return Mismatch{"data", mine_is_sent ? sends : receives, mine_is_sent ? receives : sends,
                  "what a rank sends has the type signature of what its receiver expects", kSignatures};
}

// Between two ranks, in both directions.
std::optional<Mismatch> compare_data(const Part& mine, const Part& other) {
  const auto to = [](const Part& a, const Part& b, bool mine_is_sent) -> std::optional<Mismatch> {
    if (!a.sends.known() || !b.receives.known()) return {};
    return compare(a.sends.of(b.rank), b.receives.of(a.rank), mine_is_sent, false);
  };
  switch (mine.flow) {
    case Flow::kNone:
      return {};
    case Flow::kBcast:
    case Flow::kReduction:
      if (!mine.sends.known() || !other.sends.known()) return {};
      return compare(mine.sends.of(0), other.sends.of(0), true, true);
    case Flow::kReductions:
      if (!mine.sends.known() || mine.sends.number() != other.sends.number()) return {};
      for (std::size_t r = 0; r < mine.sends.number(); ++r) {
        if (auto wrong = compare(mine.sends.of(static_cast<int>(r)), other.sends.of(static_cast<int>(r)), true, true))
          return wrong;
      }
      return {};
    case Flow::kToRoot:
      if (other.rank == *mine.root) return to(mine, other, true);
      return mine.rank == *mine.root ? to(other, mine, false) : std::nullopt;
    case Flow::kFromRoot:
      if (other.rank == *mine.root) return to(other, mine, false);
      return mine.rank == *mine.root ? to(mine, other, true) : std::nullopt;
    case Flow::kAllToAll:
      if (auto wrong = to(mine, other, true)) return wrong;
      return to(other, mine, false);
  }
  return {};
}

std::optional<Mismatch> compare(const Part& mine, const Part& other) {
  if (mine.function != other.function) {
    return Mismatch{"collective", "", "", "all ranks of a communicator call the same collectives in the same order",
                    "MPI 4.1, Section 6.14"};
  }
  if (mine.root != other.root) {
    return Mismatch{"root", "its root is " + std::to_string(*mine.root), "its root is " + std::to_string(*other.root),
                    "all ranks give the same root", kSignatures};
  }
  if (mine.op != other.op && !(is_program_op(mine.op) && is_program_op(other.op))) {
    return Mismatch{"operation", "its operation is " + name_of(mine.op), "its operation is " + name_of(other.op),
                    "all ranks give the same operation", "MPI 4.1, Section 6.9.1"};
  }
  return compare_data(mine, other);
}

struct Collective {
  std::vector<Part> parts;
  bool said = false;  // one finding for each collective
};

struct Sequence {
  std::map<int, long> called;             // by rank, how many collectives it has called
  std::map<long, Collective> unfinished;  // by number
};

// A communicator or a window, the same for all its ranks: id, first rank, size, the address of the first rank's window.
using Where = std::tuple<int, long, int, const void*>;

std::map<Where, Sequence>& sequences() {
  static auto& all = *new std::map<Where, Sequence>;
  return all;
}

void compare_with_others(const Part& part, const Where& where, int ranks) {
  Sequence& sequence = sequences()[where];
  const long number = sequence.called[part.rank]++;
  Collective& collective = sequence.unfinished[number];
  for (const Part& other : collective.parts) {
    if (collective.said) break;
    const std::optional<Mismatch> wrong = compare(part, other);
    if (!wrong) continue;
    collective.said = true;
    report({.kind = "matching",
            .check = wrong->check,
            .call = part.call,
            .text = wrong->mine,
            .others = {{other.call, wrong->others}},
            .rule = wrong->rule,
            .source = wrong->source});
  }
  collective.parts.push_back(part);
  if (static_cast<int>(collective.parts.size()) == ranks) sequence.unfinished.erase(number);
}

}  // namespace

void check_collective(const Call& call) {
  const std::optional<Flow> flow = flow_of(call.function());
  if (!flow) return;
  MPI_Comm comm = call.comm();
  const void* window = nullptr;
  if (call.function() == kMPI_Win_free || call.function() == kMPI_Win_fence) {
    MPI_Win const win = call.function() == kMPI_Win_free ? *call.handle<const MPI_Win*>(0) : call.win();
    if (win == MPI_WIN_NULL) return;
    comm = win->comm();
    window = win->of(0);
  }
  const CommInfo& info = comm_info(comm);
  if (info.inter || info.size < 2) return;
  const Where where{info.id, (*info.members)[0], info.size, window};
  compare_with_others(part_of(call, *flow, info), where, info.size);
}

}  // namespace strata::mpix
