// SPDX-License-Identifier: LGPL-2.1-only
#include "command/nodecart_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "records/study.h"
#include "sim/launcher/run.h"
#include "sim/launcher/simulation.h"

namespace strata::command {
namespace {

// The report of a process.
struct RankReport {
  std::vector<int> coords;
  std::vector<int> cart, mapped;  // old ranks of the partners in both orders; -1 outside the mesh
};

mpix::Mapping map_or_refuse(const CartProblem& p) {
  try {
    return mpix::map_processes(p.mesh, p.places, p.method);
  } catch (const mpix::Unmappable& e) {
    throw InputError("--method " + std::string(name_of(p.method)), e.what());
  }
}

// Counts partners, as reported by processes, by the groups of old ranks.
mpix::Partners count_partners(const std::vector<RankReport>& reports, std::vector<int> RankReport::*partners,
                              const std::vector<int>& group) {
  mpix::Partners result;
  result.on.min = result.off.min = INT_MAX;
  const auto add = [](mpix::PartnerCount& count, int n) {
    count.min = std::min(count.min, n);
    count.max = std::max(count.max, n);
    count.total += n;
  };
  for (size_t rank = 0; rank < reports.size(); ++rank) {
    const std::vector<int>& all = reports[rank].*partners;
    const int on = static_cast<int>(std::count_if(
        all.begin(), all.end(), [&](int partner) { return partner >= 0 && group[partner] == group[rank]; }));
    add(result.on, on);
    add(result.off, static_cast<int>(all.size()) - on);
  }
  return result;
}

// The extent of a node's processes in each dimension: the shape of its block.
std::vector<int> extents(const std::vector<RankReport>& reports, const std::vector<int>& node, int which, size_t dims) {
  std::vector<int> low(dims, INT_MAX), high(dims, -1), extent(dims);
  for (size_t rank = 0; rank < reports.size(); ++rank) {
    if (node[rank] != which) continue;
    for (size_t i = 0; i < dims; ++i) {
      low[i] = std::min(low[i], reports[rank].coords[i]);
      high[i] = std::max(high[i], reports[rank].coords[i]);
    }
  }
  for (size_t i = 0; i < dims; ++i) extent[i] = high[i] - low[i] + 1;
  return extent;
}

}  // namespace

std::string dims_text(const std::vector<int>& dims) { return fmt::format("{}", fmt::join(dims, "x")); }

CartAnswer cart_by_core(const CartProblem& p) {
  CartAnswer a{.mapping = map_or_refuse(p), .levels = {}};
  for (const mpix::PlaceLevel& level : p.places.levels) {
    const std::vector<int> mapped = mpix::groups_by_position(a.mapping.new_rank, level.group);
    a.levels.push_back({.level = level.name,
                        .groups = static_cast<int>(mpix::group_sizes(level.group).size()),
                        .cart = mpix::count_partners(p.mesh, level.group),
                        .mapped = mpix::count_partners(p.mesh, mapped)});
  }
  return a;
}

CartAnswer cart_by_smpi(const CartProblem& p, const Machine& machine, const std::vector<Binding>& ranks,
                        double time_limit_s) {
  if (static_cast<int>(ranks.size()) > kMostSimulated) {
    throw InputError("--engine", fmt::format("{} processes are too many for a simulation", ranks.size()),
                     fmt::format("give --engine pure, or at most {}", kMostSimulated));
  }
  map_or_refuse(p);  // refuse impossible problems before starting a simulation
  const sim::ScratchFolder scratch;
  const sim::Stage stage =
      sim::prepare_stage(machine, {ranks}, scratch.path(), sim::find_installation(), "nodecart", time_limit_s);
  std::vector<int> periods(p.mesh.periods.begin(), p.mesh.periods.end());
  const sim::Simulation simulation{.arguments = {"--dims", dims_text(p.mesh.dims), "--periods", dims_text(periods),
                                                 "--method", std::string(name_of(p.method))},
                                   .output = scratch.path() / "output"};
  const auto failed = [](const std::string& what) { return sim::SimulationFailed("nodecart: " + what); };
  const size_t size = p.places.nodes().size(), dims = p.mesh.dims.size();
  CartAnswer a;
  a.mapping.new_rank.assign(size, -1);
  std::vector<RankReport> reports(size);
  std::optional<mpix::CartMethod> chosen;
  sim::run_simulations({stage}, {simulation}, 1, [&](size_t, const sim::Outcome& outcome) {
    if (!outcome.failure.empty()) throw failed(outcome.failure);
    for (const Json& line : outcome.lines) {
      if (line.contains("method")) chosen = mpix::find_cart_method(line.at("method").get<std::string>());
      const auto rank = line.at("rank").get<size_t>();
      if (line.at("new_rank").is_null()) continue;
      a.mapping.new_rank.at(rank) = line.at("new_rank");
      reports.at(rank) = {line.at("coords"), line.at("cart"), line.at("mapped")};
    }
    return true;
  });
  if (!chosen) throw failed("no process reported the method");
  a.mapping.method = *chosen;
  for (size_t rank = 0; rank < size; ++rank) {
    const RankReport& report = reports[rank];
    if (report.coords.size() != dims || report.cart.size() != 2 * dims || report.mapped.size() != 2 * dims) {
      throw failed(fmt::format("rank {} reported only part of its result", rank));
    }
    if (mpix::position_of(p.mesh, report.coords) != a.mapping.new_rank[rank]) {
      throw failed(fmt::format("rank {} has coordinates {} and rank {} in the mesh", rank,
                               fmt::join(report.coords, ","), a.mapping.new_rank[rank]));
    }
  }
  if (cuts_blocks(*chosen)) {
    a.mapping.intradims = extents(reports, p.places.nodes(), 0, dims);
    for (size_t i = 0; i < dims; ++i) a.mapping.interdims.push_back(p.mesh.dims[i] / a.mapping.intradims[i]);
  }
  for (const mpix::PlaceLevel& level : p.places.levels) {
    a.levels.push_back({.level = level.name,
                        .groups = static_cast<int>(mpix::group_sizes(level.group).size()),
                        .cart = count_partners(reports, &RankReport::cart, level.group),
                        .mapped = count_partners(reports, &RankReport::mapped, level.group)});
  }
  return a;
}

}  // namespace strata::command
