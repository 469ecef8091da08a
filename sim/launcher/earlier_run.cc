// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/earlier_run.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

#include "base/child.h"
#include "base/error.h"
#include "base/own_file.h"
#include "console/progress.h"
#include "records/checksums.h"
#include "records/folder.h"
#include "sim/launcher/measurements.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;

// The number of records of a point, according to its stored output, or `recorded` if the output has been removed.
size_t expected_records(const fs::path& out, const Study& study, int point, size_t recorded) {
  const fs::path printed = out / (output_path(point) + ".out");
  return fs::exists(printed) ? count_measured(study.metrics(), read_whole(printed)) : recorded;
}

// The points whose records are not those that the run has written, as the checksums of a shard show.
std::vector<int> changed_points(const Results& there) {
  if (!there.manifest.shard) return {};
  const auto written = read_checksums(there.folder);
  if (!written) return {};
  std::vector<int> changed;
  for (const auto& [point, checksum] : checksums_by_point(there.records)) {
    const auto known = written->find(point);
    if (known == written->end() || known->second != checksum) changed.push_back(point);
  }
  if (!changed.empty())
    console::tell(
        fmt::format("{}: records were damaged or changed since they were written; these points run again: {}\n",
                    there.folder.string(), fmt::join(changed, ", ")));
  return changed;
}

// "a whole run", "shard 3/8".
std::string extent(const std::optional<Shard>& shard) { return shard ? "shard " + text_of(*shard) : "a whole run"; }

}  // namespace

EarlierRun look_into(const Manifest& ours, const Placements& placements, const RunOptions& options) {
  std::error_code ignored;
  if (!fs::exists(options.out / kManifestFile, ignored)) {
    if (fs::exists(options.out / kRecordsFile, ignored)) {
      throw InputError(options.out.string(), "holds records without a manifest", "choose another --out");
    }
    return {};
  }
  const Results there = load_results(options.out);
  const Manifest& theirs = there.manifest;
  bool placed = true;
  for (size_t i = 0; i < placements.files.size(); ++i) {
    placed = placed && read_whole(options.out / placements.files[i]) == format_placement(placements.placements[i]);
  }
  const char* other = to_json(theirs.study) != to_json(ours.study) ? "study"
                      : theirs.machine_hash != ours.machine_hash   ? "machine"
                      : theirs.seed != ours.seed                   ? "seed"
                      : !placed                                    ? "placement of ranks"
                                                                   : nullptr;
  if (other != nullptr) {
    throw InputError(
        options.out.string(),
        "holds another run (" + theirs.study.scenario + " on " + theirs.machine + "): its " + other + " differs",
        "choose another --out");
  }
  const std::optional<Shard> shard = theirs.shard ? std::optional(theirs.shard->shard) : std::nullopt;
  if (shard != options.shard) {
    throw InputError(options.out.string(), "holds " + extent(shard) + ", not " + extent(options.shard),
                     "choose another --out");
  }
  if (!options.resume) {
    if (theirs.end.empty()) {
      throw InputError(options.out.string(), "holds an unfinished run",
                       "continue it with --resume, or choose another --out");
    }
    return {};
  }
  // If a run is killed during a write, only some records of a point may exist. A point is done if all of them exist,
  // and none was changed since.
  std::map<int, size_t> recorded;
  for (const Record& r : there.records) ++recorded[r.point];
  for (const int point : changed_points(there)) recorded.erase(point);
  EarlierRun found{.done = {},
                   .records = {},
                   .start = theirs.start,
                   .reference = theirs.reference,
                   .shard = theirs.shard,
                   .versions = theirs.versions};
  for (const auto& [point, count] : recorded) {
    if (expected_records(options.out, ours.study, point, count) == count) found.done.insert(point);
  }
  for (const Record& r : there.records) {
    if (found.done.count(r.point) != 0) found.records.push_back(r);
  }
  return found;
}

void require_same_software(const EarlierRun& earlier, const Manifest& ours, const RunOptions& options) {
  if (!earlier.shard) return;
  const char* other = earlier.versions != ours.versions                         ? "version of Strata"
                      : earlier.shard->program_hash != ours.shard->program_hash ? "program"
                                                                                : nullptr;
  if (other == nullptr) return;
  throw InputError(options.out.string(), std::string("was begun with another ") + other,
                   "run the shard again with another --out");
}

}  // namespace strata::sim
