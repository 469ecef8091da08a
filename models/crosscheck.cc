#include "models/crosscheck.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "models/message_cost.h"
#include "models/record_parameters.h"
#include "models/split_tree_prediction.h"
#include "models/summa.h"
#include "models/vectors.h"
#include "platforms/error.h"
#include "sim/record/placement.h"

namespace strata::models {
namespace {

constexpr double kElementBytes = 4;  // RR-9077, Section 7: elements are four-byte integers

/// What the models of one program need.
struct Context {
  Machine machine;
  std::vector<Binding> ranks;
  std::vector<Binding> threads;  // by rank; empty: none
  std::string records;           // the file, for errors
};

enum class Model { kHockney, kLogGP, kSplitTree };

Model model_of(const std::string& name, const std::string& where) {
  if (name == "hockney") return Model::kHockney;
  if (name == "loggp") return Model::kLogGP;
  if (name == "split-tree") return Model::kSplitTree;
  throw InputError(where, "unknown model '" + name + "'", "known are hockney, loggp and split-tree");
}

// What the models say of a schedule. Throws InputError where the record's parameters make none.
template <class MakeSchedule>
Prediction predict_schedule(const Context& context, Model model, MakeSchedule make, TimeOf what = TimeOf::kLast) {
  try {
    const Schedule schedule = make();
    return model == Model::kHockney ? predict_hockney(context.machine, context.ranks, schedule, what)
                                    : predict_loggp(context.machine, context.ranks, schedule, what);
  } catch (const std::invalid_argument& e) {
    throw InputError(context.records, e.what(), "check the scenario's sweep");
  }
}

std::optional<Prediction> predict_collective(const Context& context, const RecordParameters& parameters, Model model) {
  const std::optional<Collective> collective =
      find_collective(parameters.has("collective") ? parameters.text("collective") : "bcast");
  const std::optional<Algorithm> algorithm = find_algorithm(parameters.text("algorithm"));
  const std::optional<Variant> variant = find_variant(parameters.text("variant"));
  const auto or_0 = [&](const char* name) { return parameters.has(name) ? parameters.number(name) : 0; };
  if (!collective || !algorithm || !variant) return std::nullopt;
  if (!has_algorithm(*collective, *algorithm, *variant == Variant::kHierarchical)) return std::nullopt;
  const double elements = *collective == Collective::kBarrier ? 0 : parameters.number("elements");
  const CollectiveCase what{.collective = *collective,
                            .algorithm = *algorithm,
                            .root = static_cast<int>(or_0("root")),
                            .payload = {.elements = static_cast<std::int64_t>(elements),
                                        .element_bytes = kElementBytes,
                                        .segment_bytes = or_0("segment")}};
  return predict_schedule(context, model, [&] { return schedule_of(context.machine, context.ranks, what, *variant); });
}

// "3x4x2" as 3, 4, 2. Throws std::invalid_argument where it is something else.
std::vector<int> parse_groups(const std::string& text) {
  std::vector<int> groups;
  for (const char *at = text.data(), *end = at + text.size(); at <= end; ++at) {
    int number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || (next != end && *next != 'x')) {
      throw std::invalid_argument("'" + text + "' are no groups as 3x4x2");
    }
    groups.push_back(number);
    at = next;
  }
  return groups;
}

std::optional<Prediction> predict_vectors(const Context& context, const RecordParameters& parameters, Model model) {
  const std::string which = parameters.text("hierarchy");
  const double bytes = kElementBytes * parameters.number("elements");
  return predict_schedule(context, model, [&] {
    const Hierarchy hierarchy = which == "topo" ? topological_hierarchy(*context.machine.topology, context.ranks)
                                                : grouped_hierarchy(parse_groups(which));
    if (hierarchy.np != static_cast<int>(context.ranks.size())) {
      throw std::invalid_argument("hierarchy " + which + " of another number of ranks");
    }
    return vectors_schedule(hierarchy, bytes);
  });
}

std::optional<Prediction> predict_summa(const Context& context, const RecordParameters& parameters, Model model) {
  constexpr double kUsualBlock = 8;  // the program's own
  const std::string variant = parameters.text("variant");
  const double block = parameters.has("block") ? parameters.number("block") : kUsualBlock;
  const auto make = [&] {
    SummaCase what{.lines = SummaCase::Lines::kFlat, .groups = {1, 1}, .block = static_cast<int>(block)};
    if (variant == "topological") {
      what.lines = SummaCase::Lines::kTopology;
    } else if (variant != "simple") {
      const std::vector<int> groups = parse_groups(variant.substr(0, variant.rfind("-groups")));
      if (!variant.ends_with("-groups") || groups.size() != 2) {
        throw std::invalid_argument("variant '" + variant + "' is none of simple, topological, 3x4-groups");
      }
      what.lines = SummaCase::Lines::kGroups;
      what.groups = {groups[0], groups[1]};
    }
    return summa_schedule(*context.machine.topology, context.ranks, what);
  };
  return predict_schedule(context, model, make, TimeOf::kMean);
}

// Half a round trip is one message, of which both models say the same: its sender's overhead is part of the latency.
std::optional<Prediction> predict_pingpong(const Context& context, const RecordParameters& parameters, Model) {
  if (context.ranks.size() < 2) throw InputError(context.records, "a ping-pong of one rank", "give it two ranks");
  const MessageCost c = MessageCosts(context.machine).between(context.ranks[0].core, context.ranks[1].core);
  const double wire_bytes = parameters.number("bytes") + kEnvelopeBytes;
  return Prediction{.time = Seconds(c.latency_s + wire_bytes / c.bandwidth_bytes_per_s), .outside = ""};
}

// A number of steps, which are levels of the tree.
int steps_of(const Context& context, const RecordParameters& parameters) {
  const double steps = parameters.number("steps");
  if (steps != std::floor(steps) || steps > std::numeric_limits<int>::max()) {
    throw InputError(context.records, fmt::format("{} steps", steps), "give auto, blocking or a whole number");
  }
  return static_cast<int>(steps);
}

// `negligible` as in predict_split_tree: what the study lets the simulation differ by.
std::optional<Prediction> predict_nbc(const Context& context, const RecordParameters& parameters, double negligible) {
  const TreeCollective* collective =
      find_tree_collective(parameters.has("collective") ? parameters.text("collective") : "ireduce");
  const double bytes = parameters.number("bytes");
  if (collective == nullptr || bytes == 0) return std::nullopt;
  const auto or_else = [&](const char* name, int usual) {
    return parameters.has(name) ? static_cast<int>(parameters.number(name)) : usual;
  };
  NbcPoint point{.collective = *collective,
                 .bytes = Bytes(bytes),
                 .steps = {},
                 .blocking = false,
                 .arity = or_else("arity", 2),
                 .root = or_else("root", 0),
                 .over_nodes = parameters.has("tree") && parameters.text("tree") == "nodes",
                 .computation = Seconds(parameters.number("work") / static_cast<double>(context.ranks.size()))};
  if (parameters.has_number("steps")) {
    point.steps = steps_of(context, parameters);
  } else {
    const std::string steps = parameters.has("steps") ? parameters.text("steps") : "auto";
    point.blocking = steps == "blocking";
    if (steps != "auto" && !point.blocking) return std::nullopt;
  }
  try {
    return predict_split_tree(context.machine, context.ranks, context.threads, point, negligible);
  } catch (const std::invalid_argument& e) {
    throw InputError(context.records, e.what(), "check the scenario's sweep");
  }
}

using Predictor = std::optional<Prediction> (*)(const Context&, const RecordParameters&, Model);

Predictor predictor_of(const std::string& program) {
  if (program == "collective") return predict_collective;
  if (program == "vectors") return predict_vectors;
  if (program == "summa") return predict_summa;
  if (program == "pingpong") return predict_pingpong;
  return nullptr;
}

double relative_residual(double simulated_s, double predicted_s) {
  if (simulated_s == predicted_s) return 0;
  if (predicted_s == 0) return std::numeric_limits<double>::infinity();
  return (simulated_s - predicted_s) / predicted_s;
}

}  // namespace

