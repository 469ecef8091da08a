// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/probe/probe_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "platforms/topology.h"

namespace strata::calibration {
namespace {

// The limits of probe.c (kMaxLevels, kMaxPus).
constexpr int kMostLevels = 16, kMostProcessors = 4096;

// Whether two cores can meet at `object`: at least two of its children have cores.
bool is_meeting_point(const NodeTree& node, int object) {
  const auto& objects = node.objects();
  int with_cores = 0;
  for (const int child : node.children(object)) {
    with_cores += std::any_of(node.cores().begin(), node.cores().end(),
                              [&](int core) { return objects[child].cpuset.includes(objects[core].cpuset); });
  }
  return with_cores >= 2;
}

}  // namespace

int ranks_per_node(const NodeTree& node, const ProbeSettings& settings) {
  return settings.ranks_per_node > 0 ? settings.ranks_per_node : static_cast<int>(node.cores().size());
}

std::vector<long> probe_sizes(long most_bytes) {
  std::vector<long> sizes = {0};
  for (long size = 1; size <= most_bytes; size *= 2) sizes.push_back(size);
  return sizes;
}

std::vector<std::string> levels_of_node(const NodeTree& node) {
  std::vector<std::string> levels;
  for (int o = 0; o < static_cast<int>(node.objects().size()); ++o) {
    const std::string& name = node.objects()[o].name;
    if (node.objects()[o].is_core || !is_meeting_point(node, o)) continue;
    if (std::find(levels.begin(), levels.end(), name) == levels.end()) levels.push_back(name);
  }
  return levels;
}

std::string probe_plan(const NodeTree& node, const ProbeSettings& settings) {
  const std::vector<std::string> levels = levels_of_node(node);
  if (levels.empty() && settings.nodes < 2)
    throw InputError("--node", "a node of one core has no two that could exchange messages", "give --nodes 2 or more");
  if (static_cast<int>(levels.size()) + 1 > kMostLevels)
    throw InputError("--node", fmt::format("has {} levels", levels.size()),
                     fmt::format("the probe takes {}", kMostLevels - 1));
  std::string plan = fmt::format("strata-probe 1\nlevel {}\n", kClusterName);
  for (const std::string& level : levels) plan += "level " + level + "\n";
  const auto& objects = node.objects();
  int processors = 0;
  for (size_t core = 0; core < node.cores().size(); ++core) {
    std::vector<int> above(levels.size(), -1);
    for (int o = objects[node.cores()[core]].parent; o >= 0; o = objects[o].parent) {
      const auto level = std::find(levels.begin(), levels.end(), objects[o].name) - levels.begin();
      // If several nested objects have the same name, the innermost one is used.
      if (level < static_cast<long>(levels.size()) && above[level] < 0) above[level] = o;
    }
    const Cpuset& set = objects[node.cores()[core]].cpuset;
    for (int pu = set.first(); pu >= 0; pu = set.next(pu)) {
      plan += fmt::format("pu {} {} {}\n", pu, core, fmt::join(above, " "));
      ++processors;
    }
  }
  if (processors > kMostProcessors)
    throw InputError("--node", fmt::format("has {} processors", processors),
                     fmt::format("the probe takes {}", kMostProcessors));
  plan +=
      fmt::format("sizes {}\nsamples {}\narray_bytes {}\nseed {}\n", fmt::join(probe_sizes(settings.most_bytes), " "),
                  settings.samples, settings.array_bytes, settings.seed);
  return plan;
}

std::vector<RankPlace> simulated_places(const NodeTree& node, const ProbeSettings& settings) {
  std::vector<RankPlace> places;
  for (int n = 0; n < settings.nodes; ++n) {
    for (int core = 0; core < ranks_per_node(node, settings); ++core)
      places.push_back({n, node.objects()[node.cores()[core]].cpuset.first()});
  }
  return places;
}

std::string probe_places(const NodeTree& node, const ProbeSettings& settings) {
  std::string lines;
  int rank = 0;
  for (const RankPlace& p : simulated_places(node, settings))
    lines += fmt::format("{} {} {}\n", rank++, p.node, p.processor);
  return lines;
}

std::string job_script(const NodeTree& node, const ProbeSettings& settings) {
  const int per_node = ranks_per_node(node, settings);
  return fmt::format(R"(#!/bin/sh
#SBATCH --job-name=strata-probe
#SBATCH --nodes={0}
#SBATCH --ntasks-per-node={1}
#SBATCH --exclusive
#SBATCH --time=00:20:00
# Measures this machine for `strata calibrate --probe samples.csv`. Submit it with sbatch, or run it in an allocation:
#   sh job.sh          with MPICC=mpicc, and MPIRUN="mpirun -n {2}" where it is not srun that starts ranks
set -eu
cd "${{SLURM_SUBMIT_DIR:-$(dirname "$0")}}"
"${{MPICC:-mpicc}}" -O2 -std=c99 probe.c -o probe
if [ -n "${{MPIRUN:-}}" ]; then
  $MPIRUN ./probe plan.txt samples.csv
elif [ -n "${{SLURM_JOB_ID:-}}" ]; then
  srun --cpu-bind=cores ./probe plan.txt samples.csv
else
  mpirun -n {2} --bind-to core ./probe plan.txt samples.csv
fi
)",
                     settings.nodes, per_node, settings.nodes * per_node);
}

}  // namespace strata::calibration
