// SPDX-License-Identifier: LGPL-2.1-only
// `strata check AREA...`: choose areas, explore them and print the results.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "check/engine/area.h"
#include "check/engine/explore.h"
#include "records/json.h"
#include "third_party/cli/cli.h"

namespace strata::command {

struct AreaOptions {
  bool quick = false;
  std::vector<std::string> bounds;  // "ranks=4" or "hsplit.ranks=4"
  long random_cases = -1;           // below 0: the area's
  std::uint64_t seed = 1;
  int jobs = 1;
  std::string shard;  // as read_shard

  /// Adds --quick, --bound, --random, --seed, --jobs and --shard.
  void add(cli::App& app);
};

/// An area to check, and the properties to ask of it.
struct AreaQuestion {
  const check::Area* area = nullptr;
  std::vector<std::string> properties;  // empty: all
};

/// The areas that `what` names, in the order of `areas`; each word is an area, or area/property. Words that name no
/// area stay in `what`. No words: all areas.
std::vector<AreaQuestion> find_questions(const std::vector<std::unique_ptr<check::Area>>& areas,
                                         std::vector<std::string>& what);

/// Explores them one after another, with progress on stderr. Calls `done` with each result. Throws InputError,
/// sim::Interrupted.
std::vector<check::AreaResult> check_areas(const std::vector<AreaQuestion>& questions, const AreaOptions& options,
                                           const std::function<void(const check::AreaResult&)>& done);

/// The command line before a key.
inline constexpr const char* kReplay = "strata check --replay";

/// `again`: the command line that is put before a key.
std::string text_of(const check::AreaResult& result, const std::string& again);
/// With the fields that merging needs, if it is a shard.
Json json_of(const check::AreaResult& result);
/// Reads a shard's result from its document. Throws nlohmann's exceptions, or InputError, where json_of did not write
/// it.
check::AreaResult area_result_from(const Json& json, const check::Area& area, const Shard& shard);
/// The verdict on all of them in one line.
std::string verdict_of(const std::vector<check::AreaResult>& results);
/// The areas with their properties and the sources of these.
std::string list_of(const std::vector<std::unique_ptr<check::Area>>& areas);

/// Looks at the case of a key again; in this process if `here`, for a debugger that runs it. Returns the exit code.
int replay_area(const check::Area& area, const check::Key& key, bool here, bool json, const std::string& svg);

}  // namespace strata::command
