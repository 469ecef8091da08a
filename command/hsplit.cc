// SPDX-License-Identifier: LGPL-2.1-only
// strata hsplit: the communicator hierarchy of ranks on a machine, computed by the MPI code under SMPI or by its pure
// core.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "analysis/format.h"
#include "command/command.h"
#include "command/print.h"
#include "mpi_ext/hierarchy/split.h"
#include "records/study.h"
#include "sim/launcher/run.h"
#include "sim/launcher/simulation.h"

namespace strata::command {
namespace {

struct Options {
  MachineOptions machine;
  std::string engine = "smpi";
  bool json = false;
  double time_limit_s = 600;
};

// By rank, the levels in the form of the JSON schema.
std::vector<Json> levels_by_core(const Machine& machine, const std::vector<Binding>& ranks) {
  const Topology& t = *machine.topology;
  std::vector<int> vertices;
  for (const Binding& b : ranks) vertices.push_back(t.covering(b.node, b.cpuset));
  const mpix::Hierarchy h = mpix::split_all(t.parents(), vertices);
  std::vector<Json> levels(ranks.size(), Json::array());
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    for (int c : h.levels[rank]) {
      const mpix::Communicator& comm = h.comms[c];
      levels[rank].push_back(
          {{"type", t.name(comm.cover)},
           {"members", comm.members},
           {"num_comms", h.num_comms(comm)},
           {"index", comm.index},
           {"roots", comm.members.front() == static_cast<int>(rank) ? Json(h.roots(comm)) : Json()}});
    }
  }
  return levels;
}

std::vector<Json> levels_by_smpi(const Machine& machine, const std::vector<Binding>& ranks, double time_limit_s) {
  const sim::ScratchFolder scratch;
  const sim::Stage stage =
      sim::prepare_stage(machine, {ranks}, scratch.path(), sim::find_installation(), "hsplit", time_limit_s);
  std::vector<Json> levels(ranks.size());
  sim::run_simulations({stage}, {{.arguments = {}, .output = scratch.path() / "output"}}, 1,
                       [&](size_t, const sim::Outcome& outcome) {
                         if (!outcome.failure.empty()) throw sim::SimulationFailed("hsplit: " + outcome.failure);
                         for (const Json& line : outcome.lines)
                           levels.at(line.at("rank").get<size_t>()) = line.at("levels");
                         return true;
                       });
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    if (levels[rank].is_null()) throw sim::SimulationFailed(fmt::format("hsplit: rank {} reported nothing", rank));
  }
  return levels;
}

// Appends the communicators into which `members` split at this level, in the order of the tree, each followed by its
// own parts. Each is listed once, by its rank 0. Ranks by number would not do: if the mapping alternates between nodes,
// successive ranks are in different parts.
void append_parts(std::string& text, const std::vector<Json>& levels, const Json& members, size_t level) {
  std::vector<const Json*> parts;
  for (const Json& member : members) {
    const Json& of_rank = levels[member.get<size_t>()];
    if (level < of_rank.size() && of_rank[level]["members"][0] == member) parts.push_back(&of_rank[level]);
  }
  std::sort(parts.begin(), parts.end(),
            [](const Json* a, const Json* b) { return (*a)["index"].get<int>() < (*b)["index"].get<int>(); });
  for (const Json* part : parts) {
    text += fmt::format("{:{}}{} {}/{}: ranks {}   roots {}\n", "", 2 * (level + 1), (*part)["type"].get<std::string>(),
                        (*part)["index"].get<int>(), (*part)["num_comms"].get<int>(),
                        analysis::rank_ranges((*part)["members"]), analysis::rank_ranges((*part)["roots"]));
    append_parts(text, levels, (*part)["members"], level + 1);
  }
}

// Depth first, indented by level.
std::string as_text(const std::vector<Json>& levels) {
  Json world = Json::array();
  for (size_t rank = 0; rank < levels.size(); ++rank) world.push_back(rank);
  std::string text = fmt::format("MPI_COMM_WORLD: ranks 0-{}\n", levels.size() - 1);
  append_parts(text, levels, world, 0);
  return text;
}

int hsplit(const Options& o) {
  const Machine machine = o.machine.load(sim::find_installation());
  const std::vector<Binding> ranks = o.machine.place_on(machine);
  const std::vector<Json> levels =
      o.engine == "pure" ? levels_by_core(machine, ranks) : levels_by_smpi(machine, ranks, o.time_limit_s);
  if (!o.json) {
    print(as_text(levels), {{"MPI_COMM_WORLD", console::Style::kHeading}});
    return 0;
  }
  Json document = {{"schema", "strata.hsplit/1"}, {"np", ranks.size()}, {"ranks", Json::array()}};
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    document["ranks"].push_back(
        {{"rank", rank}, {"node", ranks[rank].node}, {"cpuset", ranks[rank].cpuset.list()}, {"levels", levels[rank]}});
  }
  print(document);
  return 0;
}

}  // namespace

void add_hsplit(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub = app.add_subcommand(
      "hsplit", "Show the communicators that ranks on a machine get, one per level of its hierarchy (RR-9077)");
  o->machine.add_machine(*sub);
  o->machine.add_placement(*sub);
  sub->add_option("--engine", o->engine,
                  "smpi: run the MPI code in a simulation (default); pure: only compute the result, without MPI")
      ->check(cli::IsMember({"smpi", "pure"}));
  sub->add_option("--limit", o->time_limit_s, "stop the simulation after this many seconds of wall time (default 600)")
      ->check(cli::PositiveNumber)
      ->formerly("--time-limit");
  sub->add_flag("--json", o->json, "print one JSON document");
  sub->footer(
      "Examples:\n  strata hsplit --machine ntw10e5 --np 48\n"
      "  strata hsplit --machine ntw10e5 --np 20 --map-by node --bind-to numa --json\n"
      "  strata hsplit --xml node.xml --nodes 4 --np 32 --engine pure --json");
  sub->callback([o, &action] { action = [o] { return hsplit(*o); }; });
}

}  // namespace strata::command
