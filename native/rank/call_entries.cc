// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/call_entries.h"

#include <dlfcn.h>

#include <cctype>
#include <cstring>
#include <string>

#include "native/rank/called_collectives.h"
#include "native/rank/forked.h"
#include "native/rank/life.h"
#include "native/rank/process.h"
#include "native/rank/turns.h"

namespace strata::native {
namespace {

// This thread's. Only the outermost call returns through here.
thread_local int depth = 0;
thread_local int outermost = -1;
thread_local long calls = 0;
thread_local void* return_address = nullptr;

// The library's function: "MPI_Send", "mpi_send_", "mpi_send_f08_" or "mpi_send_f08ts_".
std::string symbol(int entry) {
  const int functions = num_functions();
  std::string name(function_name(entry % functions));
  if (entry < functions) return name;
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr const char* kEnds[] = {"", "_", "_f08_", "_f08ts_"};
  return name + kEnds[entry / functions];
}

void* find(int entry) {
  const std::string name = symbol(entry);
  void* function = ::dlsym(RTLD_NEXT, name.c_str());
  // A library that was loaded later, as Python's modules are, is not in the search order.
  for (const char* const library : {"libmpi.so.40", "libmpich.so.12", "libmpi_mpifh.so.40", "libmpichfort.so.12"}) {
    if (function != nullptr) break;
    void* const loaded = ::dlopen(library, RTLD_NOLOAD | RTLD_LAZY);
    if (loaded != nullptr) function = ::dlsym(loaded, name.c_str());
  }
  if (function == nullptr) fail("calls %s, which its MPI library does not have", name.c_str());
  return function;
}

void report(Kind kind, int function) {
  const Lock lock;
  // The rank's records have one function at a time.
  if (is_virtual() && is_first_thread()) post({.kind = kind, .function = function});
}

}  // namespace

int current_function() { return outermost; }
long calls_so_far() { return calls; }

}  // namespace strata::native

using namespace strata::native;

// Called by the entries. `entry`: its number in call_entries.S.

/// The address of the library's function. `*returns` is where the caller continues; null in a nested call, which
/// returns directly.
extern "C" void* strata_enter_call(long entry, std::uint64_t* arguments, void** returns) {
  static void* found[4 * 1024];
  const int function = static_cast<int>(entry) % num_functions();
  void*& target = found[entry];
  if (target == nullptr) target = find(static_cast<int>(entry));
  if (depth == 0) refuse_forked(function);
  if (depth++ > 0 || !attached()) {
    --depth;
    return target;
  }
  outermost = function;
  ++calls;
  return_address = *returns;
  extern void* const strata_return_of_call;
  *returns = const_cast<void*>(reinterpret_cast<const void*>(strata_return_of_call));
  take_turn();
  begin_call(function, arguments);
  if (is_virtual()) {
    Call call = {.function = function, .is_fortran = entry >= num_functions()};
    std::memcpy(call.arguments, arguments, sizeof call.arguments);
    set_call(call);
  }
  if (is_recorded()) {
    note_collective(function, entry >= num_functions(), arguments, reinterpret_cast<std::uint64_t*>(returns) + 1);
  }
  report(Kind::kEnter, function);
  return target;
}

/// Where the program continues.
extern "C" void* strata_leave_call() {
  const int function = outermost;
  take_turn();
  end_call(function);
  report(Kind::kLeave, function);
  if (is_virtual()) set_call({});
  outermost = -1;
  --depth;
  return return_address;
}
