// SPDX-License-Identifier: LGPL-2.1-only
// The platform plugin for smpirun (`-platform libstrata_platform.so`): builds the machine that STRATA_MACHINE names,
// charges the overhead of sends, and says on stderr, in lines that begin with @strata, what the launcher must know of a
// failure.
#include <signal.h>
#include <smpi/smpi.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <simgrid/s4u.hpp>

#include "platforms/machine.h"
#include "records/exchange/words.h"
#include "sim/plugin/machine_zone.h"
#include "sim/plugin/recorder.h"
#include "sim/plugin/traffic_recorder.h"

namespace {

// SMPI gives its ranks the actor ids 1 to n.
long current_rank() { return simgrid::s4u::this_actor::get_pid() - 1; }

void report_crash(int signal_number) {
  std::array<char, 96> text{};
  const int n = std::snprintf(text.data(), text.size(), "\n%s rank %ld signal %d\n", strata::words::kCrash,
                              current_rank(), signal_number);
  if (::write(STDERR_FILENO, text.data(), static_cast<size_t>(n)) < 0) std::_Exit(128 + signal_number);
  ::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
}

void watch_for_failures() {
  struct sigaction action {};
  action.sa_handler = report_crash;
  // SimGrid has set up an alternate stack: a rank whose stack has overflowed has no other.
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::sigaction(number, &action, nullptr);
  simgrid::s4u::Engine::on_deadlock_cb([] {
    std::fprintf(stderr, "\n%s\n", strata::words::kDeadlock);
    std::fflush(stderr);
  });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void load_platform(const simgrid::s4u::Engine& engine) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // whoever kills smpirun kills the simulation
  const char* file = std::getenv(strata::words::kMachine);
  try {
    // Both live as long as the simulation, which ends with the process.
    const auto* machine =
        new strata::Machine(strata::load_machine(file == nullptr ? "" : file, strata::NodeImport::kDirect));
    const auto* zone = new strata::sim::MachineZone(*machine);
    const auto overhead = [zone](size_t, simgrid::s4u::Host* src, simgrid::s4u::Host* dst) {
      return zone->send_overhead(src, dst);
    };
    smpi_register_op_cost_callback(SmpiOperation::SEND, overhead);
    smpi_register_op_cost_callback(SmpiOperation::ISEND, overhead);
    strata::sim::record_timeline(*machine, engine);
    strata::sim::record_traffic(*machine, *zone);
    watch_for_failures();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s %s\n", strata::words::kPlatform, e.what());
    std::exit(2);
  }
}
