// SPDX-License-Identifier: LGPL-2.1-only
// The platform plugin for SMPI (`smpirun -platform libstrata_platform.so`). It builds the machine in the file that
// STRATA_MACHINE names, charges the overhead of sends, and reports failures to the launcher, in lines that begin with
// @strata: on stderr, or in the file that STRATA_REPORT names.
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <smpi/smpi.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <simgrid/s4u.hpp>
#include <string>

#include "platforms/machine.h"
#include "records/exchange/exchanged_words.h"
#include "sim/plugin/launcher_lines.h"
#include "sim/plugin/machine_zone.h"
#include "sim/plugin/recorder.h"
#include "sim/plugin/traffic_recorder.h"

namespace {

// SMPI gives its ranks the actor ids 1 to n.
// -1: the simulator, or a thread that SimGrid does not know.
long current_rank() {
  const simgrid::s4u::Actor* const self = simgrid::s4u::Actor::self();
  return self == nullptr ? -1 : self->get_pid() - 1;
}

// The place in the program at which the current rank is: an offset into the program's file, or 0 if none of its
// functions is on the stack. dladdr and backtrace are not guaranteed to be safe in a signal handler, even though they
// have been called before. This is acceptable because the process ends in any case.
unsigned long place_in_program() {
  std::array<void*, 64> frames{};
  const int depth = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int i = 0; i < depth; ++i) {
    Dl_info object{};
    if (::dladdr(frames[i], &object) == 0) continue;
    if (std::strncmp(object.dli_fname, strata::words::kPrivateCopies, std::strlen(strata::words::kPrivateCopies)) != 0)
      continue;
    return reinterpret_cast<unsigned long>(frames[i]) - reinterpret_cast<unsigned long>(object.dli_fbase);
  }
  return 0;
}

// The MPI function that the program has called; empty if it is in none.
const char* function_of_mpi() {
  std::array<void*, 64> frames{};
  for (int i = ::backtrace(frames.data(), static_cast<int>(frames.size())) - 1; i >= 0; --i) {
    Dl_info object{};
    if (::dladdr(frames[i], &object) == 0 || object.dli_sname == nullptr) continue;
    const char* const name = object.dli_sname + (*object.dli_sname == 'P' ? 1 : 0);
    if (std::strncmp(name, "MPI_", 4) == 0) return name;
  }
  return "";
}

void report_crash(int signal_number) {
  // SimGrid writes why it aborts to its log.
  if (signal_number == SIGABRT) std::fflush(nullptr);
  std::array<char, 192> text{};
  const char* const function = function_of_mpi();
  const int n =
      std::snprintf(text.data(), text.size(), "%s rank %ld signal %d at %#lx%s%s", strata::words::kCrash,
                    current_rank(), signal_number, place_in_program(), *function == '\0' ? "" : " in ", function);
  strata::sim::report({text.data(), std::min(static_cast<size_t>(n), text.size() - 1)});
  ::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
}

void watch_for_failures() {
  place_in_program();  // loads what backtrace needs
  struct sigaction action {};
  action.sa_handler = report_crash;
  // SimGrid has set up an alternate stack, the only one that is left to a rank after a stack overflow.
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::sigaction(number, &action, nullptr);
  simgrid::s4u::Engine::on_deadlock_cb([] { strata::sim::report(strata::words::kDeadlock); });
}

// The simulation may continue after its last rank has ended, because messages may still be in flight.
void report_the_end() {
  static double end = 0;  // s
  simgrid::s4u::Actor::on_termination_cb([](const simgrid::s4u::Actor&) { end = simgrid::s4u::Engine::get_clock(); });
  simgrid::s4u::Engine::on_simulation_end_cb([] {
    std::array<char, 64> text{};
    const int n = std::snprintf(text.data(), text.size(), "%s %.17g", strata::words::kEnd, end);
    strata::sim::report({text.data(), static_cast<size_t>(n)});
  });
}

// Programs that the simulated program starts must not load our libraries.
void restore_preload() {
  const char* users = std::getenv(strata::words::kUsersPreload);
  if (users == nullptr) return;
  if (*users == '\0') {
    ::unsetenv("LD_PRELOAD");
  } else {
    ::setenv("LD_PRELOAD", users, 1);
  }
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void load_platform(const simgrid::s4u::Engine& engine) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // if strata is killed, so is the simulation
  // Without protected pages, stacks are one mapping, of which the kernel would otherwise give a rank 2 MiB at a time.
  if (std::getenv(strata::words::kFewMappings) != nullptr) ::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  if (strata::sim::open_report()) report_the_end();
  restore_preload();
  const char* file = std::getenv(strata::words::kMachine);
  try {
    // Both live until the end of the process, like the simulation.
    const auto* machine =
        new strata::Machine(strata::load_machine(file == nullptr ? "" : file, strata::NodeImport::kDirect));
    const auto* zone = new strata::sim::MachineZone(*machine);
    const auto overhead = [zone](size_t payload_bytes, simgrid::s4u::Host* src, simgrid::s4u::Host* dst) {
      return zone->send_overhead(static_cast<double>(payload_bytes), src, dst);
    };
    smpi_register_op_cost_callback(SmpiOperation::SEND, overhead);
    smpi_register_op_cost_callback(SmpiOperation::ISEND, overhead);
    strata::sim::record_timeline(*machine, engine);
    strata::sim::record_traffic(*machine, *zone);
    watch_for_failures();
  } catch (const std::exception& e) {
    strata::sim::report(std::string(strata::words::kPlatform) + " " + e.what());
    std::exit(2);
  }
}
