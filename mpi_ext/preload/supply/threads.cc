// SPDX-License-Identifier: LGPL-2.1-only
// Supports programs with threads of which only one calls MPI (MPI 4.0, Section 11.6.2). They request
// MPI_THREAD_FUNNELED and may stop if they get less. SMPI always grants MPI_THREAD_SINGLE, although such threads, for
// example OpenMP's, do not disturb it. Here, at most MPI_THREAD_FUNNELED is granted, because a thread that SimGrid has
// not created cannot call SMPI. Such a thread may call the functions below, and is refused in all others, where SMPI
// would crash.
#include <dlfcn.h>
#include <execinfo.h>
#include <mpi.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <map>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <string>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/refuse.h"

namespace strata::mpix {
namespace {

// The level granted to each rank. SMPI runs one rank at a time.
std::map<aid_t, int>& granted() {
  static std::map<aid_t, int> by_rank;
  return by_rank;
}

const pthread_t g_simulators = ::pthread_self();  // the library is loaded before there are other threads

bool in_programs_thread() {
  return ::pthread_equal(::pthread_self(), g_simulators) == 0 && simgrid::s4u::Actor::self() == nullptr;
}

// The function of MPI that a thread of the program has called, and the rank to which the thread belongs, as far as they
// can be known: SMPI names a rank's copy of the program PROGRAM_PID_RANK.so.
struct Caller {
  std::string function = "MPI";
  std::string rank;
};

Caller caller() {
  Caller result;
  std::array<void*, 64> frames{};
  const int depth = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int i = depth - 1; i >= 0; --i) {  // the outermost first
    Dl_info object{};
    if (::dladdr(frames[i], &object) == 0) continue;
    const std::string file = object.dli_fname == nullptr ? "" : object.dli_fname;
    const std::string symbol = object.dli_sname == nullptr ? "" : object.dli_sname;
    const std::size_t end = file.rfind(".so"), begin = file.rfind('_', end);
    if (begin != std::string::npos && end != std::string::npos && end > begin + 1 &&
        file.find_first_not_of("0123456789", begin + 1) == end)
      result.rank = file.substr(begin + 1, end - begin - 1);
    if (!symbol.starts_with("MPI_") && !symbol.starts_with("PMPI_")) continue;
    result.function = symbol.substr(symbol.find('M'));
    break;
  }
  return result;
}

[[noreturn]] void refuse_thread() {
  const Caller by = caller();
  refuse("a thread" + (by.rank.empty() ? "" : " of rank " + by.rank) + " other than the main one called " +
         by.function + ": the simulator has MPI_THREAD_FUNNELED, in which only the main thread calls MPI");
}

}  // namespace
}  // namespace strata::mpix

using namespace strata::mpix;

// What SMPI knows about the calling rank: nothing in a thread of the program.
simgrid::smpi::ActorExt* smpi_process() {
  static auto* const smpis = behind<decltype(smpi_process)>("_Z12smpi_processv");
  simgrid::smpi::ActorExt* const process = smpis();
  if (process == nullptr && in_programs_thread()) refuse_thread();
  return process;
}

extern "C" {

int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = STRATA_BEHIND(Init_thread)(argc, argv, required, provided);
  if (code != MPI_SUCCESS || provided == nullptr) return code;
  *provided = std::clamp<int>(required, MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED);
  granted()[simgrid::s4u::this_actor::get_pid()] = *provided;
  return code;
}

int PMPI_Query_thread(int* provided) {
  if (provided == nullptr) return MPI_ERR_ARG;
  if (in_programs_thread()) {
    *provided = MPI_THREAD_FUNNELED;
    return MPI_SUCCESS;
  }
  const auto found = granted().find(simgrid::s4u::this_actor::get_pid());
  if (found == granted().end()) return STRATA_BEHIND(Query_thread)(provided);
  *provided = found->second;
  return MPI_SUCCESS;
}

int PMPI_Is_thread_main(int* flag) {
  if (flag == nullptr) return MPI_ERR_ARG;
  if (!in_programs_thread()) return STRATA_BEHIND(Is_thread_main)(flag);
  *flag = 0;
  return MPI_SUCCESS;
}

// SMPI's functions ask this first, and continue without it.
int PMPI_Initialized(int* flag) {
  if (!in_programs_thread() || flag == nullptr) return STRATA_BEHIND(Initialized)(flag);
  if (const Caller by = caller(); by.function != "MPI_Initialized" && by.function != "MPI_Finalized") refuse_thread();
  *flag = 1;
  return MPI_SUCCESS;
}

int PMPI_Finalized(int* flag) {
  if (!in_programs_thread() || flag == nullptr) return STRATA_BEHIND(Finalized)(flag);
  *flag = 0;
  return MPI_SUCCESS;
}

double PMPI_Wtime() { return in_programs_thread() ? simgrid::s4u::Engine::get_clock() : STRATA_BEHIND(Wtime)(); }
}
