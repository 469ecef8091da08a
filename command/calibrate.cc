// SPDX-License-Identifier: LGPL-2.1-only
// strata calibrate: makes a machine from benchmark measurements on it.
#include "calibration/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <memory>

#include "analysis/plot.h"
#include "base/error.h"
#include "base/output_error.h"
#include "base/system_error.h"
#include "base/whole_file.h"
#include "calibration/level_names.h"
#include "calibration/pair_levels.h"
#include "calibration/probe/probe_samples.h"
#include "calibration/readers/hpcc.h"
#include "calibration/readers/imb.h"
#include "calibration/readers/kerncraft.h"
#include "calibration/readers/osu.h"
#include "calibration/readers/smpi_calibration.h"
#include "calibration/readers/stream.h"
#include "command/calibration_plots.h"
#include "command/calibration_report.h"
#include "command/command.h"
#include "command/print.h"
#include "command/simulated_prediction.h"
#include "command/simulated_probe.h"
#include "platforms/port_places.h"
#include "sim/launcher/run.h"

namespace strata::command {
namespace {

using calibration::Calibration;
using calibration::Reading;

constexpr const char* kDocument = "calibration.json";  // in the folder of the machine

struct Options {
  std::string node, name, out;
  int nodes = 1;
  PredictionOptions prediction;
  bool no_simulation = false, json = false;
  std::vector<std::string> ports;  // the objects to which they are attached
  std::vector<std::string> probe, osu, imb, hpcc, stream, smpi_calibration, kerncraft;
};

// A file to read, and how.
struct Input {
  std::string file;
  std::function<Reading()> read;
  bool is_probe = false;
};

using LevelReader = Reading (*)(const std::filesystem::path&, const std::string&);
using PlainReader = Reading (*)(const std::filesystem::path&);

struct LevelAndFile {
  std::string level, file;
};

// "Package=osu.txt", or only a file. A level must be one of the machine.
LevelAndFile split_at_level(const std::string& option, const std::string& text, const Machine& tree) {
  if (tree.levels.empty())
    throw InputError(option + " " + text, "the machine has only one core, so there are no messages", "leave it out");
  const size_t equals = text.find('=');
  if (equals == std::string::npos) return {"", text};
  const std::string level = text.substr(0, equals);
  if (level == calibration::kPorts) {
    if (!tree.ports) throw InputError(option + " " + text, "the node has a single port", "state its ports with --port");
    return {level, text.substr(equals + 1)};
  }
  calibration::require_level(tree, level, option + " " + text);
  return {level, text.substr(equals + 1)};
}

Input input_of(const std::string& option, const std::string& text, LevelReader read, const Machine& tree) {
  const LevelAndFile from = split_at_level(option, text, tree);
  if (from.level.empty())
    throw InputError(option + " " + text, "does not say which level was measured",
                     "write LEVEL=FILE; cores of this machine meet at " + calibration::level_names(tree));
  return {from.file, [=] { return read(from.file, from.level); }};
}

// The pairs of HPCC meet at several levels, which depend on the number of processes in the file.
Input hpcc_input(const std::string& text, const Machine& tree, int ranks_per_node) {
  const LevelAndFile from = split_at_level("--hpcc", text, tree);
  return {from.file, [=, &tree] {
            return calibration::read_hpcc(from.file, [&](int processes, int stride) {
              return calibration::levels_of_pairs(tree, from.level, processes, stride, ranks_per_node);
            });
          }};
}

std::vector<Input> inputs_of(const Options& o, const Machine& tree) {
  std::vector<Input> inputs;
  for (const std::string& f : o.osu) inputs.push_back(input_of("--osu", f, calibration::read_osu, tree));
  for (const std::string& f : o.imb) inputs.push_back(input_of("--imb", f, calibration::read_imb, tree));
  for (const std::string& f : o.hpcc) inputs.push_back(hpcc_input(f, tree, o.prediction.ranks_per_node));
  for (const std::string& f : o.smpi_calibration)
    inputs.push_back(input_of("--smpi-calibration", f, calibration::read_smpi_calibration, tree));
  const auto add_files = [&](const std::vector<std::string>& files, PlainReader read) {
    for (const std::string& f : files) inputs.push_back({f, [=] { return read(f); }, read == calibration::read_probe});
  };
  add_files(o.probe, calibration::read_probe);  // whose samples contain the levels
  add_files(o.stream, calibration::read_stream);
  add_files(o.kerncraft, calibration::read_kerncraft);
  if (inputs.empty()) {
    throw InputError("command line", "no measurements",
                     "give files of benchmarks, for example --probe samples.csv or --osu Package=osu_latency.txt; "
                     "cores of this machine meet at " +
                         calibration::level_names(tree));
  }
  return inputs;
}

// How the collectives in a file were measured.
calibration::Manner manner_of(const Input& i) {
  return i.is_probe ? calibration::Manner::kProbe : calibration::Manner::kImb;
}

struct Files {
  std::vector<calibration::Measurement> measurements;
  std::vector<calibration::HeldOut> held_out;
  std::vector<std::string> notes;
  double most_bytes = 0;   // of a ping-pong
  int ranks_per_node = 0;  // of the probe's samples; 0: unknown
};

// Readers name a file by its last part. Files with the same last part are distinguished by their paths.
Files read_all(const std::vector<Input>& inputs) {
  std::map<std::string, std::vector<std::string>> paths;  // by last part
  for (const Input& i : inputs) {
    std::vector<std::string>& same = paths[std::filesystem::path(i.file).filename().string()];
    if (std::find(same.begin(), same.end(), i.file) == same.end()) same.push_back(i.file);
  }
  Files files;
  for (const Input& i : inputs) {
    Reading reading = i.read();
    std::fprintf(stderr, "%s: %zu measurements%s%s\n", i.file.c_str(), reading.measurements.size(),
                 reading.program.empty() ? "" : " of ", reading.program.c_str());
    const std::string last = std::filesystem::path(i.file).filename().string();
    const bool ambiguous = paths[last].size() > 1;
    for (calibration::Measurement& m : reading.measurements) {
      if (ambiguous && m.source.starts_with(last)) m.source = i.file + m.source.substr(last.size());
      if (m.operation == calibration::Operation::kPingPong) files.most_bytes = std::max(files.most_bytes, m.bytes);
    }
    std::map<int, int> ranks;  // by node
    for (const calibration::RankPlace& p : reading.places)
      files.ranks_per_node = std::max(files.ranks_per_node, ++ranks[p.node]);
    for (calibration::HeldOut& h : held_out_of(reading, manner_of(i))) files.held_out.push_back(std::move(h));
    std::move(reading.measurements.begin(), reading.measurements.end(), std::back_inserter(files.measurements));
    files.notes.insert(files.notes.end(), reading.notes.begin(), reading.notes.end());
  }
  return files;
}

// Settings for the probe on two nodes of the machine, or on one if it has only one.
calibration::ProbeSettings probe_settings(const Machine& machine, const Files& files) {
  constexpr double kLeast = 65536, kMost = 16 << 20;  // B; kMost is the probe's own default
  const int cores = static_cast<int>(machine.topology->node_tree(0).cores().size());
  return {.nodes = std::min(2, machine.topology->num_nodes()),
          .ranks_per_node = files.ranks_per_node > cores ? 0 : files.ranks_per_node,
          .samples = 1,  // simulated samples do not differ
          .most_bytes = std::lround(std::clamp(files.most_bytes, kLeast, kMost)),
          .array_bytes = 0};
}

// The machine does not depend on simulations, so a simulation that is not possible on this computer becomes a note.
void note_if_impossible(const char* what, CalibrationReport& report, const std::function<void()>& simulation) {
  const auto note = [&](const std::exception& e) { report.notes.push_back(std::string(what) + ": " + e.what()); };
  try {
    simulation();
  } catch (const InputError& e) {
    note(e);
  } catch (const sim::SimulationFailed& e) {
    note(e);
  } catch (const OutputError& e) {  // of scratch folders
    note(e);
  } catch (const SystemError& e) {
    note(e);
  }
}

void simulate(const Files& files, const Options& o, CalibrationReport& report) {
  const sim::Installation installation = sim::find_installation();
  const Machine& machine = report.calibration.machine;
  std::fputs("strata: simulates the probe on this machine\n", stderr);
  note_if_impossible("the probe was not simulated", report, [&] {
    const calibration::Reading simulated = simulate_probe(machine, std::filesystem::path(o.out) / "machine.yaml",
                                                          probe_settings(machine, files), installation);
    report.loop = close_loop(report.calibration, simulated.measurements);
    report.simulated = simulated.measurements;
  });
  note_if_impossible("nothing is predicted", report, [&] {
    report.predicted = predict(machine, files.held_out, installation, o.prediction, report.notes);
  });
}

void draw_all(const CalibrationReport& report, const std::filesystem::path& out) {
  std::vector<analysis::Chart> charts;
  for (const calibration::LevelCurve& curve : report.calibration.curves) {
    charts.push_back(fit_chart(curve));
    charts.push_back(residuals_chart(curve));
    if (!report.simulated.empty()) charts.push_back(loop_chart(curve, report.simulated));
  }
  for (const calibration::Predicted& p : report.predicted) charts.push_back(prediction_chart(p));
  for (const analysis::Chart& chart : charts) std::fprintf(stderr, "wrote %s\n", analysis::draw(chart, out).c_str());
}

// The ports of a node, without figures.
NetworkPorts ports_of(const Options& o, const Machine& machine) {
  if (machine.topology->num_nodes() < 2) throw InputError("--port", "the machine has one node", "give --nodes too");
  NetworkPorts ports{.at = o.ports};
  if (const std::optional<MissingPort> missing = find_missing_port(*machine.topology, ports)) {
    throw InputError("--port " + o.ports[missing->port], "the node has no such object with cores",
                     "give one that `strata topo` lists, without L#: \"Package 0\"");
  }
  return ports;
}

int calibrate(const Options& o) {
  Machine defaults = machine_from_xml(o.node, o.nodes);
  if (!o.ports.empty()) defaults.ports = ports_of(o, defaults);
  if (!o.name.empty()) defaults.name = o.name;
  const Files files = read_all(inputs_of(o, defaults));
  CalibrationReport report{.calibration = calibration::calibrate(defaults, files.measurements), .notes = files.notes};
  Calibration& c = report.calibration;
  report.notes.insert(report.notes.end(), c.notes.begin(), c.notes.end());
  const std::filesystem::path out = o.out;
  std::error_code error;
  std::filesystem::create_directories(out, error);
  if (error) throw OutputError(o.out, "cannot be made: " + error.message(), "give another folder with --out");
  save_machine(c.machine, out);
  load_machine(out / "machine.yaml");  // checks that other commands can load it
  std::fprintf(stderr, "wrote %s\n", (out / "machine.yaml").c_str());
  if (!o.no_simulation) {
    // If the simulations are interrupted, the folder is as with --no-simulation, and has nothing of an earlier one.
    write_whole(out / kDocument, to_json(report).dump(1) + "\n");
    simulate(files, o, report);
  }
  for (const calibration::Predicted& p : report.predicted) c.machine.validation.push_back(validation_of(p));
  if (!c.machine.validation.empty()) save_machine(c.machine, out);
  draw_all(report, out);
  const Json document = to_json(report);
  write_and_tell(out / kDocument, document.dump(1) + "\n");
  if (o.json) {
    print(document);
  } else {
    print(text_of(report), {{"Notes", console::Style::kHeading}});
  }
  return 0;
}

}  // namespace

void add_calibrate(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub = app.add_subcommand("calibrate", "Make a machine from what benchmarks measured on it");
  sub->add_option("--node", o->node, "hwloc XML file of a node: lstopo --of xml node.xml")->required();
  sub->add_option("--nodes", o->nodes, "number of such nodes (default 1)");
  sub->add_option("--name", o->name, "name of the machine (default: that of the XML file)");
  sub->add_option(
         "--port", o->ports,
         "an object of the node to which a network port is attached, for example \"Package 0\"; once for each of "
         "several ports")
      ->allow_extra_args(false);
  const auto add_files = [&](const char* option, std::vector<std::string>& files, const char* type, const char* about) {
    sub->add_option(option, files, about)->allow_extra_args(false)->type_name(type);
  };
  add_files("--probe", o->probe, "FILE", "samples.csv of strata probe");
  add_files("--osu", o->osu, "LEVEL=FILE",
            "output of an OSU micro-benchmark whose pairs met at this level; \"ports\": between two nodes, through one "
            "port of each");
  add_files("--imb", o->imb, "LEVEL=FILE", "output of IMB-MPI1");
  add_files("--hpcc", o->hpcc, "[LEVEL=]FILE",
            "output of HPCC (hpccoutf.txt); LEVEL is the outermost at which its processes meet "
            "(default: by their number, filling cores in order)");
  add_files("--stream", o->stream, "FILE", "output of STREAM");
  add_files("--smpi-calibration", o->smpi_calibration, "LEVEL=FILE", "CSV file of SMPI's platform-calibration");
  add_files("--kerncraft", o->kerncraft, "FILE", "machine file of kerncraft");
  sub->add_option("--out", o->out, "folder for machine.yaml, node.xml, calibration.json and the plots")
      ->required()
      ->writes(cli::Written::kFolder);
  sub->add_option("--ranks-per-node", o->prediction.ranks_per_node,
                  "how many ranks of a node the jobs of --imb, --osu and --hpcc had (default: one for each core)")
      ->check(cli::PositiveNumber);
  sub->add_option(
         "--most-messages", o->prediction.most_messages,
         "how many messages the predictions may take, which decides how long they run (default 1000000: about a "
         "minute)")
      ->check(cli::PositiveNumber);
  sub->add_flag("--no-simulation", o->no_simulation,
                "only calibrate: do not simulate the probe, nor predict collectives and rings");
  sub->add_flag("--json", o->json, "print the document of calibration.json instead of tables");
  sub->footer(
      "Options of files may be repeated. Every figure of machine.yaml says from which file it is, and its 95 % "
      "interval;\n"
      "what was not measured is assumed, and listed. Then the probe runs under simulation on the new machine, to see\n"
      "which figures come back, and collectives and rings of the files, which no figure is fitted to, are predicted.\n"
      "The machine is written before that: if a simulation fails, a note says why, and the machine stays.\n"
      "Examples:\n"
      "  strata calibrate --node probe/node.xml --nodes 2 --probe probe/samples.csv --out my-cluster\n"
      "  strata calibrate --node node.xml --osu Package=osu_latency.txt --stream stream.txt --out my-node\n"
      "  strata calibrate --node node.xml --nodes 16 --osu \"System - Cluster=net.txt\" --osu Package=osu_latency.txt "
      "--out my-cluster\n"
      "  strata calibrate --node node.xml --nodes 16 --port \"Package 0\" --port \"Package 1\" --osu ports=mbw_mr.txt "
      "--out c\n"
      "  strata calibrate --node node.xml --nodes 16 --imb \"System - Cluster=imb.txt\" --ranks-per-node 48 --out c\n"
      "  strata topo node.xml --nodes 16     # the names of the levels");
  sub->callback([o, &action] { action = [o] { return calibrate(*o); }; });
}

}  // namespace strata::command
