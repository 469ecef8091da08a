// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/held_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "calibration/evidence.h"
#include "calibration/fit/sample.h"

namespace strata::calibration {
namespace {

constexpr std::pair<Operation, const char*> kWords[] = {
    {Operation::kBroadcast, "bcast"},     {Operation::kReduce, "reduce"},     {Operation::kAllreduce, "allreduce"},
    {Operation::kAllgather, "allgather"}, {Operation::kAlltoall, "alltoall"}, {Operation::kRing, "sendrecv"},
    {Operation::kExchange, "exchange"}};

Binding binding_on(const Topology& t, int core) { return {t.node(core), t.object(core)->cpuset, core}; }

// The first vertex with this name and the most cores; -1: none.
int vertex_of(const Topology& t, const std::string& level) {
  int best = -1;
  for (int v = 0; v < t.num_vertices(); ++v) {
    if (t.name(v) == level && (best < 0 || t.num_cores(v) > t.num_cores(best))) best = v;
  }
  return best;
}

// The usable cores below a vertex, in logical order.
std::vector<int> cores_below(const Topology& t, int vertex, int ranks_per_node) {
  std::vector<int> cores;
  std::map<int, int> taken;  // by node
  for (int i = 0; i < t.num_cores(vertex); ++i) {
    const int core = t.cores()[t.first_core(vertex) + i];
    if (ranks_per_node == 0 || taken[t.node(core)]++ < ranks_per_node) cores.push_back(core);
  }
  return cores;
}

}  // namespace

std::string word_of(Operation operation) {
  for (const auto& [o, word] : kWords) {
    if (o == operation) return word;
  }
  return name_of(operation);
}

bool is_held_out(Operation operation) {
  return std::any_of(std::begin(kWords), std::end(kWords), [&](const auto& w) { return w.first == operation; });
}

std::vector<HeldOut> held_out_of(const Reading& reading, Manner manner) {
  std::vector<HeldOut> all;
  std::vector<std::map<double, std::vector<double>>> times;  // by size
  for (const Measurement& m : reading.measurements) {
    if (!is_held_out(m.operation) || m.at_once < 2 || shows_overheads(m)) continue;
    auto at = std::find_if(all.begin(), all.end(), [&](const HeldOut& h) {
      return std::tie(h.operation, h.level, h.ranks) == std::tie(m.operation, m.level, m.at_once);
    });
    if (at == all.end()) {
      const bool are_known = static_cast<int>(reading.places.size()) == m.at_once;
      all.push_back({.operation = m.operation,
                     .manner = manner,
                     .level = m.level,
                     .ranks = m.at_once,
                     .places = are_known ? reading.places : std::vector<RankPlace>{},
                     .bytes = {},
                     .measured_s = {},
                     .samples = 0,
                     .source = file_of(m)});
      times.emplace_back();
      at = all.end() - 1;
    }
    times[at - all.begin()][m.bytes].push_back(m.value);
    ++at->samples;
  }
  for (size_t i = 0; i < all.size(); ++i) {
    for (auto& [bytes, values] : times[i]) {
      all[i].bytes.push_back(bytes);
      all[i].measured_s.push_back(median(std::move(values)));
    }
  }
  return all;
}

std::vector<Binding> bindings_at(const std::vector<RankPlace>& places, const Machine& machine,
                                 const std::string& source) {
  const Topology& t = *machine.topology;
  std::map<std::pair<int, int>, int> core_of;  // by node and processor
  for (const int core : t.cores()) {
    const Cpuset& set = t.object(core)->cpuset;
    for (int pu = set.first(); pu >= 0; pu = set.next(pu)) core_of[{t.node(core), pu}] = core;
  }
  std::vector<Binding> bindings;
  for (size_t r = 0; r < places.size(); ++r) {
    const RankPlace& p = places[r];
    const auto core = core_of.find({p.node, p.processor});
    if (core == core_of.end()) {
      throw InputError(source, fmt::format("rank {} ran on processor {} of node {}", r, p.processor, p.node),
                       p.node >= t.num_nodes() ? fmt::format("give --nodes {} or more", p.node + 1)
                                               : "give the node's own XML with --node");
    }
    bindings.push_back(binding_on(t, core->second));
  }
  return bindings;
}

std::vector<Binding> bindings_of(const HeldOut& h, const Machine& machine, int ranks_per_node) {
  const Topology& t = *machine.topology;
  if (!h.places.empty()) return bindings_at(h.places, machine, h.source);
  const int found = h.level.empty() ? -1 : vertex_of(t, h.level);
  const int vertex = std::max(0, found);
  const auto refuse = [&](size_t cores) {
    throw InputError(h.source,
                     fmt::format("{} on {} ranks, where {} cores may have one", word_of(h.operation), h.ranks, cores),
                     ranks_per_node > 0 ? "give more --nodes or --ranks-per-node" : "give more --nodes");
  };
  std::vector<std::vector<int>> parts;
  size_t largest = 0;
  for (const int child : t.children(vertex)) {
    parts.push_back(cores_below(t, child, ranks_per_node));
    largest = std::max(largest, parts.back().size());
  }
  std::vector<Binding> bindings;
  if (h.ranks > static_cast<int>(largest) || h.level.empty()) {
    const std::vector<int> cores = cores_below(t, vertex, ranks_per_node);
    if (h.ranks > static_cast<int>(cores.size())) refuse(cores.size());
    for (int r = 0; r < h.ranks; ++r) bindings.push_back(binding_on(t, cores[r]));
    return bindings;
  }
  for (size_t turn = 0; turn < largest; ++turn) {
    for (const std::vector<int>& part : parts) {
      if (turn < part.size() && static_cast<int>(bindings.size()) < h.ranks)
        bindings.push_back(binding_on(t, part[turn]));
    }
  }
  return bindings;
}

int room_for(const HeldOut& h, const Machine& machine, int ranks_per_node) {
  const Topology& t = *machine.topology;
  const int vertex = h.level.empty() ? 0 : std::max(0, vertex_of(t, h.level));
  return static_cast<int>(cores_below(t, vertex, ranks_per_node).size());
}

Validation validation_of(const Predicted& p) {
  std::vector<double> errors;
  for (const Prediction& size : p.sizes) errors.push_back(size.error());
  const double worst = *std::max_element(errors.begin(), errors.end());
  const auto [least, most] = std::minmax_element(p.sizes.begin(), p.sizes.end(),
                                                 [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  constexpr double kDigits = 1000;  // errors have three decimal places
  const auto rounded = [](double error) { return std::round(error * kDigits) / kDigits; };
  return {.operation = word_of(p.of.operation),
          .level = p.of.level,
          .ranks = p.of.ranks,
          .from_bytes = least->bytes,
          .to_bytes = most->bytes,
          .samples = p.of.samples,
          .median_error = rounded(median(std::move(errors))),
          .worst_error = rounded(worst),
          .source = "measured: " + p.of.source};
}

}  // namespace strata::calibration