void require_known_models(const Study& study, const std::string& where) {
  for (const ModelCheck& check : study.models) model_of(check.model, where);
}

std::vector<CheckRow> cross_check(const Results& results) {
  const Study& study = results.manifest.study;
  const Predictor predict = predictor_of(study.program);
  std::vector<CheckRow> rows;
  const bool is_nbc = study.program == "nbc";
  if ((predict == nullptr && !is_nbc) || study.models.empty()) return rows;
  std::vector<Model> models;
  for (const ModelCheck& m : study.models)
    models.push_back(model_of(m.model, (results.folder / "manifest.json").string()));
  Context context{.machine = load_machine(results.folder / "machine.yaml"),
                  .ranks = {},
                  .threads = {},
                  .records = (results.folder / "records.jsonl").string()};
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
      if ((models[i] == Model::kSplitTree) != is_nbc) continue;
      const std::optional<Prediction> prediction = is_nbc ? predict_nbc(context, parameters, study.models[i].tolerance)
                                                          : predict(context, parameters, models[i]);
      if (!prediction) continue;
      CheckRow row{.model = study.models[i].model,
                   .parameters = record.parameters,
                   .predicted_s = prediction->time.value,
                   .simulated_s = simulated_s,
                   .residual = relative_residual(simulated_s, prediction->time.value),
                   .tolerance = study.models[i].tolerance,
                   .verdict = Verdict::kAgrees,
                   .reason = prediction->outside};
      // Written so that a residual that is no number does not agree.
      if (!(std::abs(row.residual) <= row.tolerance)) row.verdict = Verdict::kDisagrees;
      if (!prediction->outside.empty()) row.verdict = Verdict::kOutside;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace strata::models
