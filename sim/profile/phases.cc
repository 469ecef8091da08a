// SPDX-License-Identifier: LGPL-2.1-only
// Phases that a program marks, with MPI_Pcontrol or through our own code, for the stream of events.
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <cstdarg>
#include <cstdlib>
#include <string>

#include "records/exchange/report_phase.h"
#include "sim/profile/calling_rank.h"
#include "sim/profile/functions.h"
#include "sim/profile/profiled_run.h"
#include "sim/simgrid/context_layout.h"

namespace strata::sim {
namespace {

// Called where a phase begins or ends, like MPI functions: SMPI charges the computation before it.
RankLedger* between_functions() {
  RankLedger* rank = recording() == nullptr ? nullptr : current();
  if (rank == nullptr || rank->ended()) return nullptr;
  if (recording()->measured && rank->initialized && !rank->finalized && rank->call() < 0) {
    smpi_bench_end();
    smpi_bench_begin();
  }
  return rank;
}

void begin_phase(const std::string& name) {
  if (const RankLedger* rank = between_functions()) recording()->events.begin_phase(rank->number(), name, now());
}

void end_phase(const std::string& name) {
  if (const RankLedger* rank = between_functions()) recording()->events.end_phase(rank->number(), name, now());
}

// The text at this address, if it is a name: 1 to 64 printable ASCII characters. If the program passes no name, the
// address may be anything. So the memory is read by writing it to a pipe, which fails if the address is invalid.
std::string name_at(const char* text) {
  constexpr std::size_t kLongest = 64;
  std::array<int, 2> ends{};
  if (text == nullptr || ::pipe(ends.data()) != 0) return "";
  std::string name;
  bool ended = false;
  while (!ended && name.size() <= kLongest && ::write(ends[1], text + name.size(), 1) == 1) {
    char c = 0;
    if (::read(ends[0], &c, 1) != 1) break;
    ended = c == '\0';
    if (c < ' ' || c > '~') break;
    name += c;
  }
  for (const int end : ends) ::close(end);
  return ended && name.size() <= kLongest ? name : "";
}

// MPI defines only the levels 0, 1 and 2: off, on, flush. In IPM, and in Intel MPI's statistics in IPM's format, (1,
// "name") begins a region of the program and (-1, "name") ends it. In Intel's Application Performance Snapshot, (5)
// begins region 5 and (-5) ends it, and so on for larger numbers.
void control_phase(int level, const char* text) {
  constexpr int kFirstNumber = 5;
  if (recording() == nullptr) return;
  const bool named = level == 1 || level == -1;
  if (!named && level < kFirstNumber && level > -kFirstNumber) return;
  const std::string name = named ? name_at(text) : fmt::format("phase {}", std::abs(static_cast<long>(level)));
  if (name.empty()) return;
  if (level > 0) {
    begin_phase(name);
  } else {
    end_phase(name);
  }
}

}  // namespace
}  // namespace strata::sim

extern "C" {

// Programs call SMPI's MPI_Pcontrol, which passes on only the level. On x86-64 and arm64, the second argument is still
// in the register in which the program put it, because MPI_Pcontrol does not use that register.
int PMPI_Pcontrol(const int level, ...) {
  static const auto next = strata::sim::behind(PMPI_Pcontrol, "PMPI_Pcontrol");
  va_list arguments;
  va_start(arguments, level);
  const char* const name = va_arg(arguments, const char*);
  va_end(arguments);
  strata::sim::control_phase(level, name);
  return next(level, name);
}

// Phases marked by other means, such as monitoring sessions.
void strata_phase_begin(const char* name) { strata::sim::begin_phase(name); }
void strata_phase_end(const char* name) { strata::sim::end_phase(name); }
}
