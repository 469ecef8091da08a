// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/checks/program_place.h"

#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
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
  std::uintptr_t place = 0;
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* to) {
  Walk& walk = *static_cast<Walk*>(to);
  const std::uintptr_t address = _Unwind_GetIP(context);
  if (address == 0) return _URC_END_OF_STACK;
  const Owner owner = owner_of(address - 1);
  if (!walk.left_ours && owner == Owner::kOurs) return _URC_NO_REASON;
  walk.left_ours = true;
  if (owner == Owner::kSmpi) return _URC_NO_REASON;
  if (!walk.has_caller) {
    walk.has_caller = true;
    walk.caller = owner;
  }
  if (owner == Owner::kOurs) return _URC_NO_REASON;
  walk.place = address;
  return _URC_END_OF_STACK;
}

}  // namespace

Caller caller_of_mpi(const void* returns_to) {
  if (owner_of(reinterpret_cast<std::uintptr_t>(returns_to) - 1) == Owner::kOurs) return {};
  Walk walk;
  ::_Unwind_Backtrace(step, &walk);
  return {walk.caller == Owner::kProgram && walk.place != 0,
          reinterpret_cast<Place>(walk.place)};  // NOLINT(performance-no-int-to-ptr): an address of code
}

CodePlace code_place(Place place) {
  Dl_info object{};
  if (place == nullptr || ::dladdr(place, &object) == 0 || object.dli_fname == nullptr) return {};
  const bool copy = std::strncmp(object.dli_fname, words::kPrivateCopies, std::strlen(words::kPrivateCopies)) == 0;
  return {copy ? "" : object.dli_fname,
          reinterpret_cast<std::uintptr_t>(place) - reinterpret_cast<std::uintptr_t>(object.dli_fbase)};
}

}  // namespace strata::mpix
