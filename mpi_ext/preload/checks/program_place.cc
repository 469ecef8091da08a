// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/checks/program_place.h"

#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "records/exchange/exchanged_words.h"

namespace strata::mpix {
namespace {

enum class Owner { kProgram, kSmpi, kOurs };

struct Range {
  std::uintptr_t begin, end;
  Owner owner;
};

bool begins_with(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

// The machine code of SMPI and of the libraries that are preloaded with this one, which all are loaded before the first
// rank begins.
std::vector<Range> find_ranges() {
  std::vector<Range> ranges;
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* to) {
        const std::string_view path = object->dlpi_name;
        const std::string_view name = path.substr(path.rfind('/') + 1);
        const bool smpi = begins_with(name, "libsimgrid.");
        const bool ours = begins_with(name, "libmpix_") || begins_with(name, "libstrata_");
        if (!smpi && !ours) return 0;
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& segment = object->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
          const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
          static_cast<std::vector<Range>*>(to)->push_back(
              {begin, begin + segment.p_memsz, smpi ? Owner::kSmpi : Owner::kOurs});
        }
        return 0;
      },
      &ranges);
  return ranges;
}

Owner owner_of(std::uintptr_t address) {
  static const std::vector<Range> ranges = find_ranges();
  const auto found =
      std::find_if(ranges.begin(), ranges.end(), [&](const Range& r) { return r.begin <= address && address < r.end; });
  return found == ranges.end() ? Owner::kProgram : found->owner;
}

// The functions on the stack: those of this library that were called last, SMPI's, and the first other one.
struct Walk {
  bool left_ours = false;
  Owner caller = Owner::kProgram;  // of SMPI's functions
  bool has_caller = false;
  int of_smpi = 0;  // functions of SMPI before it
  std::uintptr_t place = 0;
  std::uintptr_t stack = 0;  // the program's stack pointer there
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* to) {
  Walk& walk = *static_cast<Walk*>(to);
  const std::uintptr_t address = _Unwind_GetIP(context);
  if (address == 0) return _URC_END_OF_STACK;
  const Owner owner = owner_of(address - 1);
  if (!walk.left_ours && owner == Owner::kOurs) return _URC_NO_REASON;
  walk.left_ours = true;
  if (owner == Owner::kSmpi) {
    ++walk.of_smpi;
    return _URC_NO_REASON;
  }
  if (!walk.has_caller) {
    walk.has_caller = true;
    walk.caller = owner;
  }
  if (owner == Owner::kOurs) return _URC_NO_REASON;
  walk.place = address;
  walk.stack = _Unwind_GetCFA(context);
  return _URC_END_OF_STACK;
}

// The address to which a function returns is just below the stack pointer that its caller has then.
#ifdef __x86_64__
constexpr bool kReturnsBelow = true;
#else
constexpr bool kReturnsBelow = false;
#endif

// A place in SMPI where one of MPI's functions is called.
struct CallSite {
  bool internal = false;        // the program cannot be behind it
  std::uintptr_t distance = 0;  // from our frame to the address to which SMPI's MPI_Send returns, which is constant
};

// Not in a function such as MPI_Send, which the program calls, but in PMPI_Bcast or an algorithm.
bool is_internal(const void* returns_to) {
  const auto address = reinterpret_cast<std::uintptr_t>(returns_to) - 1;
  if (owner_of(address) == Owner::kOurs) return true;
  if (owner_of(address) == Owner::kProgram) return false;
  Dl_info object{};
  const auto* const place = static_cast<const char*>(returns_to) - 1;
  return ::dladdr(place, &object) == 0 || object.dli_sname == nullptr || !begins_with(object.dli_sname, "MPI_");
}

}  // namespace

Caller caller_of_mpi(const void* returns_to, const void* frame) {
  // Unwinding takes longer than all checks together, so what is known about each place in SMPI is kept.
  static auto& call_sites = *new std::unordered_map<const void*, CallSite>;
  const auto [known, is_new] = call_sites.try_emplace(returns_to);
  CallSite& site = known->second;
  if (is_new) site.internal = is_internal(returns_to);
  if (site.internal) return {};
  const auto base = reinterpret_cast<std::uintptr_t>(frame);
  if (site.distance != 0) {
    const std::uintptr_t place =
        *reinterpret_cast<const std::uintptr_t*>(base + site.distance);  // NOLINT: of the stack
    // SMPI's Fortran interface calls MPI_Send, too.
    if (owner_of(place - 1) == Owner::kProgram) return {true, reinterpret_cast<Place>(place)};  // NOLINT: of code
  }
  Walk walk;
  ::_Unwind_Backtrace(step, &walk);
  const bool is_program = walk.caller == Owner::kProgram && walk.place != 0;
  if (kReturnsBelow && is_program && walk.of_smpi == 1) site.distance = walk.stack - sizeof(void*) - base;
  return {is_program, reinterpret_cast<Place>(walk.place)};  // NOLINT(performance-no-int-to-ptr): an address of code
}

CodePlace code_place(Place place) {
  Dl_info object{};
  if (place == nullptr || ::dladdr(place, &object) == 0 || object.dli_fname == nullptr) return {};
  const bool copy = std::strncmp(object.dli_fname, words::kPrivateCopies, std::strlen(words::kPrivateCopies)) == 0;
  return {copy ? "" : object.dli_fname,
          reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(object.dli_fbase)};
}

}  // namespace strata::mpix
