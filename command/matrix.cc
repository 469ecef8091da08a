// SPDX-License-Identifier: LGPL-2.1-only
// strata matrix: summarises communication matrices, sums them by the objects of a machine, converts and draws them.
// JSON: schemas/matrix.schema.json.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>

#include "analysis/format.h"
#include "analysis/heat_map.h"
#include "analysis/rank_groups.h"
#include "base/error.h"
#include "command/command.h"
#include "command/matrix_input.h"
#include "command/print.h"
#include "records/study.h"

namespace strata::command {
namespace {

constexpr size_t kHeaviest = 10, kHeaviestInText = 5;
constexpr int kMostGroupsInText = 16;
constexpr int kMostRanksInDense = 16'384;  // half a gigabyte of zeros

struct Options {
  MatrixInput input;
  MachineOptions machine;
  std::string by, to, out, svg;
  bool json = false;
};

struct Pair {
  int from, to;
  double amount;
};

struct Summary {
  double total = 0, to_itself = 0;
  long pairs = 0;
  std::optional<double> symmetric_share;
  int min_partners = 0, max_partners = 0;
  double mean_partners = 0;
  std::vector<Pair> heaviest;
};

Summary summary_of(const Pattern& p) {
  Summary s;
  std::vector<Pair> pairs;
  for (int r = 0; r < p.order(); ++r) {
    for (size_t i = 0; i < p.peers(r).size(); ++i) {
      const double amount = p.bytes(r)[i];
      s.total += amount;
      if (p.peers(r)[i] == r) {
        s.to_itself += amount;
      } else {
        pairs.push_back({r, p.peers(r)[i], amount});
      }
    }
  }
  s.pairs = static_cast<long>(pairs.size());
  const Pattern both = p.symmetric();
  s.min_partners = p.order();
  for (int r = 0; r < p.order(); ++r) {
    const auto partners = static_cast<int>(both.peers(r).size());
    s.min_partners = std::min(s.min_partners, partners);
    s.max_partners = std::max(s.max_partners, partners);
  }
  s.mean_partners = static_cast<double>(both.entries()) / p.order();
  double matched = 0;
  for (const Pair& pair : pairs) {
    const auto back = p.peers(pair.to);
    const auto at = std::lower_bound(back.begin(), back.end(), pair.from);
    if (at == back.end() || *at != pair.from) continue;
    matched += std::min(pair.amount, p.bytes(pair.to)[at - back.begin()]);
  }
  if (s.pairs > 0) s.symmetric_share = matched / (s.total - s.to_itself);
  const size_t shown = std::min(kHeaviest, pairs.size());
  std::partial_sort(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(shown), pairs.end(),
                    [](const Pair& a, const Pair& b) {
                      return std::tuple(-a.amount, a.from, a.to) < std::tuple(-b.amount, b.from, b.to);
                    });
  s.heaviest.assign(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(shown));
  return s;
}

double sum_of(const Pattern& p) {
  double sum = 0;
  for (int r = 0; r < p.order(); ++r) sum = std::accumulate(p.bytes(r).begin(), p.bytes(r).end(), sum);
  return sum;
}

// The matrix, and the ranks on a machine if there is one.
struct Problem {
  MatrixFile file;
  std::vector<Binding> ranks;            // empty without a machine
  std::shared_ptr<const Topology> tree;  // empty without a machine
  std::optional<analysis::RankGroups> by;
};

void check_options(const Options& o) {
  if (!o.machine.has_machine() && (!o.by.empty() || o.machine.has_placement())) {
    throw InputError("command line", "ranks are placed, but no machine is given",
                     "give --machine M or --xml FILE with --by, --map-by, --bind-to, --oversubscribe and --bindings");
  }
  if (!o.out.empty() && o.to.empty()) throw InputError("--out", "needs a format", "give --to dense, prof or mtx");
  const int on_stdout = (o.json ? 1 : 0) + (o.svg == "-" ? 1 : 0) + (!o.to.empty() && o.out.empty() ? 1 : 0);
  if (on_stdout > 1) {
    throw InputError("command line", "more than one result goes to stdout",
                     "give only one of --json, --svg - and --to without --out");
  }
}

Problem problem_of(const Options& o) {
  check_options(o);
  if (!o.machine.has_machine()) return {o.input.read(o.machine.np), {}, {}, {}};
  MachineOptions options = o.machine;
  const Machine m = options.load(sim::find_installation());
  // The number of ranks comes from a bindings file, or else from the matrix.
  std::vector<Binding> ranks;
  if (!options.bindings.empty()) ranks = options.place_on(m);
  Problem p{
      o.input.read(ranks.empty() ? options.np : static_cast<int>(ranks.size())), std::move(ranks), m.topology, {}};
  options.np = p.file.bytes.order();
  if (p.ranks.empty()) p.ranks = options.place_on(m);
  if (!o.by.empty()) p.by = analysis::groups_by(*p.tree, p.ranks, o.by, "--by");
  return p;
}

const char* format_name(MatrixFormat format) {
  switch (format) {
    case MatrixFormat::kDense:
      return "dense";
    case MatrixFormat::kProfile:
      return "prof";
    case MatrixFormat::kMatrixMarket:
      return "mtx";
  }
  return "";
}

// --- JSON ---

Json to_json(const Options& o, const Problem& p, const Summary& s) {
  Json document = {{"schema", "strata.matrix/1"},
                   {"format", format_name(p.file.format)},
                   {"ranks", p.file.bytes.order()},
                   {"bytes", sum_of(p.file.bytes)},
                   {"messages", p.file.messages ? Json(sum_of(*p.file.messages)) : Json()},
                   {"counted", o.input.noun()},
                   {"pairs", s.pairs},
                   {"to_itself", s.to_itself},
                   {"symmetric_share", s.symmetric_share ? Json(*s.symmetric_share) : Json()},
                   {"partners", {{"min", s.min_partners}, {"max", s.max_partners}, {"avg", s.mean_partners}}},
                   {"heaviest", Json::array()},
                   {"by", nullptr}};
  for (const Pair& pair : s.heaviest) {
    document["heaviest"].push_back({{"from", pair.from}, {"to", pair.to}, {"amount", pair.amount}});
  }
  if (!p.by) return document;
  const Pattern& counted = o.input.counted(p.file);
  const analysis::InsideAndAcross sums = analysis::inside_and_across(counted, p.by->group);
  Json flows = Json::array();
  const Pattern between = analysis::between_groups(counted, p.by->group, p.by->groups);
  for (int g = 0; g < between.order(); ++g) {
    for (size_t i = 0; i < between.peers(g).size(); ++i) {
      flows.push_back({g, between.peers(g)[i], between.bytes(g)[i]});
    }
  }
  document["by"] = {{"level", p.by->level},  {"groups", p.by->groups}, {"group", p.by->group},
                    {"inside", sums.inside}, {"across", sums.across},  {"flows", std::move(flows)}};
  return document;
}

// --- text ---

std::string heaviest_text(const MatrixInput& input, const std::vector<Pair>& pairs, const std::string& title) {
  std::string text;
  for (size_t i = 0; i < std::min(kHeaviestInText, pairs.size()); ++i) {
    text += fmt::format("{:<16}{} -> {}: {}\n", i == 0 ? title : "", pairs[i].from, pairs[i].to,
                        input.amount(pairs[i].amount));
  }
  return text;
}

std::string by_text(const Options& o, const Problem& p) {
  const Pattern& counted = o.input.counted(p.file);
  const analysis::InsideAndAcross sums = analysis::inside_and_across(counted, p.by->group);
  const double total = sums.inside + sums.across;
  std::string text = fmt::format("\n{} {}s\n", p.by->groups, analysis::level_text(p.by->level));
  text += fmt::format("{:<16}{}, {}\n", "inside", o.input.amount(sums.inside), share_text(sums.inside, total));
  text += fmt::format("{:<16}{}, {}\n", "across", o.input.amount(sums.across), share_text(sums.across, total));
  const Pattern between = analysis::between_groups(counted, p.by->group, p.by->groups);
  if (p.by->groups > kMostGroupsInText) return text + heaviest_text(o.input, summary_of(between).heaviest, "heaviest");
  text += "\nfrom \\ to";
  for (int g = 0; g < p.by->groups; ++g) text += fmt::format("{:>10}", g);
  text += "\n";
  for (int g = 0; g < p.by->groups; ++g) {
    text += fmt::format("{:>9}", g);
    size_t next = 0;
    for (int h = 0; h < p.by->groups; ++h) {
      const bool has = next < between.peers(g).size() && between.peers(g)[next] == h;
      text += fmt::format("{:>10}", has ? analysis::with_unit(between.bytes(g)[next], o.input.unit(), 3) : ".");
      next += has ? 1 : 0;
    }
    text += "\n";
  }
  return text;
}

std::string as_text(const Options& o, const Problem& p, const Summary& s) {
  std::string text =
      fmt::format("{}: {} ranks ({})\n", o.input.name(), p.file.bytes.order(), format_name(p.file.format));
  const auto row = [&](const char* name, const std::string& what) { text += fmt::format("{:<16}{}\n", name, what); };
  if (p.file.messages) row("messages", fmt::format("{:.0f}", sum_of(*p.file.messages)));
  row("bytes", analysis::with_unit(sum_of(p.file.bytes), "B", 3));
  row("pairs", fmt::format("{} of {}", s.pairs, static_cast<long>(p.file.bytes.order()) * (p.file.bytes.order() - 1)));
  row("partners", fmt::format("{:.4g} ({} to {})", s.mean_partners, s.min_partners, s.max_partners));
  if (s.symmetric_share) row("symmetric", fmt::format("{:.3g} %", 100 * *s.symmetric_share));
  if (s.to_itself > 0) row("to itself", o.input.amount(s.to_itself));
  text += heaviest_text(o.input, s.heaviest, "heaviest pairs");
  if (s.total == 0 && p.file.messages && sum_of(*p.file.messages) > 0) {
    text += "all messages are empty: --messages tells of their numbers\n";
  }
  return p.by ? text + by_text(o, p) : text;
}

// --- files ---

std::string as_svg(const Options& o, const Problem& p, const Summary& s) {
  analysis::HeatMaps maps;
  maps.title = {fmt::format("{}: {} ranks", o.input.name(), p.file.bytes.order()),
                fmt::format("{} between {} pairs", o.input.amount(s.total - s.to_itself), s.pairs)};
  maps.unit = o.input.unit();
  analysis::HeatPanel panel{.name = "matrix", .lines = {}, .position = std::vector<int>(p.file.bytes.order())};
  std::iota(panel.position.begin(), panel.position.end(), 0);
  const std::vector<int> by_rank = panel.position;
  if (!p.ranks.empty()) {
    panel.position = analysis::positions_by_place(p.ranks);
    maps.boundaries = p.by ? analysis::boundaries_of({*p.by}, panel.position)
                           : analysis::boundaries_of(analysis::all_groups(*p.tree, p.ranks), panel.position);
  }
  maps.axis = panel.position == by_rank ? "rank" : "rank in the order of places";
  maps.panels = {std::move(panel)};
  return analysis::draw_heat_maps(o.input.counted(p.file), maps);
}

bool is_count(double value) { return value == std::floor(value) && value < 0x1p64; }

std::string converted(const Options& o, const Problem& p) {
  const auto by_group = [&](const Pattern& pattern) {
    return p.by ? analysis::between_groups(pattern, p.by->group, p.by->groups) : pattern;
  };
  const Pattern pattern = by_group(o.to == "prof" ? p.file.bytes : o.input.counted(p.file));
  if (o.to == "mtx") return format_matrix(pattern, MatrixFormat::kMatrixMarket);
  if (o.to == "dense") {
    if (pattern.order() <= kMostRanksInDense) return format_matrix(pattern, MatrixFormat::kDense);
    throw InputError("--to", fmt::format("dense text of {0}x{0} numbers would be too large", pattern.order()),
                     "give --to mtx");
  }
  for (int r = 0; r < pattern.order(); ++r) {
    if (std::all_of(pattern.bytes(r).begin(), pattern.bytes(r).end(), is_count)) continue;
    throw InputError("--to", "a profile holds whole numbers of bytes below 2^64, but this matrix has others",
                     "give --to mtx");
  }
  std::optional<Pattern> messages;
  if (p.file.messages) messages = by_group(*p.file.messages);
  return format_matrix(pattern, MatrixFormat::kProfile, messages ? &*messages : nullptr);
}

int matrix(const Options& o) {
  const Problem p = problem_of(o);
  if (!o.to.empty()) {
    const std::string text = converted(o, p);
    if (o.out.empty()) {
      std::fputs(text.c_str(), stdout);
    } else {
      write_and_tell(o.out, text);
    }
  }
  const Summary s = summary_of(o.input.counted(p.file));
  if (!o.svg.empty()) {
    const std::string svg = as_svg(o, p, s);
    if (o.svg == "-") {
      std::fputs(svg.c_str(), stdout);
    } else {
      write_and_tell(o.svg, svg);
    }
  }
  if (o.json) {
    print(to_json(o, p, s));
  } else if (o.svg != "-" && (o.to.empty() || !o.out.empty())) {
    print(as_text(o, p, s), {{"from \\ to", console::Style::kHeading}});
  }
  return 0;
}

}  // namespace

void add_matrix(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub = app.add_subcommand(
      "matrix", "Summarise a communication matrix, add it up by node or package, convert it, or draw it");
  sub->add_option(
         "FILE", o->input.files,
         "dense text, Matrix Market, or a .prof written by Open MPI's monitoring or MPI_M_flush (one, or those of "
         "all ranks of a run)")
      ->required();
  o->input.add_choice(*sub);
  o->machine.add_machine(*sub);
  o->machine.add_placement(*sub);
  sub->get_option("--np")->description("how many ranks the matrix must have; a profile may name fewer");
  sub->add_option(
      "--by", o->by,
      "add up the ranks of each object of this level: node, numa, package, l3, ..., or a name that `strata topo` "
      "prints");
  sub->add_option("--to", o->to, "convert to dense, prof or mtx (with --by: the matrix between the groups)")
      ->check(cli::IsMember({"dense", "prof", "mtx"}));
  sub->add_option("--out", o->out, "write the converted matrix into this file (default: stdout)")
      ->writes(cli::Written::kFile);
  sub->add_option("--svg", o->svg, "draw a heat map into this file (-: stdout)")->writes(cli::Written::kFile);
  sub->add_flag("--json", o->json, "print one JSON document");
  sub->footer(
      "Examples:\n  strata matrix run.*.prof\n"
      "  strata matrix run.prof --kinds E,I,C,S --messages --json\n"
      "  strata matrix cg.mtx --machine ntw10e5 --by package --svg cg.svg\n"
      "  strata matrix run.0.prof run.1.prof --to mtx --out run.mtx");
  sub->callback([o, &action] { action = [o] { return matrix(*o); }; });
}

}  // namespace strata::command
