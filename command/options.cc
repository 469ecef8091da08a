// SPDX-License-Identifier: LGPL-2.1-only
#include <algorithm>
#include <cstdio>
#include <thread>

#include "base/error.h"
#include "base/limits.h"
#include "base/whole_file.h"
#include "command/command.h"
#include "platforms/allocation.h"

namespace strata::command {

void MachineOptions::add_machine(cli::App& app) {
  auto* m = app.add_option("--machine", machine, "a machine of the catalog, or the path of a machine.yaml");
  auto* x = app.add_option("--xml", xml, "an hwloc XML file, for a machine with assumed costs")->excludes(m);
  app.add_option("--nodes", nodes, "how many nodes the machine has (default 1)")->needs(x);
}

void MachineOptions::add_placement(cli::App& app) {
  app.add_option("-n,--np", np, "number of ranks (default: one per core)")->check(cli::Range(1, kMostRanks));
  add_policy(app);
}

void MachineOptions::add_policy(cli::App& app) {
  auto* map = app.add_option(
                     "--map-by", [this](const std::string& word) { read_map_by(word, placement); },
                     "deal ranks over the objects of a type: node, numa, package (or socket, as mpirun says), group, "
                     "l3, l2, core "
                     "(default; or slot); or spread: leave the free cores evenly spread; or block-cyclic: fill node "
                     "after node, each over its packages in turn; or random: any cores of the first nodes. "
                     "numa:PE=4 binds each rank to the next 4 cores; it is simulated on the first of them, and its "
                     "threads have all")
                  ->suggests(MapBy::names());
  auto* bind = app.add_option(
                      "--bind-to", [this](const std::string& word) { placement.bind_to = word; },
                      "bind to the object of a type that holds the core: node, numa, package, group, l3, l2, "
                      "core (default), or none")
                   ->suggests(BindTo::names());
  auto* over = app.add_flag("--oversubscribe", placement.oversubscribe, "allow more ranks than cores");
  auto* nodes_of_job = app.add_option("--allocation", allocation,
                                      "the nodes that the job has: first (default); a box of routers of a torus, as "
                                      "2x2x8; or random:SEED, anywhere on the machine")
                           ->suggests({"first"});
  app.add_option("--bindings", bindings, "a file with a line `rank node cpuset` for each rank, instead of a policy")
      ->excludes(map)
      ->excludes(bind)
      ->excludes(over)
      ->excludes(nodes_of_job);
}

bool MachineOptions::has_placement() const {
  const PlacementOptions usual;
  return !bindings.empty() || placement.map_by != usual.map_by || placement.bind_to != usual.bind_to ||
         placement.cores_per_rank != usual.cores_per_rank || placement.oversubscribe || !allocation.empty();
}

Machine MachineOptions::load(const sim::Installation& installation) const {
  if (!xml.empty()) return machine_from_xml(xml, nodes);
  if (machine.empty())
    throw InputError("command line", "no machine given", "give --machine M, or --xml FILE --nodes N");
  return find_machine(machine, installation.machines);
}

std::vector<Binding> MachineOptions::place_on(const Machine& m) const {
  if (!bindings.empty()) return read_bindings(bindings, *m.topology, np);
  return place_job(m, allocation, np, placement, "--allocation");
}

void write_and_tell(const std::string& file, const std::string& text) {
  write_whole(file, text);
  std::fprintf(stderr, "wrote %s\n", file.c_str());
}

int default_jobs() { return std::max(1u, std::thread::hardware_concurrency()); }

cli::App* MergeOptions::add(cli::App& app, cli::Written written) {
  cli::App* sub = app.add_subcommand("merge", "Put the shards of a run or of a check together");
  sub->add_option("DIR", what,
                  "the folders of all shards of strata run, in any order, or the documents of all shards of strata "
                  "check --json")
      ->required();
  sub->add_option("--out", out, "of runs: the results folder to make; of checks: a file for the JSON document")
      ->writes(written);
  sub->add_flag("--json", json, "of checks: print one JSON document");
  sub->footer(
      "Examples:\n"
      "  strata run my.yaml --shard 1/3 --out part1    on one machine; 2/3 and 3/3 on others\n"
      "  strata submit merge part1 part2 part3 --out whole    the same bytes as strata run my.yaml --out whole\n"
      "  strata check hsplit --shard 1/2 --json > 1.json; strata check hsplit --shard 2/2 --json > 2.json\n"
      "  strata submit merge 1.json 2.json                    the verdict of strata check hsplit");
  return sub;
}

}  // namespace strata::command
