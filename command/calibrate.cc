// SPDX-License-Identifier: LGPL-2.1-only
// strata calibrate: a machine from what benchmarks measured on it.
#include "calibration/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>

#include "analysis/plot.h"
#include "calibration/levels.h"
#include "calibration/probe/samples.h"
#include "calibration/readers/hpcc.h"
#include "calibration/readers/imb.h"
#include "calibration/readers/kerncraft.h"
#include "calibration/readers/osu.h"
#include "calibration/readers/smpi_calibration.h"
#include "calibration/readers/stream.h"
#include "command/calibration_plots.h"
#include "command/command.h"
#include "platforms/error.h"
#include "platforms/units.h"
#include "records/output_error.h"

namespace strata::command {
namespace {

using calibration::CalibratedFigure;
using calibration::Calibration;
using calibration::Reading;

struct Options {
  std::string node, name, out;
  int nodes = 1;
  std::vector<std::string> probe, osu, imb, hpcc, stream, smpi_calibration, kerncraft;
};

// A file to read, and how.
struct Input {
  std::string file;
  std::function<Reading()> read;
};

using LevelReader = Reading (*)(const std::filesystem::path&, const std::string&);
using MemoryReader = Reading (*)(const std::filesystem::path&);

// "Package=osu.txt". Without a level `level` is taken, if there is one.
Input input_of(const std::string& option, const std::string& text, LevelReader read, const Machine& tree,
               std::string level = "") {
  if (tree.levels.empty())
    throw InputError(option + " " + text, "the machine has only one core, so there are no messages", "leave it out");
  std::string file = text;
  if (const size_t equals = text.find('='); equals != std::string::npos) {
    level = text.substr(0, equals);
    file = text.substr(equals + 1);
  }
  if (level.empty())
    throw InputError(option + " " + text, "does not say which level was measured",
                     "write LEVEL=FILE; cores of this machine meet at " + calibration::level_names(tree));
  calibration::require_level(tree, level, option + " " + text);
  return {file, [=] { return read(file, level); }};
}

std::vector<Input> inputs_of(const Options& o, const Machine& tree) {
  std::vector<Input> inputs;
  for (const std::string& f : o.osu) inputs.push_back(input_of("--osu", f, calibration::read_osu, tree));
  for (const std::string& f : o.imb) inputs.push_back(input_of("--imb", f, calibration::read_imb, tree));
  for (const std::string& f : o.hpcc) {
    const std::string outermost = tree.levels.empty() ? "" : tree.levels.front().level;
    inputs.push_back(input_of("--hpcc", f, calibration::read_hpcc, tree, outermost));
  }
  for (const std::string& f : o.smpi_calibration)
    inputs.push_back(input_of("--smpi-calibration", f, calibration::read_smpi_calibration, tree));
  const auto add_files = [&](const std::vector<std::string>& files, MemoryReader read) {
    for (const std::string& f : files) inputs.push_back({f, [=] { return read(f); }});
  };
  add_files(o.probe, calibration::read_probe);  // which says the levels itself
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

// Readers name a file by its last part; where two files have the same, their paths tell them apart.
std::vector<calibration::Measurement> read_all(const std::vector<Input>& inputs, std::vector<std::string>& notes) {
  std::map<std::string, std::vector<std::string>> paths;  // by last part
  for (const Input& i : inputs) {
    std::vector<std::string>& same = paths[std::filesystem::path(i.file).filename().string()];
    if (std::find(same.begin(), same.end(), i.file) == same.end()) same.push_back(i.file);
  }
  std::vector<calibration::Measurement> all;
  for (const Input& i : inputs) {
    Reading reading = i.read();
    std::fprintf(stderr, "%s: %zu measurements%s%s\n", i.file.c_str(), reading.measurements.size(),
                 reading.program.empty() ? "" : " of ", reading.program.c_str());
    const std::string last = std::filesystem::path(i.file).filename().string();
    const bool ambiguous = paths[last].size() > 1;
    for (calibration::Measurement& m : reading.measurements) {
      if (ambiguous && m.source.starts_with(last)) m.source = i.file + m.source.substr(last.size());
      all.push_back(std::move(m));
    }
    notes.insert(notes.end(), reading.notes.begin(), reading.notes.end());
  }
  return all;
}

const char* dimension_of(const std::string& unit) {
  for (const char* dimension : {"time", "bandwidth", "speed", "size"}) {
    if (unit_factor(dimension, unit) > 0) return dimension;
  }
  return "copies";
}

std::string interval_text(const CalibratedFigure& f) {
  if (!f.interval) return "";
  const double factor = unit_factor(dimension_of(f.figure.unit), f.figure.unit);
  const auto text = [](double v) { return v < 1000 ? fmt::format("{:.4g}", v) : fmt::format("{:.0f}", v); };
  return text(f.interval->low / factor) + " to " + text(f.interval->high / factor);
}

// "osu.txt, 22 samples" of "measured: osu.txt, 22 samples, +- 0.03 us": the interval has a column of its own.
std::string from_text(const CalibratedFigure& f) {
  std::string text = f.figure.source.substr(std::min(f.figure.source.size(), f.figure.source.find(": ") + 2));
  const size_t interval = text.find(", +- ");
  if (interval == std::string::npos) return text;
  const size_t rest = text.find_first_of(",;", interval + 2);
  return text.substr(0, interval) + (rest == std::string::npos ? "" : text.substr(rest));
}

void print_figures(const Calibration& c, bool measured) {
  size_t level = 5, name = 6, value = 5, interval = measured ? 13 : 0;
  const auto text_of = [](const CalibratedFigure& f) { return fmt::format("{} {}", f.figure.value, f.figure.unit); };
  for (const CalibratedFigure& f : c.figures) {
    level = std::max(level, f.level.size());
    name = std::max(name, f.name.size());
    value = std::max(value, text_of(f).size());
    if (measured) interval = std::max(interval, interval_text(f).size());
  }
  const auto row = [&](const std::string& a, const std::string& b, const std::string& v, const std::string& i,
                       const std::string& from) {
    std::string line = fmt::format("{:<{}}  {:<{}}  {:>{}}", a, level, b, name, v, value);
    if (measured) line += fmt::format("  {:<{}}", i, interval);
    fmt::print("{}  {}\n", line, from);
  };
  row("level", "figure", "value", "95 % interval", "from");
  for (const CalibratedFigure& f : c.figures) {
    if (f.is_measured() == measured) row(f.level, f.name, text_of(f), interval_text(f), from_text(f));
  }
}

void print(const Calibration& c, const std::vector<std::string>& notes) {
  fmt::print("Measured\n");
  print_figures(c, true);
  const bool any = std::any_of(c.figures.begin(), c.figures.end(), [](const auto& f) { return !f.is_measured(); });
  if (any) {
    fmt::print("\nStill assumed\n");
    print_figures(c, false);
  }
  if (!notes.empty()) fmt::print("\nNotes\n");
  for (const std::string& note : notes) fmt::print("{}\n", note);
}

int calibrate(const Options& o) {
  Machine defaults = machine_from_xml(o.node, o.nodes);
  if (!o.name.empty()) defaults.name = o.name;
  std::vector<std::string> notes;
  const std::vector<calibration::Measurement> measurements = read_all(inputs_of(o, defaults), notes);
  const Calibration c = calibration::calibrate(defaults, measurements);
  notes.insert(notes.end(), c.notes.begin(), c.notes.end());
  const std::filesystem::path out = o.out;
  std::error_code error;
  std::filesystem::create_directories(out, error);
  if (error) throw OutputError(o.out, "cannot be made: " + error.message(), "give another folder with --out");
  save_machine(c.machine, out);
  load_machine(out / "machine.yaml");  // what other commands will do
  std::fprintf(stderr, "wrote %s\n", (out / "machine.yaml").c_str());
  for (const calibration::LevelCurve& curve : c.curves) {
    for (const analysis::Chart& chart : {fit_chart(curve), residuals_chart(curve)})
      std::fprintf(stderr, "wrote %s\n", analysis::draw(chart, out).c_str());
  }
  print(c, notes);
  return 0;
}

}  // namespace

void add_calibrate(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub = app.add_subcommand("calibrate", "Make a machine from what benchmarks measured on it");
  sub->add_option("--node", o->node, "hwloc XML file of a node: lstopo --of xml node.xml")->required();
  sub->add_option("--nodes", o->nodes, "number of such nodes (default 1)");
  sub->add_option("--name", o->name, "name of the machine (default: that of the XML file)");
  const auto add_files = [&](const char* option, std::vector<std::string>& files, const char* type, const char* about) {
    sub->add_option(option, files, about)->allow_extra_args(false)->type_name(type);
  };
  add_files("--probe", o->probe, "FILE", "samples.csv of strata probe");
  add_files("--osu", o->osu, "LEVEL=FILE", "output of an OSU micro-benchmark whose pairs met at this level");
  add_files("--imb", o->imb, "LEVEL=FILE", "output of IMB-MPI1");
  add_files("--hpcc", o->hpcc, "[LEVEL=]FILE", "summary of HPCC (hpccoutf.txt); without a level the outermost");
  add_files("--stream", o->stream, "FILE", "output of STREAM");
  add_files("--smpi-calibration", o->smpi_calibration, "LEVEL=FILE", "CSV file of SMPI's platform-calibration");
  add_files("--kerncraft", o->kerncraft, "FILE", "machine file of kerncraft");
  sub->add_option("--out", o->out, "folder for machine.yaml, node.xml and the plots of the fits")->required();
  sub->footer(
      "Options of files may be repeated. Every figure of machine.yaml says from which file it is, and its 95 % "
      "interval;\n"
      "what was not measured is assumed, and listed.\n"
      "Examples:\n"
      "  strata calibrate --node probe/node.xml --nodes 2 --probe probe/samples.csv --out my-cluster\n"
      "  strata calibrate --node node.xml --osu Package=osu_latency.txt --stream stream.txt --out my-node\n"
      "  strata calibrate --node node.xml --nodes 16 --osu \"System - Cluster=net.txt\" --osu Package=osu_latency.txt "
      "--out my-cluster\n"
      "  strata topo node.xml --nodes 16     # the names of the levels");
  sub->callback([o, &action] { action = [o] { return calibrate(*o); }; });
}

}  // namespace strata::command
