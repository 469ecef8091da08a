// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/page/program_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/format.h"
#include "analysis/profile_json.h"
#include "analysis/program_summary.h"

namespace strata::analysis {
namespace {

Json facts_json(const ProgramPage& page) {
  const RankTimes total = total_times(page.profile);
  const double whole = total.computing + total.communicating + total.waiting;
  const auto share = [&](double seconds) {
    return whole > 0 ? fmt::format("{:.1f} % of the ranks' time", 100 * seconds / whole) : "-";
  };
  Json facts = Json::array();
  const auto fact = [&](const std::string& name, const std::string& value) {
    facts.push_back({{"name", name}, {"value", value}});
  };
  fact("Program", page.program);
  fact("Machine", page.machine.name);
  fact("Ranks", fmt::format("{} on {} of {} nodes", page.ranks.size(), num_nodes(page.ranks),
                            page.machine.topology->num_nodes()));
  fact("Simulated time", with_unit(page.profile.simulated_time, "s", 6));
  fact("Computation", page.measured ? "measured" : "takes no time");
  fact("Computing", share(total.computing));
  fact("Communicating", share(total.communicating));
  fact("Waiting", share(total.waiting));
  return facts;
}

Json times_json(const Profile& profile) {
  std::vector<double> computing, communicating, waiting, end;
  for (const RankProfile& r : profile.ranks) {
    computing.push_back(r.computing);
    communicating.push_back(r.communicating);
    waiting.push_back(r.waiting);
    end.push_back(r.end);
  }
  return {{"computing", computing}, {"communicating", communicating}, {"waiting", waiting}, {"end", end}};
}

}  // namespace

Json program_json(const ProgramPage& page) {
  const Topology& t = *page.machine.topology;
  std::vector<int> cores;
  cores.reserve(page.ranks.size());
  for (const Binding& b : page.ranks) cores.push_back(t.first_core(b.core));
  const ShownMachine shown(page.machine, cores);
  const std::string again = shell_text(page.command_line);
  Json point = point_json(shown, RankOrder(cores),
                          {.name = page.program,
                           .number = 0,
                           .traffic = page.traffic,
                           .events = page.events,
                           .remedy_traffic = again,
                           .remedy_events = again,
                           .time = page.time},
                          {});
  return {{"kind", "program"},
          {"name", page.program},
          {"title", fmt::format("{} on {}", page.program, page.machine.name)},
          {"folder", ""},
          {"facts", facts_json(page)},
          {"command", again},
          {"notes", Json::array()},
          {"explained", Json::array()},
          {"failure", page.failure.empty() ? Json(nullptr) : Json(page.failure)},
          {"simulated_time_s", page.profile.simulated_time},
          {"machine", shown.json()},
          {"tables", Json::array()},
          {"values", Json::array()},
          {"charts", Json::array()},
          {"skipped", Json::array()},
          {"models", Json::array()},
          {"claims", Json::array()},
          {"causes", Json::array()},
          {"calls", calls_json(page.profile)},
          {"times", times_json(page.profile)},
          {"levels", levels_json(page.levels)},
          {"remedy_points", again},
          {"points", Json::array({point})},
          {"points_left_out", Json::array()}};
}

}  // namespace strata::analysis
