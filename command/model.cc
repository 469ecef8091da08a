// SPDX-License-Identifier: LGPL-2.1-only
// strata model: predictions of the models for a native and a hierarchical collective on a machine, and the levels on
// which its time is spent. Also shows how well the models describe the simulated machine. JSON:
// schemas/model.schema.json, schemas/fit.schema.json and schemas/memory.schema.json.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <ranges>
#include <span>
#include <stdexcept>

#include "base/error.h"
#include "command/command.h"
#include "command/fit_table.h"
#include "command/print.h"
#include "models/memory_uses.h"
#include "models/prediction.h"
#include "records/study.h"

namespace strata::command {
namespace {

struct Options {
  MachineOptions machine;
  std::string collective = "bcast", algorithm = "linear", variant;
  int root = 0;
  double segment_bytes = 0;
  std::vector<double> elements = {1, 1000, 1000000};
  std::vector<int> groups;
  bool fit = false, memory = false, json = false;
};

struct NamedVariant {
  std::string name;
  models::Variant variant;
};

struct NamedModel {
  const char* name;
  models::CostModel model;
};

constexpr std::array kModels = {NamedModel{"hockney", models::CostModel::kHockney},
                                NamedModel{"loggp", models::CostModel::kLogGP}};

std::string join(std::span<const models::Algorithm> algorithms) {
  const auto names = algorithms | std::views::transform([](models::Algorithm a) { return name_of(a); });
  return fmt::format("{}", fmt::join(names, ", "));
}

constexpr double kElementBytes = 4;  // RR-9077, Section 7: elements are four-byte integers

// What is wrong with a number of elements or bytes; empty if nothing is.
std::string whole_number_fault(const std::string& text) {
  constexpr double kMost = 1e15;  // all whole numbers up to this are exact doubles
  double value = -1;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  const bool sound = error == std::errc() && at == end && value >= 0 && value <= kMost && value == std::floor(value);
  return sound ? "" : "'" + text + "' is not a whole number from 0 to 1e15";
}

// Prints 2 instead of 2.0.
Json whole_or_not(double value) { return value == std::floor(value) ? Json(static_cast<long>(value)) : Json(value); }

int fit(const Options& o) {
  const sim::Installation installation = sim::find_installation();
  const Machine machine = o.machine.load(installation);
  const std::vector<models::LevelFit> fits = fit_machine(machine, installation);
  const std::vector<models::OverheadFit> overheads = measure_overheads(machine, installation);
  const std::vector<MemoryFit> memory = fit_memory(machine, installation);
  const bool agree = fits_agree(fits) && fits_agree(overheads) && fits_agree(memory);
  if (!o.json) {
    print(fit_table(fits), {{"level", console::Style::kHeading}});
    if (!overheads.empty()) print("\n" + fit_table(overheads), {{"overhead", console::Style::kHeading}});
    if (!memory.empty()) print("\n" + fit_table(memory), {{"memory", console::Style::kHeading}});
  } else {
    Json document = {
        {"schema", "strata.fit/1"}, {"machine", machine.name}, {"tolerance", kFitTolerance}, {"agree", agree}};
    for (const models::LevelFit& f : fits) {
      document["levels"].push_back({{"level", f.level},
                                    {"from_bytes", f.from_bytes},
                                    {"hops", whole_or_not(f.hops)},
                                    {"latency_s", f.fitted.latency.value},
                                    {"bandwidth_bytes_per_s", f.fitted.bandwidth.value},
                                    {"machine_latency_s", f.latency.value},
                                    {"machine_bandwidth_bytes_per_s", f.bandwidth.value},
                                    {"latency_difference", f.latency_difference},
                                    {"bandwidth_difference", f.bandwidth_difference}});
    }
    for (const models::OverheadFit& f : overheads) {
      document["overheads"].push_back({{"level", f.level},
                                       {"from_bytes", f.from_bytes},
                                       {"send_s", f.send.value},
                                       {"receive_s", f.receive.value},
                                       {"machine_send_s", f.machine_send.value},
                                       {"machine_receive_s", f.machine_receive.value},
                                       {"send_difference", f.send_difference},
                                       {"receive_difference", f.receive_difference}});
    }
    for (const MemoryFit& f : memory) {
      document["memory"].push_back({{"work", f.work},
                                    {"cores", f.cores},
                                    {"bandwidth_bytes_per_s", f.measured.value},
                                    {"machine_bandwidth_bytes_per_s", f.machine.value},
                                    {"difference", f.difference}});
    }
    print(document);
  }
  if (!agree) std::fputs("strata: the fit differs from the machine's description by more than 1 %\n", stderr);
  return agree ? 0 : 1;
}

// The saturation curve of the machine's first memory.
int memory(const Options& o) {
  constexpr double kGiga = 1e9;
  const Machine machine = o.machine.load(sim::find_installation());
  if (!machine.memory) {
    throw InputError("machine " + machine.name, "has no figures of its memory", "give `costs.memory` in machine.yaml");
  }
  const std::string name = Memories(*machine.topology).name(0);
  const std::vector<models::SaturationPoint> curve = models::saturation_curve(machine);
  if (!o.json) {
    fmt::print("{} of {}, bytes read plus written\n", name, machine.name);
    fmt::print("{:>5}{:>12}{:>14}{:>12}\n", "cores", "copy GB/s", "combine GB/s", "triad GB/s");
    for (const models::SaturationPoint& p : curve) {
      fmt::print("{:>5}{:>12.2f}{:>14.2f}{:>12.2f}\n", p.cores, p.copy.value / kGiga, p.combine.value / kGiga,
                 p.triad.value / kGiga);
    }
    return 0;
  }
  Json document = {
      {"schema", "strata.memory/1"}, {"machine", machine.name}, {"memory", name}, {"curve", Json::array()}};
  for (const models::SaturationPoint& p : curve) {
    document["curve"].push_back({{"cores", p.cores},
                                 {"copy_bytes_per_s", p.copy.value},
                                 {"combine_bytes_per_s", p.combine.value},
                                 {"triad_bytes_per_s", p.triad.value}});
  }
  print(document);
  return 0;
}

// One prediction, for a number of elements, a variant and a model.
struct Row {
  double elements;
  std::string variant, model;
  models::Prediction prediction;
  models::Explanation why;
};

Json to_json(const Row& row) {
  Json levels = Json::array();
  for (const models::LevelShare& l : row.why.path.levels) {
    levels.push_back({{"level", l.level}, {"messages", l.messages}, {"time_s", l.seconds}});
  }
  const std::string& outside = row.prediction.outside;
  return {{"variant", row.variant},
          {"model", row.model},
          {"elements", row.elements},
          {"time_s", row.prediction.time.value},
          {"outside", outside.empty() ? Json() : Json(outside)},
          {"critical_path",
           {{"messages", row.why.path.messages}, {"levels", levels}, {"combine_s", row.why.path.combine_s}}},
          {"busiest_link",
           {{"link", row.why.busiest_link.empty() ? Json() : Json(row.why.busiest_link)},
            {"messages", row.why.link_messages},
            {"bytes", row.why.link_bytes},
            {"time_s", row.why.link_time.value}}}};
}

// "System - Cluster 216 of 239 messages, 93 %; NUMANode 23, 5 %; combining 2 %"
std::string describe(const models::PathSummary& path, Seconds time) {
  const auto percent = [&](double seconds) { return 100 * seconds / time.value; };
  std::string text;
  for (const models::LevelShare& l : path.levels) {
    const std::string of = text.empty() ? fmt::format(" of {} messages", path.messages) : "";
    text += fmt::format("{}{} {}{}, {:.3g} %", text.empty() ? "" : "; ", l.level, l.messages, of, percent(l.seconds));
  }
  if (path.combine_s > 0) {
    text += fmt::format("{}combining {:.3g} %", text.empty() ? "" : "; ", percent(path.combine_s));
  }
  return text;
}

void print_text(const std::vector<Row>& rows) {
  const auto heading = [](const std::string& text) { fmt::print("{}\n", styled(console::Style::kHeading, text)); };
  heading(fmt::format("{:>10}  {:<8}  {:<12}{:>14}{:>8}  {}", "elements", "model", "variant", "time us", "factor",
                      "outside the model's assumptions"));
  for (const Row& row : rows) {
    std::string factor;  // native / hierarchical
    for (const Row& native : rows) {
      const bool pair = row.variant == "hierarchical" && native.variant == "native" && native.model == row.model &&
                        native.elements == row.elements && row.prediction.time.value > 0;
      if (pair) factor = fmt::format("{:.3g}", native.prediction.time / row.prediction.time);
    }
    fmt::print("{:>10}  {:<8}  {:<12}{:>14.4f}{:>8}  {}\n", row.elements, row.model, row.variant,
               row.prediction.time.value * 1e6, factor, row.prediction.outside);
  }
  fmt::print("\n");
  heading("Critical path: messages one after another by the level that they cross, and their share of the time");
  for (const Row& row : rows) {
    fmt::print("{:>10}  {:<8}  {:<12}  {}\n", row.elements, row.model, row.variant,
               describe(row.why.path, row.prediction.time));
  }
  fmt::print("\n");
  heading("Busiest link: its bytes, and the least time that these take with any contention");
  for (const Row& row : rows) {
    if (row.model != kModels[0].name || row.why.busiest_link.empty()) continue;  // the same in both models
    fmt::print("{:>10}  {:<8}  {:<12}{:>14.4f} us, {}: {} messages, {:.4g} B\n", row.elements, "", row.variant,
               row.why.link_time.value * 1e6, row.why.busiest_link, row.why.link_messages, row.why.link_bytes);
  }
}

// The variants to predict. Throws InputError if the collective does not have the algorithm, or not in that form.
std::vector<NamedVariant> variants_of(const Options& o, models::Collective collective, models::Algorithm algorithm) {
  std::vector<NamedVariant> variants;
  for (const NamedVariant& v : {NamedVariant{"native", models::Variant::kNative},
                                NamedVariant{"hierarchical", models::Variant::kHierarchical}}) {
    const bool has = has_algorithm(collective, algorithm, v.variant == models::Variant::kHierarchical);
    if (o.variant == v.name && !has) {
      throw InputError("--algorithm", fmt::format("{} has no {} {}", o.collective, v.name, o.algorithm),
                       "it has " + join(algorithms_of(collective)) + "; ring and recursive-doubling only natively");
    }
    if (has && (o.variant.empty() || o.variant == v.name)) variants.push_back(v);
  }
  if (variants.empty()) {
    throw InputError("--algorithm", fmt::format("{} has no {}", o.collective, o.algorithm),
                     "it has " + join(algorithms_of(collective)));
  }
  return variants;
}

int predict(const Options& o) {
  const Machine machine = o.machine.load(sim::find_installation());
  const std::vector<Binding> ranks = o.machine.place_on(machine);
  const int np = static_cast<int>(ranks.size());
  if (o.root < 0 || o.root >= np) {
    throw InputError("--root", fmt::format("{} is not a rank", o.root), fmt::format("give 0 to {}", np - 1));
  }
  const models::Collective collective = models::find_collective(o.collective).value();
  const models::Algorithm algorithm = models::find_algorithm(o.algorithm).value();
  const std::vector<NamedVariant> variants = variants_of(o, collective, algorithm);
  const models::Hierarchy hierarchy =
      o.groups.empty() ? models::topological_hierarchy(*machine.topology, ranks) : models::grouped_hierarchy(o.groups);
  if (hierarchy.np != np) {
    throw InputError("--groups", fmt::format("their product is {}, but there are {} ranks", hierarchy.np, np),
                     fmt::format("give groups whose product is {}", np));
  }
  std::vector<Row> rows;
  const std::vector<double> sizes =
      collective == models::Collective::kBarrier ? std::vector<double>{0} : o.elements;  // a barrier has no elements
  for (const double elements : sizes) {
    const models::CollectiveCase what{.collective = collective,
                                      .algorithm = algorithm,
                                      .root = o.root,
                                      .payload = {.elements = static_cast<std::int64_t>(elements),
                                                  .element_bytes = kElementBytes,
                                                  .segment_bytes = o.segment_bytes}};
    for (const NamedVariant& v : variants) {
      models::Schedule schedule;
      try {
        schedule =
            v.variant == models::Variant::kNative ? flat_schedule(what, np) : hierarchical_schedule(what, hierarchy);
      } catch (const std::invalid_argument& e) {
        throw InputError("command line", e.what(), "give longer segments or fewer ranks");
      }
      for (const NamedModel& m : kModels) {
        const bool hockney = m.model == models::CostModel::kHockney;
        rows.push_back({.elements = elements,
                        .variant = v.name,
                        .model = m.name,
                        .prediction = hockney ? predict_hockney(machine, ranks, schedule)
                                              : predict_loggp(machine, ranks, schedule),
                        .why = explain(machine, ranks, schedule, m.model)});
      }
    }
  }
  if (!o.json) {
    fmt::print("{}, {}, {} ranks on {}\n", o.collective, o.algorithm, np, machine.name);
    print_text(rows);
    return 0;
  }
  Json document = {{"schema", "strata.model/1"}, {"machine", machine.name},          {"np", np},
                   {"collective", o.collective}, {"algorithm", o.algorithm},         {"root", o.root},
                   {"groups", o.groups},         {"segment_bytes", o.segment_bytes}, {"predictions", Json::array()}};
  for (const Row& row : rows) document["predictions"].push_back(to_json(row));
  print(document);
  return 0;
}

}  // namespace

void add_model(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub =
      app.add_subcommand("model", "Predict the time of a collective by Hockney's model and LogGP, level by level");
  o->machine.add_machine(*sub);
  o->machine.add_placement(*sub);
  const auto names = [](const auto& table) {
    std::vector<std::string> list;
    for (const auto& [name, value] : table) list.emplace_back(name);
    return list;
  };
  sub->add_option("--collective", o->collective, "bcast (default), reduce, allreduce, gather, scatter, ...")
      ->check(cli::IsMember(names(models::kCollectives)));
  sub->add_option("--algorithm", o->algorithm, "linear (default), chain, pipeline, binary, binomial, ...")
      ->check(cli::IsMember(names(models::kAlgorithms)));
  sub->add_option("--variant", o->variant, "native or hierarchical (default: both)")
      ->check(cli::IsMember({"native", "hierarchical"}));
  auto* groups = sub->add_option(
      "--groups", o->groups, "groups on each level of a hierarchy that replaces the machine's, for example 3,4,2,3,8");
  groups->delimiter(',')->check(cli::Range(1, 1'000'000));
  sub->add_option("--root", o->root, "root of the collective (default 0)");
  sub->add_option("--segment", o->segment_bytes,
                  "for bcast, reduce, allreduce: segment size in bytes; 0 (default): one segment")
      ->check(cli::Validator(whole_number_fault, "WHOLE", "bytes"));
  sub->add_option("--elements", o->elements, "message sizes in elements of 4 bytes, for example 1,1000")
      ->delimiter(',')
      ->check(cli::Validator(whole_number_fault, "WHOLE", "elements"));
  auto* fits = sub->add_flag(
      "--fit", o->fit,
      "fit alpha and beta of every level to simulated ping-pongs instead, and measure overheads and memory; exit 1 if "
      "the machine differs by > 1 %");
  sub->add_flag("--memory", o->memory, "show instead what the memory of a NUMA node carries by the number of cores")
      ->excludes(fits);
  sub->add_flag("--json", o->json, "print one JSON document");
  sub->footer(
      "Examples:\n  strata model --machine ntw10e5 --algorithm binomial --variant hierarchical\n"
      "  strata model --machine ntw10e5 --collective reduce --algorithm pipeline --elements 1000\n"
      "  strata model --machine ntw10e5 --algorithm chain --elements 1000000 --segment 65536 --json\n"
      "  strata model --machine ntw10e5 --fit");
  sub->callback([o, &action] { action = [o] { return o->fit ? fit(*o) : o->memory ? memory(*o) : predict(*o); }; });
}

}  // namespace strata::command
