// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/execution.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <sys/wait.h>

#include <sstream>
#include <utility>

#include "base/own_file.h"
#include "records/exchange/exchanged_words.h"
#include "sim/launcher/diagnosis.h"
#include "sim/launcher/source_lines.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;
// s of wall time for addr2line, which is slow for large programs.
constexpr double kDebuggerSeconds = 20;

// " at solver.cc:120 (in relax)": the place at which a rank crashed, if the program has debugging information (-g).
std::string crash_place(const Stage& stage, const std::string& report) {
  static const RE2 crash(std::string(words::kCrash) + R"( rank -?\d+ signal \d+ at (0x[0-9a-f]+))", RE2::Latin1);
  std::string address;
  if (!RE2::PartialMatch(report, crash, &address)) return "";
  run({.words = {"addr2line", "-s", "-f", "-C", "-e", stage.program, address}, .folder = stage.folder},
      kDebuggerSeconds);
  std::istringstream out(read_whole(stage.folder / "out"));
  std::string function, line;
  if (!std::getline(out, function) || !std::getline(out, line)) return "";
  const std::string in = function == "??" ? "" : fmt::format(" (in {})", function);
  return line.starts_with("??") ? (in.empty() ? "" : " in " + function)
                                : fmt::format(" at {}{}", line.substr(0, line.find(' ')), in);
}

// A rank that ends without MPI_Finalize, which the profile knows.
Finding missing_finalize(const Ending& ending) {
  return {.kind = "lifecycle",
          .check = "missing-finalize",
          .call = {.rank = ending.rank, .function = "", .text = "it has not called MPI_Finalize"},
          .rule = "MPI_Finalize is the last call of MPI",
          .source = "MPI 4.1, Section 11.2.2"};
}

Executed execute_unchecked(const Stage& stage, Launch launch) {
  launch.profile = launch.traffic.kept = launch.interactive = true;
  const fs::path& folder = stage.folder;
  Executed executed;
  executed.traffic = folder / words::kTrafficFolder;
  if (launch.events) executed.events = folder / words::kEventsFile;
  if (launch.trace) executed.trace = folder / words::kTraceFile;
  Child child = Runner(stage, launch, folder).start();
  await(child);
  SignalGuard::check();
  const Evidence evidence = evidence_of(child, launch, folder);
  const Diagnosis diagnosis = diagnose(evidence, stage.time_limit_s);
  executed.failure = diagnosis.failure;
  if (diagnosis.timed_out) return executed;
  if (evidence.profile) executed.profile = *evidence.profile;
  if (!diagnosis.failure.empty()) {
    executed.crashed = !diagnosis.deadlock && !diagnosis.refused;
    if (!diagnosis.deadlock) executed.failure += crash_place(stage, evidence.text);
    return executed;
  }
  executed.exit_code = WIFEXITED(evidence.status) ? WEXITSTATUS(evidence.status) : 1;
  if (!executed.profile.endings.empty()) {
    const Ending& first = executed.profile.endings.front();
    executed.ending = ending_text(first);
    if (first.how != Ending::How::kUnfinalized) executed.exit_code = first.code & 0xff;  // as in a shell
  }
  executed.levels = read_levels(executed.traffic / kLevelsFile);
  executed.links = read_links(executed.traffic / kLinksFile);
  return executed;
}

std::vector<Finding> findings_in(const Stage& stage, const Profile& profile) {
  std::vector<Finding> findings = read_findings(stage.folder / kFindingsFile);
  for (const Ending& ending : profile.endings) {
    if (ending.how == Ending::How::kUnfinalized) findings.push_back(missing_finalize(ending));
  }
  locate(findings, stage.program, stage.folder);
  return findings;
}

}  // namespace

Executed execute(const Stage& stage, Launch launch) {
  const bool checks = launch.checks;
  Executed executed = execute_unchecked(stage, std::move(launch));
  if (checks) executed.findings = findings_in(stage, executed.profile);
  return executed;
}

std::vector<Finding> check_once(const Stage& stage, Launch launch) {
  launch.profile = launch.checks = true;
  Child child = Runner(stage, launch, stage.folder).start();
  await(child);
  SignalGuard::check();
  return findings_in(stage, evidence_of(child, launch, stage.folder).profile.value_or(Profile{}));
}

}  // namespace strata::sim
