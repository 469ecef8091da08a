// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/mpi_ext/mpi_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "platforms/progress_placement.h"
#include "records/exchange/placement_file.h"
#include "sim/launcher/installation.h"
#include "sim/launcher/simulation.h"
#include "sim/launcher/smpimain.h"
#include "tests/mpi_ext/case_report.h"
#include "tests/process/process.h"

namespace strata::mpix::testing {

namespace fs = std::filesystem;

Ended run(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
          const fs::path& folder, double limit_s) {
  Surroundings around{.environment = {{"HOME", folder}, {"TMPDIR", folder}},
                      .bare = true,
                      .folder = folder,
                      .merged = true,
                      .limit_s = limit_s};
  if (const char* cases = std::getenv("STRATA_CASES")) around.environment["STRATA_CASES"] = cases;
  for (const auto& [name, value] : environment) around.environment[name] = value;
  const Ran ran = Process(command, around).wait();
  if (ran.timed_out) return {.exit_code = -1, .output = ran.out};
  return {.exit_code = ran.signal != 0 ? 128 + ran.signal : ran.code, .output = ran.out};
}

fs::path runfile(const std::string& path) {
  const fs::path file = built(path);
  if (!fs::exists(file)) throw std::runtime_error(file.string() + " is not among the test's data");
  return fs::canonical(file);
}

Verdict verdict_of(const std::string& output) {
  for (size_t at = 0; at < output.size(); at = std::min(output.find('\n', at), output.size() - 1) + 1) {
    Verdict v;
    if (std::sscanf(output.c_str() + at, "%d ranks, %ld checks, at least %ld a rank, %ld failures", &v.ranks, &v.checks,
                    &v.least, &v.failures) == 4) {
      return v;
    }
  }
  return {};
}

Placed placed(Machine machine, int np, const std::string& map_by, const std::string& bind_to) {
  std::vector<Binding> ranks = place(*machine.topology, np, {.map_by = map_by, .bind_to = bind_to});
  return {.machine = std::move(machine), .ranks = std::move(ranks)};
}

Placed with_threads(Placed p, const std::string& policy) {
  p.threads = place_progress(*p.machine.topology, p.ranks, policy);
  return p;
}

std::string nodes_word(const Placed& p) {
  std::string word = "nodes";
  for (const Binding& rank : p.ranks) word += (word == "nodes" ? "=" : ",") + std::to_string(rank.node);
  return word;
}

Placed bound(Machine machine, const std::string& lines) {
  const sim::ScratchFolder scratch;
  std::ofstream(scratch.path() / "bindings") << lines;
  std::vector<Binding> ranks = read_bindings(scratch.path() / "bindings", *machine.topology);
  return {.machine = std::move(machine), .ranks = std::move(ranks)};
}

Machine figure_1(int nodes) {
  return machine_from_tree("node:" + std::to_string(nodes) + " pack:2 [numa] l3:1 l2:2 l1d:1 core:2 pu:1");
}

Machine uneven_switches() {
  Machine m = machine_from_tree("Pod:2 Switch:2 node:2 pack:2 core:4 pu:1");  // provides the costs of all levels
  const auto nodes = [](int n) { return NetworkGroup{.level = "Switch", .groups = {}, .nodes = n}; };
  m.network = {
      .level = "", .groups = {nodes(3), {.level = "Pod", .groups = {nodes(1), nodes(2)}, .nodes = 0}}, .nodes = 0};
  m.topology = std::make_shared<const Topology>(
      m.network, std::vector(m.network.count_nodes(), import_node_synthetic(m.node.synthetic)));
  return m;
}

namespace {

// The file of a test program, by its name, or of another program of the build, by its path.
fs::path built(const std::string& program) {
  return runfile(program.find('/') == std::string::npos ? "tests/mpi_ext/" + program : program);
}

}  // namespace

Ended run_under_smpi(const Placed& p, const Simulated& s) {
  const sim::ScratchFolder scratch;
  const std::string program = built(s.program + ".so");
  sim::Stage stage =
      sim::prepare_stage(p.machine, {p.ranks, p.threads}, scratch.path(), sim::find_installation(), program, kLimit);
  stage.ranks += s.unbound_ranks;
  stage.catalog_program = !s.privatize;
  std::vector<std::string> options = {"--log=root.thres:info"};  // with SMPI's messages on leaks and deadlocks
  options.insert(options.end(), s.options.begin(), s.options.end());
  const std::vector<std::string> command = words_of(stage, {.platform = stage.plugin,
                                                            .hosts = stage.folder / "hosts",
                                                            .scratch = scratch.path(),
                                                            .program = program,
                                                            .options = options,
                                                            .arguments = s.words});
  std::map<std::string, std::string> environment = s.environment;
  if (!s.preload.empty()) environment["LD_PRELOAD"] = fmt::format("{}", fmt::join(s.preload, ":"));
  for (const auto& [name, value] : environment_of(stage)) {
    if (value) environment.emplace(name, *value);
  }
  return run(command, environment, scratch.path(), kLimit);
}

Ended run_under_mpi(const std::string& mpi, int ranks, Started s) {
  const sim::ScratchFolder scratch;
  const std::string program = built(s.program + "_" + mpi);
  std::vector<std::string> command = {"mpirun." + mpi};
  if (mpi == "openmpi") {
    for (const char* option : {"--allow-run-as-root", "--oversubscribe"}) command.push_back(option);
    s.environment["OMPI_MCA_rmaps_base_oversubscribe"] = "1";
    s.environment["OMPI_MCA_mpi_yield_when_idle"] = "1";
    s.environment["OMPI_MCA_btl"] = "vader,self";
    s.environment["OMPI_MCA_btl_vader_single_copy_mechanism"] = "none";  // needs ptrace, which a sandbox may forbid
    s.environment["OMPI_MCA_plm_rsh_agent"] = "false";                   // no processes on other hosts
  }
#ifdef __SANITIZE_THREAD__
  s.environment["UCX_MEM_EVENTS"] = "n";  // MPICH: UCX's hooks of mmap crash ThreadSanitizer's runtime
#endif
  command.insert(command.end(), s.options.begin(), s.options.end());
  command.insert(command.end(), {"-np", std::to_string(ranks)});
  if (!s.variables.empty()) {
    // Each rank selects its own variable: `mpirun -np 1 env A=1 PROGRAM : -np 1 env A=2 PROGRAM` crashes in Open MPI
    // 5.0.7.
    constexpr const char* kTakeOwn =
        "count=$1; shift; rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; eval \"own=\\${$((rank + 1))}\"; shift \"$count\"; "
        "export \"$own\"; exec \"$@\"";
    command.insert(command.end(), {"sh", "-c", kTakeOwn, "sh", std::to_string(s.variables.size())});
    command.insert(command.end(), s.variables.begin(), s.variables.end());
  }
  command.push_back(program);
  command.insert(command.end(), s.words.begin(), s.words.end());
  return run(command, s.environment, scratch.path(), kLimit);
}

Ended run_under_mpi(const std::string& mpi, const Placed& p, int ranks, Started s) {
  const sim::ScratchFolder files;
  s.environment["STRATA_PLACEMENT"] = write_placement(p, files.path());
  return run_under_mpi(mpi, ranks, std::move(s));
}

std::string write_placement(const Placed& p, const fs::path& folder) {
  std::ofstream(folder / "bindings") << format_bindings(p.ranks);
  std::ofstream(folder / "placement") << format_placement_file("", p.machine.node.synthetic, p.machine.network,
                                                               folder / "bindings");
  return folder / "placement";
}

void expect_success(const Ended& e, int ranks, long least_checks) {
  const std::vector<CaseResult> cases = cases_of(e.output);
  const Verdict v = verdict_of(e.output);
  fmt::print("{} ranks, {} cases, {} checks\n", v.ranks, cases.size(), v.checks);
  report_cases(cases);
  EXPECT_EQ(e.exit_code, 0) << e.output;
  EXPECT_EQ(v.ranks, ranks) << e.output;
  EXPECT_EQ(v.failures, 0) << e.output;
  const bool all_cases = std::getenv("STRATA_CASES") == nullptr;
  EXPECT_GE(v.least, all_cases ? least_checks : 0) << e.output;
}

}  // namespace strata::mpix::testing
