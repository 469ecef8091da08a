// SPDX-License-Identifier: LGPL-2.1-only
// strata exec: runs an unmodified MPI program on a simulated machine, and reports where its time went. JSON:
// schemas/exec.schema.json.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>

#include "analysis/findings.h"
#include "analysis/profile_json.h"
#include "analysis/program_summary.h"
#include "analysis/rank_groups.h"
#include "analysis/time_report.h"
#include "base/error.h"
#include "base/output_error.h"
#include "base/time_text.h"
#include "base/whole_file.h"
#include "collectives/chosen/chosen.h"
#include "command/command.h"
#include "command/error_bar_report.h"
#include "command/mapped_ranks.h"
#include "command/print.h"
#include "command/program_library.h"
#include "command/timeline_file.h"
#include "command/write_page.h"
#include "console/number.h"
#include "console/progress.h"
#include "mpi_ext/reorder/mapping.h"
#include "native/launch/library.h"
#include "native/run/demand.h"
#include "native/run/native_run.h"
#include "platforms/further_places.h"
#include "platforms/hostfile.h"
#include "platforms/node_names.h"
#include "records/matrix/matrix_file.h"
#include "records/matrix/matrix_market.h"
#include "records/trace/trace_file.h"
#include "scenarios/rule_files.h"
#include "sim/launcher/execution.h"
#include "sim/launcher/host_speed.h"
#include "sim/launcher/run.h"
#include "sim/launcher/scratch.h"
#include "sim/program/inspect.h"

