// SPDX-License-Identifier: LGPL-2.1-only
// strata replay convert: converts traces.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/error.h"
#include "command/command.h"
#include "command/trace_input.h"
#include "console/number.h"
#include "records/foreign/actions_writer.h"
#include "records/foreign/goal_writer.h"
#include "records/trace/trace_file.h"

namespace strata::command {
namespace {

struct Options {
  MachineOptions machine;
  std::string trace, to, out;
  double timeout_s = 0;
};

int convert(const Options& o) {
  const TraceInput input = read_any_trace(o.trace, o.machine, sim::find_installation(), o.timeout_s);
  const Trace& trace = input.trace;
  if (!trace.not_recorded.empty() && o.to != "mpitrace") {
    throw InputError(
        o.trace, fmt::format("the program calls {}, which a trace does not hold", fmt::join(trace.not_recorded, ", ")),
        "simulate it on each machine: strata exec");
  }
  double alone_s = 0;
  if (o.to == "goal") {
    alone_s = write_goal(trace, input.machine, o.trace, o.out);
  } else if (o.to == "ti") {
    alone_s = write_actions(trace, input.machine, o.trace, o.out);
  } else {
    write_trace(o.out, trace);
  }
  std::fprintf(stderr, "strata: wrote %s\n", o.out.c_str());
  if (alone_s > 0) {
    std::fprintf(
        stderr,
        "strata: note: the ranks copy and compute in memory for %s in all, as if each had the memory to itself: "
        "the format cannot say that cores of %s share it\n",
        console::with_unit(alone_s, "s", 4).c_str(), input.machine.name.c_str());
  }
  return 0;
}

}  // namespace

void add_trace(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub = app.add_subcommand("convert", "Convert a trace: strata's own, GOAL (LogGOPSim, ATLAHS), SMPI's");
  sub->add_option("TRACE", o->trace, kTraceFormats)->required();
  sub->add_option("--to", o->to,
                  "mpitrace (for strata replay), goal (text, for LogGOPSim's txt2bin) or ti (for smpirun -replay)")
      ->check(cli::IsMember({"mpitrace", "goal", "ti"}))
      ->formerly_value("strace", "mpitrace")
      ->required();
  sub->add_option("--out", o->out,
                  "write into this file; ti: the list of files, one for each rank, in the folder FILE_files")
      ->required()
      ->writes(cli::Written::kFile);
  sub->add_option("--limit", o->timeout_s, kTraceTimeout)->check(cli::PositiveNumber)->formerly("--timeout");
  o->machine.add_machine(*sub);
  o->machine.add_placement(*sub);
  sub->footer(
      "The machine says how long computation takes (default: that of the recording), and where SMPI's actions run.\n"
      "Examples:\n  strata replay convert app.mpitrace --to goal --out app.goal\n"
      "  strata replay convert app.mpitrace --to ti --out app.ti && smpirun -replay app.ti ...\n"
      "  strata replay convert smpi_simgrid.txt --machine ntw10e5 --to mpitrace --out app.mpitrace");
  sub->callback([o, &action] { action = [o] { return convert(*o); }; });
}

}  // namespace strata::command
