// SPDX-License-Identifier: LGPL-2.1-only
// strata probe: creates a folder with a small MPI program, a plan and a job script that measure a cluster for strata
// calibrate.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/output_error.h"
#include "base/whole_file.h"
#include "calibration/probe/probe_plan.h"
#include "command/command.h"
#include "platforms/topology.h"

namespace strata::command {
namespace {

namespace fs = std::filesystem;

// B for an array: smaller than a page does not measure memory; larger than a node's memory is impossible
constexpr long kLeastArray = 4096, kMostArray = 1L << 40;

struct Options {
  std::string node, out;
  calibration::ProbeSettings settings;
};

// Describes the plan. Amounts are rough, since the machine's figures are not known yet.
void print_plan(const NodeTree& node, const calibration::ProbeSettings& s) {
  const int per_node = calibration::ranks_per_node(node, s);
  std::vector<std::string> levels = calibration::levels_of_node(node);
  if (s.nodes > 1) levels.insert(levels.begin(), std::string(kClusterName));
  std::printf("nodes    %d, %d ranks each, one a core\n", s.nodes, per_node);
  std::printf("levels   %s\n", fmt::format("{}", fmt::join(levels, ", ")).c_str());
  std::printf(
      "at each  ping-pongs of 0 B to %ld B, overheads, messages of 1 to all pairs of cores one way and both ways\n",
      s.most_bytes);
  if (s.array_bytes > 0)
    std::printf("memory   copies and triads by 1 to all cores of a NUMA node, three arrays of %ld B a rank\n",
                s.array_bytes);
  std::printf("checks   a broadcast, an allgather and a ring on all ranks, which calibrate does not use\n");
  std::printf("samples  %d of each measurement, in a random order; some minutes\n", s.samples);
}

int probe(const Options& o) {
  const Machine machine = machine_from_xml(o.node, o.settings.nodes);
  const NodeTree* node = &machine.topology->node_tree(0);
  const int cores = static_cast<int>(node->cores().size());
  if (o.settings.ranks_per_node > cores)
    throw InputError("--ranks-per-node", fmt::format("{} ranks on {} cores", o.settings.ranks_per_node, cores),
                     "give at most one rank a core");
  if (o.settings.array_bytes != 0 && (o.settings.array_bytes < kLeastArray || o.settings.array_bytes > kMostArray))
    throw InputError("--array", fmt::format("{} B", o.settings.array_bytes),
                     fmt::format("give 0, or {} to {}", kLeastArray, kMostArray));
  const fs::path folder = o.out;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw OutputError(folder.string(), "cannot be made: " + error.message(), "give --out another folder");
  write_whole(folder / "plan.txt", calibration::probe_plan(*node, o.settings));
  write_whole(folder / "probe.c", calibration::probe_program());
  write_whole(folder / "job.sh", calibration::job_script(*node, o.settings));
  write_whole(folder / "places.txt", calibration::probe_places(*node, o.settings));
  copy_whole(o.node, folder / "node.xml");
  print_plan(*node, o.settings);
  std::fprintf(stderr,
               "wrote %s/probe.c, plan.txt, job.sh, places.txt and node.xml: copy the folder to the cluster and run "
               "there `sbatch "
               "job.sh`, or `sh job.sh` in an allocation; then\n"
               "  strata calibrate --node %s/node.xml --nodes %d --probe samples.csv --out my-machine\n",
               o.out.c_str(), o.out.c_str(), o.settings.nodes);
  return 0;
}

}  // namespace

void add_probe(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub = app.add_subcommand("probe", "Write a job that measures your cluster for strata calibrate");
  sub->add_option("--node", o->node, "hwloc XML of a node, from `lstopo node.xml` on it")->required();
  sub->add_option("--nodes", o->settings.nodes, "nodes that the job runs on (default 2)")
      ->check(cli::Range(1, kMaxNodes));
  sub->add_option("--ranks-per-node", o->settings.ranks_per_node, "default: one for each core")
      ->check(cli::PositiveNumber);
  sub->add_option("--samples", o->settings.samples, "samples of each measurement (default 10)")
      ->check(cli::Range(1, 10000));
  sub->add_option("--most", o->settings.most_bytes, "B of the longest ping-pong (default 16777216)")
      ->check(cli::Range(1024L, 1L << 30));
  sub->add_option("--array", o->settings.array_bytes,
                  "B of each of the three arrays of copies and triads, several times a node's caches (default "
                  "268435456); 0: leave memory out");
  sub->add_option("--out", o->out, "folder to write")->required()->writes(cli::Written::kFolder);
  sub->footer(
      "Examples:\n  strata probe --node node.xml --nodes 2 --out probe\n"
      "  strata probe --node node.xml --nodes 1 --samples 3 --most 1048576 --array 0 --out quick\n"
      "  cd probe && MPIRUN=\"mpirun -n 16 --bind-to core\" sh job.sh");
  sub->callback([o, &action] { action = [o] { return probe(*o); }; });
}

}  // namespace strata::command
