// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/program_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "analysis/format.h"

namespace strata::analysis {
namespace {

constexpr size_t kShownCalls = 8, kShownLinks = 4;

// Thresholds above which a share is worth a line of advice.
constexpr double kMuchWaiting = 0.2, kFullLink = 0.5, kUnevenComputing = 1.1;

std::string percent(double part, double whole) { return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-"; }

// "1,234,567" for 1234567.
std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string seconds(double value) { return with_unit(value, "s", 3); }

// A row for one of the three ways in which a rank spends its time.
std::string share_row(const ProgramRun& run, const char* name, double RankProfile::*part) {
  const std::vector<RankProfile>& ranks = run.profile.ranks;
  double sum = 0, whole = 0;
  for (const RankProfile& r : ranks) {
    sum += r.*part;
    whole += r.end;
  }
  const auto share = [part](const RankProfile& r) { return r.end > 0 ? r.*part / r.end : 0; };
  const auto [least, most] = std::minmax_element(ranks.begin(), ranks.end(),
                                                 [&](const auto& a, const auto& b) { return share(a) < share(b); });
  const auto extreme = [&](auto rank) {
    return fmt::format("{:>8}  (rank {})", percent(share(*rank), 1), rank - ranks.begin());
  };
  return fmt::format("  {:<18}{:>8}  {:<24}{}\n", name, percent(sum, whole), extreme(least), extreme(most));
}

std::string calls_table(const Profile& profile) {
  std::vector<CallProfile> calls = profile.calls;
  std::stable_sort(calls.begin(), calls.end(), [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  double whole = 0;
  for (const RankProfile& r : profile.ranks) whole += r.end;
  std::string text =
      fmt::format("{:<24}{:>14}{:>16}{:>12}{:>12}\n", "MPI function", "calls", "time, all ranks", "share", "waiting");
  for (size_t i = 0; i < std::min(kShownCalls, calls.size()); ++i) {
    const CallProfile& c = calls[i];
    if (c.seconds == 0) break;
    text += fmt::format("  {:<22}{:>14}{:>16}{:>12}{:>12}\n", c.call, grouped(static_cast<std::uint64_t>(c.count)),
                        seconds(c.seconds), percent(c.seconds, whole), percent(c.waiting, whole));
  }
  if (std::any_of(calls.begin(), calls.end(), [](const CallProfile& c) { return c.call.starts_with("MPI_File_"); }))
    text += "  files are those of this computer; reading and writing them takes no simulated time\n";
  return text;
}

std::string levels_table(const std::vector<LevelMessages>& levels) {
  std::uint64_t whole = 0, messages = 0;
  for (const LevelMessages& l : levels) {
    whole += l.bytes;
    messages += l.messages;
  }
  if (messages == 0) return "no messages\n";
  std::string text = fmt::format("{:<24}{:>14}{:>16}{:>12}\n", "messages that cross", "messages", "bytes", "share");
  for (const LevelMessages& l : levels) {
    if (l.messages == 0) continue;
    const std::string name = l.level == kLoopbackLevel ? "nothing (to itself)" : l.level;
    text += fmt::format("  {:<22}{:>14}{:>16}{:>12}\n", name, grouped(l.messages),
                        with_unit(static_cast<double>(l.bytes), "B", 4),
                        percent(static_cast<double>(l.bytes), static_cast<double>(whole)));
  }
  return text;
}

std::string links_table(const std::vector<LinkTraffic>& links) {
  const std::vector<LinkTraffic> fullest = fullest_links(links, kShownLinks);
  if (fullest.empty()) return "";
  std::string text = fmt::format("{:<38}{:>16}{:>12}\n", "fullest links", "carried", "in use");
  for (const LinkTraffic& l : fullest) {
    text += fmt::format("  {:<36}{:>16}{:>12}\n", l.link + " " + l.direction, with_unit(l.bytes, "B", 4),
                        percent(l.utilisation, 1));
  }
  return text;
}

constexpr const char* kOutsideMpi = "outside MPI";

// Whether time outside MPI passes although computation takes none. It would be misleading to call it computing.
bool is_outside_mpi(const ProgramRun& run) {
  constexpr double kShown = 5e-4;  // of all time: what a table with one decimal of a percent shows
  const RankTimes all = total_times(run.profile);
  return !run.measured && all.computing > kShown * (all.computing + all.communicating + all.waiting);
}

std::string waiting_advice(const ProgramRun& run) {
  const Profile& profile = run.profile;
  const RankTimes all = total_times(profile);
  const double whole = all.computing + all.communicating + all.waiting;
  if (whole <= 0 || all.waiting < kMuchWaiting * whole) return "";
  const auto most = std::max_element(profile.ranks.begin(), profile.ranks.end(),
                                     [](const auto& a, const auto& b) { return a.computing < b.computing; });
  const double mean = all.computing / static_cast<double>(profile.ranks.size());
  if (run.measured && mean > 0 && most->computing > kUnevenComputing * mean) {
    return fmt::format(
        "ranks wait {} of their time, and rank {} computes {:.2f} times as long as the mean: give it less\n",
        percent(all.waiting, whole), most - profile.ranks.begin(), most->computing / mean);
  }
  const auto call = std::max_element(profile.calls.begin(), profile.calls.end(),
                                     [](const auto& a, const auto& b) { return a.waiting < b.waiting; });
  return fmt::format(
      "ranks wait {} of their time for others that are late, most of it in {} ({}): start what it waits "
      "for earlier{}\n",
      percent(all.waiting, whole), call->call, percent(call->waiting, whole),
      run.time.empty() ? "; --critical-path says which ranks are late" : "");
}

std::string advice(const ProgramRun& run) {
  std::string text;
  const auto add = [&text](const std::string& line) {
    if (!line.empty()) text += "  - " + line;
  };
  if (run.reordering) {
    const Reordering& r = *run.reordering;
    add(fmt::format("{:.0f} % of the bytes cross {}; {} would leave {:.0f} %: --reorder {}\n", 100 * r.before, r.border,
                    r.method, 100 * r.after, r.method));
  }
  add(waiting_advice(run));
  const std::vector<LinkTraffic> fullest = fullest_links(run.links, 1);
  if (!fullest.empty() && fullest.front().utilisation >= kFullLink) {
    add(fmt::format("the link {} {} is full {} of the time in which there are messages: send less over it{}\n",
                    fullest.front().link, fullest.front().direction, percent(fullest.front().utilisation, 1),
                    run.nodes < run.machine_nodes ? ", or use more of the machine's nodes (--map-by node)" : ""));
  }
  if (!run.measured)
    add("computation takes no simulated time here; --compute measured charges what it takes on this computer\n");
  return text.empty() ? "" : "what to try next\n" + text;
}

}  // namespace

std::vector<LinkTraffic> fullest_links(const std::vector<LinkTraffic>& links, size_t most) {
  std::vector<LinkTraffic> used;
  std::copy_if(links.begin(), links.end(), std::back_inserter(used), [](const auto& l) { return l.bytes > 0; });
  std::stable_sort(used.begin(), used.end(),
                   [](const auto& a, const auto& b) { return a.utilisation > b.utilisation; });
  used.resize(std::min(used.size(), most));
  return used;
}

RankTimes total_times(const Profile& profile) {
  RankTimes total;
  for (const RankProfile& r : profile.ranks) {
    total.computing += r.computing;
    total.communicating += r.communicating;
    total.waiting += r.waiting;
  }
  return total;
}

std::string summary_text(const ProgramRun& run) {
  const size_t ranks = run.profile.ranks.size();
  std::string text = fmt::format("{} on {}: {} rank{}{} on {} node{}, simulated time {}", run.program, run.machine,
                                 ranks, ranks == 1 ? "" : "s", run.library.empty() ? "" : " of " + run.library,
                                 run.nodes, run.nodes == 1 ? "" : "s", seconds(run.profile.simulated_time));
  if (run.before_reordering) text += fmt::format(" ({} before reordering)", seconds(*run.before_reordering));
  if (!run.collectives.empty()) text += "\ncollectives: " + run.collectives;
  text += "\n\n";
  text += fmt::format("{:<20}{:>8}  {:<24}{}\n", "time of a rank", "mean", "   least", "   most");
  text += share_row(run, is_outside_mpi(run) ? kOutsideMpi : "computing", &RankProfile::computing);
  text += share_row(run, "communicating", &RankProfile::communicating);
  text += share_row(run, "waiting", &RankProfile::waiting);
  if (is_outside_mpi(run))
    text += fmt::format(
        "  {}: computation takes no time here, but reading the clock (10 ns), sleeping and work that the "
        "program charges itself do\n",
        kOutsideMpi);
  text += "\n" + calls_table(run.profile) + "\n" + levels_table(run.levels);
  for (const std::string& part : {links_table(run.links), run.time, advice(run)}) {
    if (!part.empty()) text += "\n" + part;
  }
  return text;
}

}  // namespace strata::analysis
