// SPDX-License-Identifier: LGPL-2.1-only
#include "command/traced.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/error.h"

namespace strata::command {

std::vector<Binding> place_trace(const MachineOptions& options, const std::string& file, const Machine& machine,
                                 const Trace& trace) {
  const auto ranks = static_cast<int>(trace.cores.size());
  if (options.np != 0 && options.np != ranks)
    throw InputError("-n", fmt::format("the trace has {} ranks, not {}", ranks, options.np), "leave -n out");
  if (machine.name == trace.machine && !options.has_placement()) {
    const Topology& t = *machine.topology;
    std::vector<Binding> recorded;
    for (const int core : trace.cores) {
      if (static_cast<size_t>(core) >= t.cores().size())
        throw InputError(file,
                         fmt::format("was recorded on core {}, and {} has {}", core, machine.name, t.cores().size()),
                         "give the machine with --machine");
      const int vertex = t.cores()[core];
      recorded.push_back({t.node(vertex), t.object(vertex)->cpuset, vertex});
    }
    return recorded;
  }
  MachineOptions with = options;
  with.np = ranks;
  return with.place_on(machine);
}

std::vector<std::string> doubtful(const Trace& trace) {
  std::vector<std::string> names;
  for (size_t f = 0; f < trace.functions.size(); ++f) {
    if (trace.doubts[f] > 0) names.push_back(trace.functions[f]);
  }
  return names;
}

void tell_doubts(const std::vector<std::string>& doubts) {
  if (doubts.empty()) return;
  std::fprintf(stderr, "strata: the recorded answers are kept of what another machine may answer otherwise: %s\n",
               fmt::format("{}", fmt::join(doubts, ", ")).c_str());
}

}  // namespace strata::command
