// SPDX-License-Identifier: LGPL-2.1-only
// `strata check AREA...`: chooses areas, explores them, and prints the results.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "check/engine/area.h"
#include "check/engine/explore.h"
#include "third_party/cli/cli.h"

namespace strata::command {

struct AreaOptions {
  bool quick = false;
  std::vector<std::string> bounds;  // "ranks=4" or "hsplit.ranks=4"
  long random_cases = -1;           // below 0: the area's default
  std::uint64_t seed = 1;
  int jobs = 1;
  std::string shard;  // in the form of read_shard

  /// Adds --quick, --bound, --random, --seed, --jobs and --shard.
  void add(cli::App& app);
};

/// An area to check, and which of its properties.
struct AreaQuestion {
  const check::Area* area = nullptr;
  std::vector<std::string> properties;  // empty: all
};

/// The areas named in `what`, in the order of `areas`; a word is an area, or area/property. Without words: all areas.
/// Words that name no area stay in `what`.
std::vector<AreaQuestion> find_questions(const std::vector<std::unique_ptr<check::Area>>& areas,
                                         std::vector<std::string>& what);

/// Explores the areas one after another, with progress on stderr, and calls `done` with each result. Throws InputError,
/// Interrupted.
std::vector<check::AreaResult> check_areas(const std::vector<AreaQuestion>& questions, const AreaOptions& options,
                                           const std::function<void(const check::AreaResult&)>& done);

/// The command line in front of a key.
inline constexpr const char* kReplay = "strata check --replay";

/// `again`: the command line in front of a key.
std::string text_of(const check::AreaResult& result, const std::string& again);
/// Includes the fields needed for merging if it is a shard.
Json json_of(const check::AreaResult& result);
/// Reads a shard's result from its document. Throws nlohmann's exceptions or InputError if the document is not from
/// json_of.
check::AreaResult area_result_from(const Json& json, const check::Area& area, const Shard& shard);
/// The overall verdict in one line.
std::string verdict_of(const std::vector<check::AreaResult>& results);
/// The areas and their properties, with the sources of the properties.
std::string list_of(const std::vector<std::unique_ptr<check::Area>>& areas);

/// Replays the case of a key; in this process if `here`, so that a debugger can run it. Returns the exit code.
int replay_area(const check::Area& area, const check::Key& key, bool here, bool json, const std::string& svg);

}  // namespace strata::command
