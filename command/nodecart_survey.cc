// SPDX-License-Identifier: LGPL-2.1-only
// strata nodecart survey: the quality of Cartesian mappings on random inputs (nodecart_inputs.h). It counts how often
// each mapping is better and worse than MPI's own order (cart) and how often it is the best, and measures how far it is
// from the best. JSON: schemas/nodecart-survey.schema.json.
#include "command/nodecart_survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>

#include "base/child.h"
#include "base/limits.h"
#include "check/areas/nodecart_inputs.h"
#include "command/print.h"
#include "console/progress.h"
#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/cart/partners.h"
#include "records/study.h"

namespace strata::command {
namespace {

using check::NodecartInput;
using mpix::CartMethod;

constexpr int kMostInputs = 10'000'000;

struct Options {
  int inputs = 10'000, max_processes = 4096;
  uint64_t seed = 1;
  bool markdown = false, json = false;
};

struct Ratios {
  double sum = 0, worst = 1;

  // Both are 0 if all processes are on one node and all dimensions are periodic.
  void add(long off, long reference) {
    const double ratio = reference == 0 ? 1 : static_cast<double>(off) / static_cast<double>(reference);
    sum += ratio;
    worst = std::max(worst, ratio);
  }
};

struct Score {
  long possible = 0, better = 0, equal = 0, worse = 0, best = 0;
  Ratios over_blocks, over_best;
};

struct Survey {
  const char* nodes;
  long inputs = 0;
  std::map<CartMethod, Score> scores = {};
};

// The results of all methods that are applicable.
std::map<CartMethod, long> off_node_partners(const NodecartInput& input) {
  std::map<CartMethod, long> off;
  for (const CartMethod method : mpix::cart_methods()) {
    try {
      const mpix::Mapping mapping = map_processes(input.mesh, input.places, method);
      const std::vector<int> nodes = mpix::groups_by_position(mapping.new_rank, input.places.nodes());
      off[method] = count_partners(input.mesh, nodes).off.total;
    } catch (const mpix::Unmappable&) {
      continue;  // counted as not applicable
    }
  }
  return off;
}

void add(const std::map<CartMethod, long>& off, Survey& survey) {
  ++survey.inputs;
  const long cart = off.at(CartMethod::kCart);
  const long best =
      std::min_element(off.begin(), off.end(), [](auto& a, auto& b) { return a.second < b.second; })->second;
  const auto blocks = off.find(CartMethod::kBlocks);
  for (const auto& [method, partners] : off) {
    Score& score = survey.scores[method];
    ++score.possible;
    ++(partners < cart ? score.better : partners > cart ? score.worse : score.equal);
    if (partners == best) ++score.best;
    if (blocks != off.end()) score.over_blocks.add(partners, blocks->second);
    score.over_best.add(partners, best);
  }
}

std::array<Survey, 2> survey_of(const Options& o) {
  std::array<Survey, 2> surveys = {Survey{"equal"}, Survey{"unequal"}};
  std::mt19937_64 engine(o.seed);
  const SignalGuard guard;
  console::Progress progress({.what = ""});
  for (int i = 0; i < o.inputs; ++i) {
    const NodecartInput input = check::random_nodecart_input(engine, o.max_processes);
    add(off_node_partners(input), surveys[input.equal ? 0 : 1]);
    SignalGuard::check();
    progress.working(fmt::format("{} of {} inputs", i + 1, o.inputs), static_cast<double>(i + 1) / o.inputs);
  }
  return surveys;
}

bool has_blocks(const Survey& survey) { return survey.scores.count(CartMethod::kBlocks) != 0; }

Json to_json(const Options& o, const std::array<Survey, 2>& surveys) {
  Json document = {{"schema", "strata.nodecart-survey/1"},
                   {"inputs", o.inputs},
                   {"seed", o.seed},
                   {"max_processes", o.max_processes},
                   {"nodes", Json::array()}};
  for (const Survey& survey : surveys) {
    Json methods = Json::array();
    for (const auto& [method, s] : survey.scores) {
      const auto ratios = [count = static_cast<double>(s.possible)](const Ratios& r) {
        return Json{{"mean", r.sum / count}, {"worst", r.worst}};
      };
      methods.push_back({{"method", name_of(method)},
                         {"possible", s.possible},
                         {"better", s.better},
                         {"equal", s.equal},
                         {"worse", s.worse},
                         {"best", s.best},
                         {"over_blocks", has_blocks(survey) ? ratios(s.over_blocks) : Json()},
                         {"over_best", ratios(s.over_best)}});
    }
    document["nodes"].push_back({{"nodes", survey.nodes}, {"inputs", survey.inputs}, {"methods", std::move(methods)}});
  }
  return document;
}

using Row = std::vector<std::string>;

std::vector<Row> rows_of(const Survey& survey) {
  std::vector<Row> rows = {
      {"method", "possible", "better", "equal", "worse", "best", "/ blocks", "worst", "/ best", "worst"}};
  for (const auto& [method, s] : survey.scores) {
    Row row = {std::string(name_of(method))};
    for (const long n : {s.possible, s.better, s.equal, s.worse, s.best}) row.push_back(fmt::format("{}", n));
    const auto add = [&row, count = static_cast<double>(s.possible)](const Ratios& r, bool known) {
      row.push_back(known ? fmt::format("{:.3f}", r.sum / count) : "-");
      row.push_back(known ? fmt::format("{:.4g}", r.worst) : "-");
    };
    add(s.over_blocks, has_blocks(survey));
    add(s.over_best, true);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string line_of(const Row& row) {
  std::string line = fmt::format("{:<12}", row[0]);
  for (size_t i = 1; i < row.size(); ++i) line += fmt::format("{:>9}", row[i]);
  return line + "\n";
}

std::string markdown_line_of(const Row& row) { return fmt::format("| {} |\n", fmt::join(row, " | ")); }

std::string as_text(const Options& o, const std::array<Survey, 2>& surveys) {
  std::string text = fmt::format(
      "{} random inputs of up to {} processes, seed {}: of each method on how many it is possible, has fewer, as many "
      "and more off-node partners than cart, and is best; its off-node partners as a ratio to those of the best shape "
      "of a block (blocks) and to those of the best method, mean and worst\n",
      o.inputs, o.max_processes, o.seed);
  for (const Survey& survey : surveys) {
    if (survey.inputs == 0) continue;
    text += fmt::format("\n{} inputs with {} nodes\n\n", survey.inputs, survey.nodes);
    const std::vector<Row> rows = rows_of(survey);
    for (size_t i = 0; i < rows.size(); ++i) {
      text += o.markdown ? markdown_line_of(rows[i]) : line_of(rows[i]);
      if (o.markdown && i == 0) {
        Row rule(rows[i].size(), "---:");
        rule[0] = "---";
        text += markdown_line_of(rule);
      }
    }
  }
  return text;
}

int run(const Options& o) {
  const std::array<Survey, 2> surveys = survey_of(o);
  if (o.json) {
    print(to_json(o, surveys));
  } else {
    print(as_text(o, surveys), {{"method", console::Style::kHeading}});
  }
  return 0;
}

}  // namespace

void add_nodecart_survey(cli::App& nodecart, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub =
      nodecart.add_subcommand("survey", "Count how often each method is better than MPI's own order, on random meshes");
  sub->add_option("--inputs", o->inputs, "number of random meshes (default 10000)")->check(cli::Range(1, kMostInputs));
  sub->add_option("--seed", o->seed, "seed of the random numbers (default 1)");
  sub->add_option("--max-processes", o->max_processes, "most processes in a mesh (default 4096)")
      ->check(cli::Range(2, kMostRanksInMemory));
  auto* markdown = sub->add_flag("--markdown", o->markdown, "print the tables in Markdown");
  sub->add_flag("--json", o->json, "print one JSON document")->excludes(markdown);
  sub->footer(
      "Examples:\n  strata nodecart survey\n"
      "  strata nodecart survey --inputs 1000 --max-processes 65536 --json");
  sub->callback([o, &action] { action = [o] { return run(*o); }; });
}

}  // namespace strata::command
