// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/called_collectives.h"

#include <dlfcn.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "native/board/function_names.h"
#include "native/rank/process.h"
#include "native/rank/turns.h"
#include "native/rank/ucp_progress.h"
#include "native/rank/worker.h"

namespace strata::native {
namespace {

// NOLINTBEGIN(performance-no-int-to-ptr): arguments, as in registers

// The places of a collective's arguments, from 0 on; -1: it has none.
struct Places {
  std::string_view name;
  int comm;
  int count = -1, type = -1;  // of a rank's block
  int root = -1;
  int count_at_root = -1, type_at_root = -1;  // instead, on the root: there the other buffer may be MPI_IN_PLACE
  bool are_counts = false;                    // `count` is a list, one for each rank
};

// MPI 4.1, sections 6.3 to 6.11. Those without a count have none that a file of rules compares.
constexpr Places kPlaces[] = {
    {"Barrier", 0},
    {"Bcast", 4, 1, 2},
    {"Gather", 7, 1, 2, 6, 4, 5},
    {"Scatter", 7, 4, 5, 6, 1, 2},
    {"Allgather", 6, 4, 5},
    {"Allgatherv", 7, 4, 6, -1, -1, -1, true},
    {"Alltoall", 6, 4, 5},
    {"Alltoallv", 8, 5, 7, -1, -1, -1, true},
    {"Reduce", 6, 2, 3},
    {"Allreduce", 5, 2, 3},
    {"Scan", 5, 2, 3},
    {"Exscan", 5, 2, 3},
    {"Reduce_scatter", 5, 2, 3, -1, -1, -1, true},
    {"Reduce_scatter_block", 5, 2, 3},
    {"Gatherv", 8},
    {"Scatterv", 8},
    {"Alltoallw", 8},
};

struct Collective {
  const Places* places = nullptr;
  int function = -1;  // that with counts of type int, which has the same rules
  bool is_nonblocking = false, has_large_counts = false;
};

// Of "MPI_Ibcast_c".
Collective collective_of(std::string_view function) {
  Collective c;
  constexpr std::string_view kPrefix = "MPI_";
  if (!function.starts_with(kPrefix)) return c;
  function.remove_prefix(kPrefix.size());
  c.has_large_counts = function.ends_with("_c");
  if (c.has_large_counts) function.remove_suffix(2);
  std::string name(function);
  c.function = function_number("MPI_" + name);
  if (name.size() > 1 && name[0] == 'I' && name[1] >= 'a') {
    c.is_nonblocking = true;
    name = name.substr(1);
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
  }
  for (const Places& p : kPlaces) {
    if (p.name == name) c.places = &p;
  }
  return c;
}

const Collective& known_collective(int function) {
  static const auto& all = *[] {
    auto* const made = new std::vector<Collective>;
    for (int f = 0; f < num_functions(); ++f) made->push_back(collective_of(function_name(f)));
    return made;
  }();
  return all[function];
}

using Handle = std::uint64_t;  // Open MPI: an address. MPICH: an integer

// The library's function, with handles and other arguments as in registers. 0: MPI_SUCCESS.
template <class... Arguments>
int call(const char* name, Arguments... arguments) {
  auto* const function = reinterpret_cast<int (*)(Arguments...)>(::dlsym(RTLD_DEFAULT, name));
  return function == nullptr ? -1 : function(arguments...);
}

constexpr Handle kMpichWorld = 0x44000000;  // MPI_COMM_WORLD in mpi.h of MPICH 4.0 and 4.2

Handle world() {
  static const Handle comm =
      is_mpich() ? kMpichWorld : reinterpret_cast<Handle>(::dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world"));
  return comm;
}

class Arguments {
 public:
  Arguments(bool is_fortran, bool has_large_counts, const std::uint64_t* registers, const std::uint64_t* on_stack)
      : is_fortran_(is_fortran), has_large_counts_(has_large_counts), registers_(registers), on_stack_(on_stack) {}

  int number(int place) const { return static_cast<int>(is_fortran_ ? read<std::int32_t>(at(place), 0) : at(place)); }
  std::int64_t count(int place) const {
    if (is_fortran_) return element(place, 0);
    return has_large_counts_ ? static_cast<std::int64_t>(at(place)) : static_cast<std::int32_t>(at(place));
  }
  // The i-th of a list.
  std::int64_t element(int place, int i) const {
    return has_large_counts_ ? read<std::int64_t>(at(place), i) : read<std::int32_t>(at(place), i);
  }
  // `convert`: Open MPI's function for Fortran's handles.
  Handle handle(int place, const char* convert) const {
    if (is_mpich()) return is_fortran_ ? read<std::uint32_t>(at(place), 0) : static_cast<std::uint32_t>(at(place));
    if (!is_fortran_) return at(place);
    auto* const to_c = reinterpret_cast<void* (*)(int)>(::dlsym(RTLD_DEFAULT, convert));
    return to_c == nullptr ? 0 : reinterpret_cast<Handle>(to_c(number(place)));
  }

 private:
  std::uint64_t at(int place) const { return place < kRegisters ? registers_[place] : on_stack_[place - kRegisters]; }
  template <class Number>
  static Number read(std::uint64_t address, int i) {
    return reinterpret_cast<const Number*>(address)[i];
  }
  static constexpr int kRegisters = 6;  // of the calling convention for x86-64

  bool is_fortran_, has_large_counts_;
  const std::uint64_t* registers_;
  const std::uint64_t* on_stack_;
};

// NOLINTEND(performance-no-int-to-ptr)

// The ranks in MPI_COMM_WORLD of the communicator's ranks; empty if this is not its first, or if it has two groups.
std::vector<int> members_at_first(Handle comm) {
  int inter = 0, rank = -1, size = 0;
  if (call("PMPI_Comm_test_inter", comm, &inter) != 0 || inter != 0) return {};
  if (call("PMPI_Comm_rank", comm, &rank) != 0 || rank != 0 || call("PMPI_Comm_size", comm, &size) != 0) return {};
  Handle group = 0, of_world = 0;
  if (call("PMPI_Comm_group", comm, &group) != 0 || call("PMPI_Comm_group", world(), &of_world) != 0) return {};
  std::vector<int> ranks(size), members(size);
  std::iota(ranks.begin(), ranks.end(), 0);
  const int code =
      call("PMPI_Group_translate_ranks", group, size, static_cast<const int*>(ranks.data()), of_world, members.data());
  call("PMPI_Group_free", &group);
  call("PMPI_Group_free", &of_world);
  for (const int member : members) {
    if (member < 0) return {};  // of another job
  }
  return code == 0 ? members : std::vector<int>();
}

std::int64_t block_bytes(const Collective& c, const Arguments& arguments, int ranks) {
  const Places& p = *c.places;
  if (p.count < 0 || c.is_nonblocking) return 0;
  const bool is_root = p.root >= 0 && arguments.number(p.root) == 0;  // this is rank 0
  const int count_at = is_root && p.count_at_root >= 0 ? p.count_at_root : p.count;
  const Handle type = arguments.handle(is_root && p.type_at_root >= 0 ? p.type_at_root : p.type, "PMPI_Type_f2c");
  int size = 0;
  if (call("PMPI_Type_size", type, &size) != 0 || size < 0) return 0;
  if (!p.are_counts) return std::max<std::int64_t>(arguments.count(count_at), 0) * size;
  std::int64_t sum = 0;
  for (int r = 0; r < ranks; ++r) sum += arguments.element(count_at, r);
  return sum * size / ranks;
}

}  // namespace

void note_collective(int function, bool is_fortran, const std::uint64_t* arguments, const std::uint64_t* on_stack) {
  const Collective& c = known_collective(function);
  if (c.places == nullptr || !is_first_thread()) return;
  const Arguments all(is_fortran, c.has_large_counts, arguments, on_stack);
  const std::vector<int> members = members_at_first(all.handle(c.places->comm, "PMPI_Comm_f2c"));
  if (members.empty()) return;
  const std::int64_t bytes = block_bytes(c, all, static_cast<int>(members.size()));
  const Lock lock;
  post({.kind = Kind::kCollective,
        .function = c.function,
        .tag = members.size(),
        .bytes = static_cast<std::uint64_t>(bytes),
        .data = keep_payload(members.data(), members.size() * sizeof(int))});
}

}  // namespace strata::native
