// SPDX-License-Identifier: LGPL-2.1-only
#include "models/crosscheck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/dims_text.h"
#include "base/error.h"
#include "models/halo.h"
#include "models/max_rate.h"
#include "models/message_cost.h"
#include "models/record_parameters.h"
#include "models/split_tree_prediction.h"
#include "models/summa.h"
#include "models/vectors.h"
#include "platforms/payload.h"
#include "records/program_defaults.h"
#include "records/rank_placements.h"

namespace strata::models {
namespace {

using programs::kDoubleBytes;
using programs::kElementBytes;

/// The inputs of the models of one program.
struct Context {
  Machine machine;
  std::vector<Binding> ranks;
  std::vector<Binding> threads;  // by rank; empty: there are none
  std::string records;           // the file, for error messages
  bool shimmed = false;          // the Cartesian shim may have made the program's communicators, by any method
};

enum class Model { kHockney, kLogGP, kMaxRate, kSplitTree };

// A model requested by a study.
struct RequestedModel {
  Model model;
  double tolerance;  // the deviation of the simulation that the study allows
};

Model model_of(const std::string& name, const std::string& where) {
  if (name == "hockney") return Model::kHockney;
  if (name == "loggp") return Model::kLogGP;
  if (name == "max-rate") return Model::kMaxRate;
  if (name == "split-tree") return Model::kSplitTree;
  throw InputError(where, "unknown model '" + name + "'", "known are hockney, loggp, max-rate and split-tree");
}

// The prediction for a schedule. Throws InputError if the record's parameters do not describe one.
template <class MakeSchedule>
Prediction predict_schedule(const Context& context, RequestedModel requested, MakeSchedule make,
                            TimeOf what = TimeOf::kLast) {
  try {
    const Schedule schedule = make();
    return requested.model == Model::kHockney ? predict_hockney(context.machine, context.ranks, schedule, what)
                                              : predict_loggp(context.machine, context.ranks, schedule, what);
  } catch (const std::invalid_argument& e) {
    throw InputError(context.records, e.what(), "check the scenario's sweep");
  }
}

std::optional<Prediction> predict_collective(const Context& context, const RecordParameters& parameters,
                                             RequestedModel requested) {
  const programs::CollectiveOptions usual;
  const std::optional<Collective> collective = find_collective(parameters.text_or("collective", usual.collective));
  const std::optional<Algorithm> algorithm = find_algorithm(parameters.text("algorithm"));
  const std::optional<Variant> variant = find_variant(parameters.text("variant"));
  if (!collective || !algorithm || !variant) return std::nullopt;
  if (!has_algorithm(*collective, *algorithm, *variant == Variant::kHierarchical)) return std::nullopt;
  const double elements = *collective == Collective::kBarrier ? 0 : parameters.number("elements");
  const CollectiveCase what{.collective = *collective,
                            .algorithm = *algorithm,
                            .root = static_cast<int>(parameters.number_or("root", usual.root)),
                            .payload = {.elements = static_cast<std::int64_t>(elements),
                                        .element_bytes = kElementBytes,
                                        .segment_bytes = parameters.number_or("segment", usual.segment_bytes)}};
  return predict_schedule(context, requested,
                          [&] { return schedule_of(context.machine, context.ranks, what, *variant); });
}

// Reads "3x4x2" as 3, 4, 2. Throws std::invalid_argument for any other text.
std::vector<int> parse_groups(const std::string& text, int least = 1) {
  std::vector<int> groups = parse_dims(text, least);
  if (groups.empty()) throw std::invalid_argument("'" + text + "' are not groups such as 3x4x2");
  return groups;
}

std::optional<Prediction> predict_vectors(const Context& context, const RecordParameters& parameters,
                                          RequestedModel requested) {
  const std::string which = parameters.text("hierarchy");
  const double bytes = kElementBytes * parameters.number("elements");
  return predict_schedule(context, requested, [&] {
    const Hierarchy hierarchy = which == "topo" ? topological_hierarchy(*context.machine.topology, context.ranks)
                                                : grouped_hierarchy(parse_groups(which));
    if (hierarchy.np != static_cast<int>(context.ranks.size())) {
      throw std::invalid_argument("hierarchy " + which + " of another number of ranks");
    }
    return vectors_schedule(hierarchy, bytes);
  });
}

std::optional<Prediction> predict_summa(const Context& context, const RecordParameters& parameters,
                                        RequestedModel requested) {
  const std::string variant = parameters.text("variant");
  const double block = parameters.number_or("block", programs::SummaOptions().block);
  const auto make = [&] {
    SummaCase what{.lines = SummaCase::Lines::kFlat, .groups = {1, 1}, .block = static_cast<int>(block)};
    if (variant == "topological") {
      what.lines = SummaCase::Lines::kTopology;
    } else if (variant != "simple") {
      const std::vector<int> groups = parse_groups(variant.substr(0, variant.rfind("-groups")));
      if (!variant.ends_with("-groups") || groups.size() != 2) {
        throw std::invalid_argument("variant '" + variant + "' is not one of simple, topological, 3x4-groups");
      }
      what.lines = SummaCase::Lines::kGroups;
      what.groups = {groups[0], groups[1]};
    }
    return summa_schedule(*context.machine.topology, context.ranks, what);
  };
  return predict_schedule(context, requested, make, TimeOf::kMean);
}

// The time is half of a round trip, which consists of a message each way. Both models predict the same, because the
// sender's overhead is part of the latency. (On a dragonfly, the two directions may use different paths.)
std::optional<Prediction> predict_pingpong(const Context& context, const RecordParameters& parameters, RequestedModel) {
  if (context.ranks.size() < 2) throw InputError(context.records, "a ping-pong of one rank", "give it two ranks");
  const MessageCosts costs(context.machine, context.ranks);
  const double bytes = parameters.number("bytes");
  const auto message_s = [&](int from, int to) {
    const MessageCost c = costs.between(context.ranks[from].core, context.ranks[to].core, bytes);
    return c.latency_s + (bytes + kEnvelopeBytes) / c.bandwidth_bytes_per_s;
  };
  return Prediction{.time = Seconds((message_s(0, 1) + message_s(1, 0)) / 2), .outside = ""};
}

// The number of steps, which are levels of the tree.
int steps_of(const Context& context, const RecordParameters& parameters) {
  const double steps = parameters.number("steps");
  if (steps != std::floor(steps) || steps > std::numeric_limits<int>::max()) {
    throw InputError(context.records, fmt::format("{} steps", steps), "give auto, blocking or a whole number");
  }
  return static_cast<int>(steps);
}

std::optional<Prediction> predict_nbc(const Context& context, const RecordParameters& parameters,
                                      RequestedModel requested) {
  const programs::NbcOptions usual;
  const TreeCollective* collective = find_tree_collective(parameters.text_or("collective", usual.collective));
  const double bytes = parameters.number("bytes");
  if (collective == nullptr || bytes == 0) return std::nullopt;
  NbcPoint point{.collective = *collective,
                 .bytes = Bytes(bytes),
                 .steps = {},
                 .blocking = false,
                 .arity = static_cast<int>(parameters.number_or("arity", usual.arity)),
                 .root = static_cast<int>(parameters.number_or("root", usual.root)),
                 .over_nodes = parameters.text_or("tree", usual.tree) == "nodes",
                 .computation = Seconds(parameters.number("work") / static_cast<double>(context.ranks.size()))};
  if (parameters.has_number("steps")) {
    point.steps = steps_of(context, parameters);
  } else {
    const std::string steps = parameters.text_or("steps", usual.steps);
    point.blocking = steps == "blocking";
    if (steps != "auto" && !point.blocking) return std::nullopt;
  }
  try {
    return predict_split_tree(context.machine, context.ranks, context.threads, point, requested.tolerance);
  } catch (const std::invalid_argument& e) {
    throw InputError(context.records, e.what(), "check the scenario's sweep");
  }
}

// Each of the first ranks on the node of rank 0 sends one message to a rank on the next node.
std::optional<Prediction> predict_pairs(const Context& context, const RecordParameters& parameters,
                                        RequestedModel requested) {
  const double pairs = parameters.number("pairs");
  std::vector<int> senders, receivers;
  for (int r = 0; r < static_cast<int>(context.ranks.size()); ++r) {
    const int node = context.ranks[r].node;
    if (node == context.ranks.front().node) {
      senders.push_back(r);
    } else if (receivers.empty() || node == context.ranks[receivers.front()].node) {
      receivers.push_back(r);
    }
  }
  if (pairs < 1 || pairs > static_cast<double>(std::min(senders.size(), receivers.size()))) {
    throw InputError(context.records,
                     fmt::format("{} pairs of nodes with {} and {} ranks", pairs, senders.size(), receivers.size()),
                     "check the scenario's sweep");
  }
  Exchange exchange{.messages = {}, .bytes = parameters.number("bytes"), .times = 1};
  for (int i = 0; i < static_cast<int>(pairs); ++i) exchange.messages.push_back({senders[i], receivers[i]});
  return predict_max_rate(context.machine, context.ranks, exchange, requested.tolerance);
}

// Predicts a sweep. Returns nothing for meshes made by MPI_Dims_create, and for orders other than the ranks' own and
// the paper's, which includes orders that the shim may have made.
std::optional<Prediction> predict_ncartperf(const Context& context, const RecordParameters& parameters,
                                            RequestedModel requested) {
  const programs::MeshOptions mesh;
  const programs::NcartperfOptions usual;
  if (!parameters.has("dims")) return std::nullopt;
  const std::string comm = parameters.text_or("comm", mesh.comm);
  const bool reordered = comm == "nodecart";
  if (reordered && parameters.text_or("method", mesh.method) != "nodecart") return std::nullopt;
  if (context.shimmed && comm == "cart") return std::nullopt;
  try {
    HaloCase halo{.dims = parse_groups(parameters.text("dims")),
                  .periods = {},
                  .order = reordered ? HaloCase::Order::kNodecart : HaloCase::Order::kRowMajor};
    halo.periods.assign(halo.dims.size(), false);
    if (parameters.has("periods")) {
      const std::vector<int> periods = parse_groups(parameters.text("periods"), 0);
      halo.periods.assign(periods.begin(), periods.end());
    }
    const Exchange exchange{.messages = halo_messages(halo, context.ranks),
                            .bytes = kDoubleBytes * parameters.number_or("n", usual.n),
                            .times = static_cast<int>(parameters.number_or("sweeps", usual.sweeps))};
    return predict_max_rate(context.machine, context.ranks, exchange, requested.tolerance);
  } catch (const std::invalid_argument& e) {
    throw InputError(context.records, e.what(), "check the scenario's sweep");
  }
}

// A program that has models.
struct Predictable {
  const char* program;
  std::vector<Model> models;
  std::optional<Prediction> (*predict)(const Context&, const RecordParameters&, RequestedModel);
};

const Predictable* find_predictable(const std::string& program) {
  static const std::vector<Predictable> all = {
      {"collective", {Model::kHockney, Model::kLogGP}, predict_collective},
      {"vectors", {Model::kHockney, Model::kLogGP}, predict_vectors},
      {"summa", {Model::kHockney, Model::kLogGP}, predict_summa},
      {"pingpong", {Model::kHockney, Model::kLogGP}, predict_pingpong},
      {"nbc", {Model::kSplitTree}, predict_nbc},
      {"pairs", {Model::kMaxRate}, predict_pairs},
      {"ncartperf", {Model::kMaxRate}, predict_ncartperf},
  };
  const auto at = std::find_if(all.begin(), all.end(), [&](const Predictable& p) { return p.program == program; });
  return at == all.end() ? nullptr : &*at;
}

double relative_residual(double simulated_s, double predicted_s) {
  if (simulated_s == predicted_s) return 0;
  if (predicted_s == 0) return std::numeric_limits<double>::infinity();
  return (simulated_s - predicted_s) / predicted_s;
}

bool is_within(double time_s, const Prediction::Bounds& bounds, double tolerance) {
  return time_s >= bounds.least.value * (1 - tolerance) && time_s <= bounds.most.value * (1 + tolerance);
}

}  // namespace

void require_known_models(const Study& study, const std::string& where) {
  for (const ModelCheck& check : study.models) model_of(check.model, where);
}

std::vector<CheckRow> cross_check(const Results& results) {
  const Study& study = results.manifest.study;
  const Predictable* program = find_predictable(study.program);
  std::vector<CheckRow> rows;
  if (program == nullptr || study.models.empty()) return rows;
  std::vector<RequestedModel> models;
  for (const ModelCheck& m : study.models)
    models.push_back({model_of(m.model, (results.folder / "manifest.json").string()), m.tolerance});
  Context context{.machine = load_machine(results.folder / "machine.yaml"),
                  .ranks = {},
                  .threads = {},
                  .records = (results.folder / "records.jsonl").string(),
                  .shimmed = study.shim != kShimOff || study.sweeps_shim()};
  std::filesystem::path placed;
  for (const Record& record : results.records) {
    if (record.metric != "time") continue;
    if (const auto file = bindings_file(study, record.parameters); file != placed) {
      RankPlacement placement = read_placement(results, record.parameters, *context.machine.topology);
      context.ranks = std::move(placement.ranks);
      context.threads = std::move(placement.progress);
      placed = file;
    }
    const RecordParameters parameters(results.manifest, record, context.records);
    const double simulated_s = parameters.seconds();
    for (size_t i = 0; i < models.size(); ++i) {
      const std::vector<Model>& known = program->models;
      if (std::find(known.begin(), known.end(), models[i].model) == known.end()) continue;
      const std::optional<Prediction> prediction = program->predict(context, parameters, models[i]);
      if (!prediction) continue;
      CheckRow row{.model = study.models[i].model,
                   .parameters = record.parameters,
                   .predicted_s = prediction->time.value,
                   .simulated_s = simulated_s,
                   .residual = relative_residual(simulated_s, prediction->time.value),
                   .tolerance = study.models[i].tolerance,
                   .verdict = Verdict::kAgrees,
                   .reason = prediction->outside};
      // In this form, a NaN residual does not agree.
      if (!(std::abs(row.residual) <= row.tolerance)) row.verdict = Verdict::kDisagrees;
      if (!prediction->outside.empty()) {
        row.verdict = Verdict::kOutside;
        if (const auto& bounds = prediction->bounds; bounds && !is_within(simulated_s, *bounds, row.tolerance)) {
          row.verdict = Verdict::kDisagrees;
          row.reason = fmt::format("not from {:.6g} s to {:.6g} s, which is all that its links let it take",
                                   bounds->least.value, bounds->most.value);
        }
      }
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace strata::models