namespace strata::command {
namespace {

namespace fs = std::filesystem;

// Up to this many pairs of ranks (50 MB), a run keeps the matrix of its messages, which the advice on reordering needs.
constexpr size_t kMostPairs = 1 << 20;
constexpr size_t kLinksInJson = 8;
// Reordering is suggested if at most this fraction of the bytes that cross the border would still cross it.
constexpr double kWorthReordering = 0.9;

// MPI_Comm_spawn has room for as many ranks as there are, and at least for these, if the machine has the cores.
constexpr int kLeastRoom = 16;

// The command's exit code if the simulation failed (command.h), and if --check has found mistakes.
constexpr int kSimulationFailed = 3;
constexpr int kMistakesFound = 1;

struct Options {
  MachineOptions machine;
  std::string rankfile, hostfile;
  std::string compute = "none", compute_file, host_speed, reorder, traffic, timeline, record, json, report, folder, mpi,
              rules;
  std::vector<std::string> variables, command;
  double timeout_s = 0;
  int repeat = 1, universe = 0;
  bool shim = false, no_summary = false, critical_path = false, error_bars = false, check = false;
  TimelineWords window = {.prefix = "--timeline-"};
};

// An option that needs SMPI.
void refuse_for_real_library(const Options& o) {
  if (o.check) {
    throw InputError("--check", "is not there for programs with a real MPI library",
                     "leave it out, or build the program with the mpicc of `strata mpi`");
  }
  if (!o.shim) return;
  throw InputError("--shim", "is not there for programs with a real MPI library",
                   "leave it out, or build the program with the mpicc of `strata mpi`");
}

// Places for ranks that the program starts itself.
std::vector<Binding> room_of(const Options& o, const Machine& machine, const std::vector<Binding>& ranks) {
  const auto size = static_cast<int>(ranks.size());
  if (o.universe != 0 && o.universe < size) {
    throw InputError("--universe", fmt::format("{} is less than the {} ranks of -n", o.universe, size),
                     "give the number of all ranks");
  }
  const int further = o.universe != 0 ? o.universe - size : std::max(size, kLeastRoom);
  std::vector<Binding> room = further_places(*machine.topology, ranks, o.machine.placement, further);
  if (o.universe != 0 && static_cast<int>(room.size()) < further) {
    throw InputError("--universe", fmt::format("the machine has room for {} ranks only", room.size() + ranks.size()),
                     "give at most these, a larger machine, or --oversubscribe");
  }
  return room;
}

std::vector<Binding> place_ranks(const Options& o, const Machine& machine) {
  const int given = (o.rankfile.empty() ? 0 : 1) + (o.hostfile.empty() ? 0 : 1) + (o.machine.bindings.empty() ? 0 : 1);
  if (given > 1) {
    throw InputError("command line", "more than one file says where the ranks are",
                     "give one of --bindings, --rankfile and --hostfile");
  }
  if (!o.machine.allocation.empty() && !(o.rankfile.empty() && o.hostfile.empty())) {
    throw InputError("--allocation", "does not go with a rankfile or a hostfile, which name the nodes",
                     "leave one out");
  }
  const Topology& t = *machine.topology;
  const std::vector<std::string> names = node_names(machine);
  if (!o.rankfile.empty()) return read_rankfile(o.rankfile, t, names, o.machine.np);
  if (!o.hostfile.empty()) {
    return place_on_hosts(t, read_hostfile(o.hostfile, t, names), o.machine.np, o.machine.placement);
  }
  MachineOptions options = o.machine;
  if (options.np == 0 && options.bindings.empty()) options.np = 1;  // like mpirun without -n on one slot
  return options.place_on(machine);
}

Variables environment_of(const Options& o) {
  Variables variables;
  for (const std::string& variable : o.variables) {
    const size_t equal = variable.find('=');
    if (equal == 0) throw InputError("-x", "'" + variable + "' has no name", "write NAME=VALUE");
    // Without a value, the program inherits ours anyway.
    if (equal != std::string::npos) variables.emplace_back(variable.substr(0, equal), variable.substr(equal + 1));
  }
  return variables;
}

// The value of a variable in the program's environment; empty if it is not set.
std::string variable_of(const sim::Launch& execution, const char* name) {
  const auto given = std::find_if(execution.environment.rbegin(), execution.environment.rend(),
                                  [name](const auto& variable) { return variable.first == name; });
  if (given != execution.environment.rend()) return given->second.value_or("");
  const char* const ours = std::getenv(name);
  return ours == nullptr ? "" : ours;
}

// Says what a user of OpenMP may not expect of measured computation.
void warn_of_threads(const sim::Launch& execution, const std::vector<double>& cores_of_ranks) {
  const double cores = *std::min_element(cores_of_ranks.begin(), cores_of_ranks.end());
  const std::string threads = variable_of(execution, "OMP_NUM_THREADS");
  if (std::atof(threads.c_str()) > cores) {
    std::fprintf(
        stderr,
        "strata: OMP_NUM_THREADS=%s, and a rank has %.3g %s: its threads take turns; bind it to more cores, for "
        "example with --map-by numa --bind-to numa\n",
        threads.c_str(), cores, cores == 1 ? "core" : "cores");
  }
  if (variable_of(execution, "OMP_WAIT_POLICY") == "active") {
    std::fputs(
        "strata: OMP_WAIT_POLICY=active: threads that wait use the processor, and so their waiting counts as "
        "computation; leave it out, or set it to passive\n",
        stderr);
  }
}

// Each rank has its own copy of the program and of some libraries.
sim::Mappings choose_mappings(size_t ranks, const sim::ProgramFacts& facts) {
  const auto number = static_cast<long>(ranks);
  const sim::Mappings chosen = sim::mappings_for("-n", number, 1 + static_cast<long>(facts.private_libraries.size()));
  if (!chosen.guards) {
    std::fprintf(stderr,
                 "strata: %ld ranks: stacks have no protected page below them, so a rank that overruns its stack may "
                 "destroy another's, because this system allows %ld memory mappings (vm.max_map_count)\n",
                 number, sim::most_mappings());
  }
  return chosen;
}

// Throws InputError if this computer has no room for the ranks. Many take a while to start, so a line says what begins.
void announce_ranks(const native::Library& library, int ranks, bool silent) {
  constexpr int kMany = 64;
  native::require_room(library.kind, ranks, native::capacity_here());
  if (silent || ranks < kMany) return;
  const bool known = library.kind != native::Library::Kind::kUnknown;
  console::tell(fmt::format("strata: starting {} ranks{}: about {} of memory\n", ranks,
                            known ? " of " + native::name_of(library.kind) + " " + library.version : "",
                            native::gigabytes(native::demand_of(library.kind, ranks).bytes)));
}

// --- another order of the ranks ---

// The effect of treematch at the outermost level that divides the ranks; nothing if the effect is small.
std::optional<analysis::Reordering> suggestion(const Machine& machine, const std::vector<Binding>& ranks,
                                               const fs::path& traffic) {
  const fs::path file = traffic / kBytesMatrixFile;
  if (ranks.size() < 3 || !fs::exists(file)) return {};
  const std::vector<analysis::RankGroups> levels = analysis::all_groups(*machine.topology, ranks);
  if (levels.empty()) return {};
  const Pattern pattern = read_matrix(file, static_cast<int>(ranks.size()));
  const std::vector<int>& group = levels.front().group;
  const analysis::InsideAndAcross before = analysis::inside_and_across(pattern, group);
  const double whole = before.inside + before.across;
  if (before.across == 0) return {};
  const std::vector<int> process_of = processes_by_mapping(machine, ranks, pattern, mpix::MapMethod::kTreeMatch);
  const analysis::InsideAndAcross after =
      analysis::inside_and_across(pattern, analysis::by_application(group, process_of));
  if (after.across > kWorthReordering * before.across) return {};
  const std::string level = analysis::level_text(levels.front().level);
  const bool network = level == "node" || machine.topology->num_nodes() > 1;
  return analysis::Reordering{"treematch", network ? "the network" : "the border of a " + level, before.across / whole,
                              after.across / whole};
}

// --- runs ---

struct Plan {
  Machine machine;
  fs::path program;
  sim::Installation installation;
  sim::Launch execution;
  double timeout_s = 0;
  sim::Mappings mappings;
  std::optional<native::Library> library = {};  // a real MPI library; without one, SMPI
  // With a real library: computation, as in native::NativeRequest.
  native::Computation computation = native::Computation::kFree;
  double call_s = 0;
  fs::path computation_file = {};
  std::vector<Binding> room = {};  // for ranks that the program starts
};

// A library itself reads its rules, of which its own variables name the file.
GivenRules rules_of(const Options& o, const Plan& plan) {
  if (!plan.execution.mpi.empty()) return read_given_rules(o.rules, o.mpi, "--mpi");
  if (!plan.library) {
    throw InputError("--rules", "are for the collectives of an MPI library, and these are SMPI's",
                     "add for example --mpi openmpi-4.1");
  }
  throw InputError("--rules", "are for programs of `strata mpi`, and this one has an MPI library of its own",
                   "give that library its variables, such as -x OMPI_MCA_coll_tuned_use_dynamic_rules=1 -x "
                   "OMPI_MCA_coll_tuned_dynamic_rules_filename=" +
                       o.rules + ", or MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE");
}

// A run in its scratch folder, which exists as long as its results are needed.
struct Run {
  std::unique_ptr<sim::ScratchFolder> folder;
  sim::Executed executed;
};

// With a real MPI library.
void choose_computation(const Options& o, Plan& plan) {
  using native::Computation;
  const bool measured = o.compute == "measured";
  if (!o.compute_file.empty() && !measured)
    throw InputError("--compute-file", "needs --compute measured", "add it, or leave the file out");
  std::error_code ignored;
  if (measured) {
    const bool known = !o.compute_file.empty() && fs::exists(o.compute_file, ignored);
    plan.computation = known ? Computation::kRecorded : Computation::kMeasured;
    plan.computation_file = o.compute_file;
    if (known) std::fprintf(stderr, "strata: computation takes the times in %s\n", o.compute_file.c_str());
  } else if (o.compute != "none") {
    plan.computation = Computation::kEach;
    plan.call_s = *time_in(o.compute);
  }
}

sim::Executed run_natively(const Plan& plan, const std::vector<Binding>& ranks, const sim::Launch& execution,
                           const fs::path& scratch) {
  native::NativeRequest request = {.machine = plan.machine,
                                   .ranks = ranks,
                                   .room = plan.room,
                                   .words = {plan.program.string()},
                                   .folder = execution.folder,
                                   .input = execution.input,
                                   .silent = execution.silent,
                                   .transport = plan.installation.transport,
                                   .scratch = scratch,
                                   .library = *plan.library,
                                   .events = execution.events,
                                   .trace = execution.trace,
                                   .limit_s = plan.timeout_s};
  request.words.insert(request.words.end(), execution.arguments.begin(), execution.arguments.end());
  request.computation = plan.computation;
  request.computation_s = plan.call_s > 0 ? plan.call_s : execution.host_speed / plan.machine.core_speed.si;
  request.computation_file = plan.computation_file;
  for (const auto& [name, value] : execution.environment) request.environment.emplace_back(name, value.value_or(""));
  return native::run_natively(request);
}

Run run(const Plan& plan, const std::vector<Binding>& ranks, const sim::Launch& execution) {
  auto folder = std::make_unique<sim::ScratchFolder>();
  if (plan.library) {
    sim::Executed executed = run_natively(plan, ranks, execution, folder->path());
    return {std::move(folder), std::move(executed)};
  }
  sim::Stage stage = sim::prepare_stage(plan.machine, {ranks}, folder->path(), plan.installation, plan.program.string(),
                                        plan.timeout_s);
  stage.poll_s = sim::least_overhead(plan.machine);
  if (execution.host_speed > 0) stage.cores = cores_per_rank(*plan.machine.topology, ranks);
  stage.mappings = plan.mappings;
  sim::Executed executed = sim::execute(stage, execution);
  return {std::move(folder), std::move(executed)};
}

// The ranks in the order of --reorder. With a method, the program first runs once without output to record its
// messages; `before` is the simulated time of that run.
std::vector<Binding> reorder(const Options& o, const Plan& plan, const std::vector<Binding>& ranks,
                             std::optional<double>& before) {
  const std::optional<mpix::MapMethod> method = mpix::map_method(o.reorder);
  const auto order = static_cast<int>(ranks.size());
  if (!method) {
    const Pattern pattern = read_matrix(o.reorder, order);
    std::fprintf(stderr, "strata: ranks are reordered by %s (treematch)\n", o.reorder.c_str());
    return analysis::by_application(ranks,
                                    processes_by_mapping(plan.machine, ranks, pattern, mpix::MapMethod::kTreeMatch));
  }
  std::fputs("strata: a first run, without its output, records the messages\n", stderr);
  sim::Launch recording = plan.execution;
  recording.silent = true;
  recording.most_pairs = 0;
  recording.events = recording.trace = recording.checks = false;
  const Run first = run(plan, ranks, recording);
  if (!first.executed.failure.empty()) throw sim::SimulationFailed("the recording run: " + first.executed.failure);
  before = first.executed.profile.simulated_time;
  const Pattern pattern = read_matrix(first.executed.traffic / kBytesMatrixFile, order);
  return analysis::by_application(ranks, processes_by_mapping(plan.machine, ranks, pattern, *method));
}

// --- results ---

Json spread(const std::vector<double>& times) {
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  return {{"runs", times.size()}, {"least", *least}, {"most", *most}, {"unit", "s"}, {"times", times}};
}

Json to_json(const Options& o, const Plan& plan, const std::vector<Binding>& ranks, const sim::Executed& e,
             const std::vector<double>& times, const std::optional<double>& before,
             const std::optional<analysis::TimeReport>& time, const std::optional<replay::ErrorBar>& bar) {
  std::uint64_t messages = 0, bytes = 0;
  for (const LevelMessages& l : e.levels) {
    messages += l.messages;
    bytes += l.bytes;
  }
  Json links = Json::array();
  for (const LinkTraffic& l : analysis::fullest_links(e.links, kLinksInJson)) {
    links.push_back({{"link", l.link},
                     {"level", l.level},
                     {"direction", l.direction},
                     {"bytes", l.bytes},
                     {"utilisation", l.utilisation}});
  }
  const analysis::RankTimes total = analysis::total_times(e.profile);
  Json by_rank = {{"computing", Json::array()}, {"communicating", Json::array()}, {"waiting", Json::array()}};
  for (const RankProfile& r : e.profile.ranks) {
    by_rank["computing"].push_back(r.computing);
    by_rank["communicating"].push_back(r.communicating);
    by_rank["waiting"].push_back(r.waiting);
  }
  Json document = {
      {"schema", "strata.exec/1"},
      {"program", plan.program.filename().string()},
      {"arguments", plan.execution.arguments},
      {"machine", plan.machine.name},
      {"ranks", ranks.size()},
      {"compute", o.compute},
      {"simulated_time", {{"value", e.profile.simulated_time}, {"unit", "s"}}},
      {"exit_code", e.failure.empty() ? e.exit_code : kSimulationFailed},
      {"messages", {{"count", messages}, {"bytes", bytes}}},
      {"levels", analysis::levels_json(e.levels)},
      {"calls", analysis::calls_json(e.profile)},
      {"time", {{"computing", total.computing}, {"communicating", total.communicating}, {"waiting", total.waiting}}},
      {"time_by_rank", by_rank},
      {"fullest_links", links}};
  if (plan.library && plan.library->kind != native::Library::Kind::kUnknown) {
    const bool is_mpich = plan.library->kind == native::Library::Kind::kMpich;
    document["mpi"] = {{"library", is_mpich ? "mpich" : "openmpi"}, {"version", plan.library->version}};
  }
  if (!plan.execution.mpi.empty()) document["collectives"] = plan.execution.mpi;
  if (!plan.execution.rules.file.empty()) document["collectives_rules"] = plan.execution.rules.file;
  if (!e.failure.empty()) document["failure"] = e.failure;
  if (o.check) document["findings"] = analysis::findings_json(analysis::merged(e.findings));
  if (times.size() > 1) document["repeats"] = spread(times);
  if (before) document["before_reordering"] = {{"value", *before}, {"unit", "s"}};
  if (time) analysis::add_time(*time, document);
  if (bar) document["error_bar"] = error_bar_json(*bar, plan.machine);
  return document;
}

void keep_traffic(const fs::path& from, const fs::path& into) {
  std::error_code error;
  fs::create_directories(into, error);
  if (error) throw OutputError(into.string(), "cannot be made: " + error.message(), "give --traffic another folder");
  for (const fs::directory_entry& file : fs::directory_iterator(from))
    copy_whole(file.path(), into / file.path().filename());
}

void keep_trace(const fs::path& trace, const fs::path& into) {
  copy_whole(trace, into);
  const std::vector<std::string> functions = read_trace(trace).not_recorded;
  if (functions.empty()) return;
  const std::string text =
      fmt::format("strata: {}: strata replay will refuse it: the program calls {}, which a trace does not hold\n",
                  into.string(), fmt::join(functions, ", "));
  std::fputs(text.c_str(), stderr);
}

// After a failure, the recorded events may be incomplete. A failure before the program begins leaves no events.
void keep_timeline(const Options& o, const Machine& machine, const sim::Executed& e) {
  std::error_code ignored;
  if (!e.failure.empty() && !fs::exists(e.events, ignored)) return;
  try {
    write_timeline_of(e.events, machine, o.window, o.timeline);
  } catch (const InputError& damage) {
    if (e.failure.empty()) throw;
    std::fprintf(stderr, "strata: no timeline: %s\n", damage.what());
  }
}

// From the recording; nothing if a trace does not hold the program.
std::optional<replay::ErrorBar> error_bar_of_program(const Plan& plan, const sim::Executed& e) {
  const Trace trace = read_trace(e.trace);
  if (trace.not_recorded.empty())
    return error_bar_of_run(trace, plan.machine, e.profile.simulated_time, default_jobs());
  std::fprintf(stderr, "strata: no error bar: the program calls %s, which a trace does not hold\n",
               fmt::format("{}", fmt::join(trace.not_recorded, ", ")).c_str());
  return {};
}

// "Open MPI 4.1.4"; empty: SMPI.
std::string library_text(const Plan& plan) {
  if (!plan.library || plan.library->kind == native::Library::Kind::kUnknown) return "";
  return native::name_of(plan.library->kind) + " " + plan.library->version;
}

std::string collectives_text(const Plan& plan) {
  if (const std::string library = library_text(plan); !library.empty()) return "those of " + library + " itself";
  if (!plan.execution.mpi.empty()) return text_of_collectives(plan.execution.mpi, plan.execution.rules.file);
  return plan.library ? "" : "SMPI's own; --mpi openmpi-4.1 and the like have those of a library";
}

void print_summary(const Plan& plan, const std::vector<Binding>& ranks, const sim::Executed& e,
                   const std::vector<double>& times, const std::optional<double>& before, bool measured,
                   const std::optional<analysis::TimeReport>& time, const std::optional<replay::ErrorBar>& bar) {
  analysis::ProgramRun run{.program = plan.program.filename().string(),
                           .machine = plan.machine.name,
                           .library = library_text(plan),
                           .collectives = collectives_text(plan),
                           .nodes = num_nodes(ranks),
                           .machine_nodes = plan.machine.topology->num_nodes(),
                           .measured = measured,
                           .profile = e.profile,
                           .levels = e.levels,
                           .links = e.links,
                           .time = time ? analysis::time_text(*time) : "",
                           .before_reordering = before,
                           .reordering = suggestion(plan.machine, ranks, e.traffic)};
  std::string text = "\n" + analysis::summary_text(run);
  if (times.size() > 1) {
    const auto [least, most] = std::minmax_element(times.begin(), times.end());
    text += fmt::format("\n{} runs: {} to {}\n", times.size(), console::with_unit(*least, "s", 4),
                        console::with_unit(*most, "s", 4));
  }
  if (bar) text += "\n" + error_bar_text(*bar, e.profile.simulated_time, plan.machine);
  std::fputs(text.c_str(), stderr);
}

// Returns whether there are any.
bool print_findings(const Plan& plan, const sim::Executed& e) {
  const std::string program = plan.program.filename().string();
  const std::vector<analysis::MergedFinding> findings = analysis::merged(e.findings);
  if (findings.empty()) {
    if (e.failure.empty()) std::fputs("\nstrata: --check has found no mistake\n", stderr);
    return false;
  }
  std::string text = "\n" + analysis::findings_text(findings, program) + "\n";
  if (!e.failure.empty()) text += fmt::format("strata: {}: {}\n", program, e.failure);
  text += fmt::format("strata: --check has found {}\n", analysis::findings_summary(findings));
  std::fputs(text.c_str(), stderr);
  return true;
}

int exec(const Options& o) {
  if (o.command.empty())
    throw InputError("command line", "no program is given", "put it at the end: strata exec ... -- ./app input.dat");
  Plan plan{.machine = {},
            .program = find_program(o.command.front()),
            .installation = sim::find_installation(),
            .execution = {},
            .timeout_s = o.timeout_s,
            .mappings = {}};
  plan.machine = o.machine.load(plan.installation);
  plan.library = library_of(plan.program, o.mpi);
  if (plan.library) refuse_for_real_library(o);
  const sim::ProgramFacts facts =
      plan.library ? sim::ProgramFacts()
                   : sim::inspect_program(plan.program, plan.installation.preload / sim::kSupplyLibrary);
  for (const std::string& warning : facts.warnings(plan.program)) std::fprintf(stderr, "strata: %s\n", warning.c_str());
  std::vector<Binding> ranks = place_ranks(o, plan.machine);
  if (plan.library) plan.room = room_of(o, plan.machine, ranks);
  if (!plan.library && o.universe != 0) {
    throw InputError("--universe", "is only there for programs with a real MPI library", "leave it out");
  }
  if (!plan.library) plan.mappings = choose_mappings(ranks.size(), facts);
  if (!o.timeline.empty()) check_timeline(o.window, static_cast<int>(ranks.size()), o.timeline);
  const bool measured = o.compute == "measured";
  plan.execution.arguments.assign(o.command.begin() + 1, o.command.end());
  plan.execution.folder = o.folder.empty() ? fs::path(".") : fs::path(o.folder);
  std::error_code ignored;
  if (!fs::is_directory(plan.execution.folder, ignored))
    throw InputError("--wdir", "'" + o.folder + "' is not a folder", "give the folder where the program shall run");
  plan.execution.environment = environment_of(o);
  if (o.shim) plan.execution.shim = kShimOn;
  if (collectives::can_replace_smpis(o.mpi)) plan.execution.mpi = o.mpi;
  if (!o.rules.empty()) plan.execution.rules = rules_of(o, plan);
  plan.execution.events = o.critical_path || !o.timeline.empty() || !o.report.empty();
  plan.execution.trace = !o.record.empty() || o.error_bars;
  plan.execution.checks = o.check;
  plan.execution.most_pairs = o.traffic.empty() ? kMostPairs : 0;
  if (plan.library) {
    choose_computation(o, plan);
  } else if (!o.compute_file.empty() || (!measured && o.compute != "none")) {
    throw InputError(o.compute_file.empty() ? "--compute" : "--compute-file",
                     "is only there for programs with a real MPI library",
                     "leave it out, or build the program with Open MPI's or MPICH's mpicc");
  }
  if (measured && plan.computation != native::Computation::kRecorded) {
    const sim::HostSpeed speed = o.host_speed.empty() ? sim::host_speed() : sim::parse_host_speed(o.host_speed);
    plan.execution.host_speed = speed.flops_per_s;
    std::fprintf(stderr, "strata: computation takes the processor time that it takes here, times %.3g: %s\n",
                 speed.flops_per_s / plan.machine.core_speed.si, speed.source.c_str());
    warn_of_threads(plan.execution, cores_per_rank(*plan.machine.topology, ranks));
  }
  if (plan.library) announce_ranks(*plan.library, static_cast<int>(ranks.size()), o.no_summary);
  const SignalGuard guard;
  // Each run needs its own copy of stdin.
  std::unique_ptr<sim::ScratchFolder> kept_input;
  const bool several = (mpix::map_method(o.reorder).has_value()) || o.repeat > 1;
  if (several && ::isatty(STDIN_FILENO) == 0) {
    kept_input = std::make_unique<sim::ScratchFolder>();
    plan.execution.input = kept_input->path() / "stdin";
    std::ofstream out(plan.execution.input, std::ios::binary);
    if (std::cin.peek() != std::char_traits<char>::eof()) out << std::cin.rdbuf();
  }
  std::optional<double> before;  // with --reorder METHOD: simulated time before, s
  if (!o.reorder.empty()) ranks = reorder(o, plan, ranks, before);
  std::fflush(stdout);
  Run shown = run(plan, ranks, plan.execution);
  const sim::Executed& e = shown.executed;
  std::vector<double> times = {e.profile.simulated_time};
  for (int i = 1; i < o.repeat && e.failure.empty(); ++i) {
    sim::Launch again = plan.execution;
    again.silent = true;
    again.events = again.trace = again.checks = false;
    const Run repeated = run(plan, ranks, again);
    if (!repeated.executed.failure.empty())
      throw sim::SimulationFailed(fmt::format("run {}: {}", i + 1, repeated.executed.failure));
    times.push_back(repeated.executed.profile.simulated_time);
  }
  ranks.insert(ranks.end(), e.spawned.begin(), e.spawned.end());
  std::optional<analysis::TimeReport> time;
  if (o.critical_path && e.failure.empty()) time = analysis::time_report(e.events, &plan.machine);
  std::optional<replay::ErrorBar> bar;
  if (o.error_bars && e.failure.empty()) bar = error_bar_of_program(plan, e);
  const bool profiled = !e.profile.ranks.empty();
  if (profiled && e.failure.empty() && !o.no_summary) print_summary(plan, ranks, e, times, before, measured, time, bar);
  if (!o.traffic.empty()) keep_traffic(e.traffic, o.traffic);
  if (!o.timeline.empty()) keep_timeline(o, plan.machine, e);
  if (!o.record.empty() && e.failure.empty()) keep_trace(e.trace, o.record);
  if (!o.json.empty()) write_whole(o.json, line_of(to_json(o, plan, ranks, e, times, before, time, bar)));
  if (!o.report.empty()) {
    write_program_page(o.report, {.program = plan.program.filename().string(),
                                  .machine = plan.machine,
                                  .ranks = ranks,
                                  .profile = e.profile,
                                  .levels = e.levels,
                                  .traffic = e.traffic,
                                  .events = e.events,
                                  .measured = measured,
                                  .failure = e.failure,
                                  .time = time ? &*time : nullptr});
  }
  if (o.check && print_findings(plan, e)) return kMistakesFound;
  if (!e.failure.empty()) throw sim::SimulationFailed(plan.program.filename().string() + ": " + e.failure);
  if (!e.ending.empty() && e.exit_code != 0) std::fprintf(stderr, "strata: %s\n", e.ending.c_str());
  return e.exit_code;
}

}  // namespace

void add_exec(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub = app.add_subcommand("exec", "Run an MPI program, as it is, on a simulated machine, as mpirun would");
  o->machine.add_machine(*sub);
  o->machine.add_placement(*sub);
  auto* rankfile = sub->add_option("--rankfile", o->rankfile, "a rankfile of Open MPI: where each rank is bound");
  sub->add_option("--hostfile", o->hostfile,
                  "a hostfile of Open MPI or MPICH; its hosts are the machine's, node0, node1, ..., or, if the machine "
                  "names none, any names in order")
      ->excludes(rankfile);
  sub->add_option("-x", o->variables, "NAME=VALUE: a variable for the program's environment")->allow_extra_args(false);
  sub->add_option(
         "--mpi", o->mpi,
         fmt::format(
             "which MPI: openmpi or mpich, the library that the program is linked to; or the folder in which one of "
             "them is installed, as /opt/openmpi; or smpi, for programs of `strata mpi` (default: what the "
             "program is linked to); or {}: a program of `strata mpi` with the collectives of that release",
             collectives::kInPlaceOfSmpis))
      ->check([](const std::string& text) -> std::string {
        const bool known = text == "openmpi" || text == "mpich" || text == kSmpi ||
                           text.find('/') != std::string::npos || collectives::can_replace_smpis(text);
        return known ? ""
                     : "'" + text +
                           "' is neither openmpi, mpich nor smpi, nor a folder such as /opt/openmpi, nor a release "
                           "such as openmpi-4.1";
      })
      ->suggests({"mpich", "mpich-4.0", "mpich-4.2", "openmpi", "openmpi-4.1", "openmpi-5.0", kSmpi});
  sub->add_option(
      "--rules", o->rules,
      "with --mpi openmpi-4.1 and the like: a file of rules by which the library chooses algorithms "
      "(coll_tuned_dynamic_rules_filename of Open MPI, MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE of MPICH)");
  sub->add_option(
         "--universe", o->universe,
         "with a real MPI library: how many ranks there may be with those that MPI_Comm_spawn starts (default: "
         "twice as many as -n, and at least 16 more, if the machine has the cores)")
      ->check(cli::PositiveNumber);
  sub->add_option("--wdir", o->folder, "the folder in which the program runs (default: this one)");
  sub->add_option("--compute", o->compute,
                  "what computation costs: none (default), or measured: the processor time that it takes on this "
                  "computer, scaled by the speed of the machine's cores; then results differ from run to run; or, with "
                  "a real MPI library, a time such as 10us: from each MPI function to the next")
      ->check([](const std::string& text) -> std::string {
        if (text == "none" || text == "measured" || time_in(text).value_or(0) > 0) return "";
        return "'" + text + "' is neither none nor measured nor a time such as 10us";
      })
      ->suggests({"measured", "none"});
  sub->add_option("--compute-file", o->compute_file,
                  "with --compute measured and a real MPI library: keep the measured times in this file, or, if it "
                  "exists, take them from it; then results are the same in each run");
  sub->add_option("--host-speed", o->host_speed,
                  "with --compute measured: the speed of a core of this computer, such as \"20 Gflop/s\" (default: "
                  "measured once, and kept in the cache folder)");
  sub->add_option("--repeat", o->repeat, "run N times and show the spread of the simulated time; one is shown")
      ->check(cli::PositiveNumber);
  sub->add_flag("--shim", o->shim, "MPI_Cart_create with reorder makes node-aware meshes");
  sub->add_option("--reorder", o->reorder,
                  "place the ranks by their messages: treematch or scotch, after a first run that records them, or a "
                  "matrix file recorded before (--traffic's size.mtx)");
  sub->add_option("--traffic", o->traffic, "keep matrices of messages, and what links carried, in this folder")
      ->writes(cli::Written::kFolder);
  sub->add_option("--timeline", o->timeline,
                  "write what each rank did, when: .paje (ViTE), .json or .json.gz (ui.perfetto.dev), .otf2 (Vampir)")
      ->writes(cli::Written::kFileOrFolder);
  add_timeline_window(*sub, o->window);
  sub->add_option("--record", o->record,
                  "write what each rank did, without when, into this file: strata replay runs it on other machines")
      ->writes(cli::Written::kFile);
  sub->add_flag("--critical-path", o->critical_path,
                "say what decides the simulated time: the chain of work and messages from start to end, ranks that are "
                "late, phases");
  sub->add_flag("--error-bars", o->error_bars,
                "say how far the simulated time may be off, by the intervals of the machine's figures that strata "
                "calibrate writes; the recorded run is replayed with other figures");
  sub->add_flag(
      "--check", o->check,
      "check the program's calls of MPI: arguments, leaks, calls and data that do not match; say each mistake "
      "with rank, function and source line (compile with -g); the exit code is 1 if there is one");
  sub->add_option("--json", o->json, "write the summary as a JSON document into this file")
      ->writes(cli::Written::kFile);
  sub->add_option("--report", o->report, "write a self-contained page (HTML) for exploring the run into this file")
      ->writes(cli::Written::kFile);
  sub->add_option("--limit", o->timeout_s, "end it after this many seconds of wall time (default: never)")
      ->check(cli::PositiveNumber)
      ->formerly("--timeout");
  sub->add_flag("--no-summary", o->no_summary, "print nothing but what the program prints");
  sub->take_rest(o->command);
  sub->footer(
      "The program and its arguments come after the options, with or without -- before them. The exit code is the\n"
      "program's, or 3 if it deadlocks, crashes or takes too long; with --check, 1 if there are mistakes.\n"
      "Examples:\n  strata exec --machine theta -n 512 -- ./app input.dat\n"
      "  strata exec --xml node.xml --nodes 4 -n 64 --map-by node --bind-to core -- ./app < input\n"
      "  strata exec --machine ntw10e5 -n 48 --reorder treematch --json after.json -- ./app\n"
      "  strata exec --machine ntw10e5 -n 48 --traffic messages --timeline app.json.gz -- ./app\n"
      "  strata exec --machine ntw10e5 -n 48 --critical-path -- ./app\n"
      "  strata exec --machine my-cluster -n 48 --error-bars -- ./app\n"
      "  strata exec --machine ntw10e5 -n 48 --report app.html -- ./app\n"
      "  strata exec --machine ntw10e5 -n 48 --check -- ./app\n"
      "  strata exec --machine ntw10e5 -n 48 --record app.mpitrace -- ./app\n"
      "  strata exec --machine ntw10e5 -n 48 --mpi openmpi-4.1 --rules rules.conf -- ./app\n"
      "Build programs with the compilers of `strata mpi`.");
  sub->callback([o, &action] { action = [o] { return exec(*o); }; });
}

}  // namespace strata::command
