// SPDX-License-Identifier: LGPL-2.1-only
// `strata check` of the pure cores that are linked with it: check_NAME AREA..., check_NAME --replay KEY. check_NAME
// AREA --in-shards 3 checks the cases in three shards, one after the other, and merges their documents. --json prints a
// line of JSON an area.
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "check/areas/areas.h"
#include "command/check/area_results.h"

namespace {

using namespace strata;

// Through their documents, as strata submit merge does.
std::vector<check::AreaResult> check_in_shards(const std::vector<command::AreaQuestion>& questions,
                                               command::AreaOptions options, int shards) {
  std::vector<std::vector<check::AreaResult>> by_area(questions.size());
  for (int number = 1; number <= shards; ++number) {
    const Shard shard{number, shards};
    options.shard = text_of(shard);
    const auto results = command::check_areas(questions, options, [](const check::AreaResult&) {});
    for (size_t i = 0; i < results.size(); ++i)
      by_area[i].push_back(command::area_result_from(command::json_of(results[i]), *questions[i].area, shard));
  }
  std::vector<check::AreaResult> all;
  for (const auto& parts : by_area) all.push_back(check::merged(parts));
  return all;
}

int run(const std::vector<std::string>& what, const command::AreaOptions& options, const std::string& replayed,
        int shards, bool json) {
  const auto areas = check::all_areas();
  if (!replayed.empty()) {
    const check::Key key = check::parse_key(replayed);
    for (const auto& area : areas) {
      if (area->name() == key.subject) return command::replay_area(*area, key, false, false, "");
    }
    throw InputError("--replay", "there is no area '" + key.subject + "'", "`strata check --list` shows all");
  }
  std::vector<std::string> left = what;
  const auto questions = command::find_questions(areas, left);
  if (!left.empty()) throw InputError(left.front(), "is not an area", "`strata check --list` shows all");
  bool holds = true;
  const auto tell = [&](const check::AreaResult& result) {
    const std::string shown =
        json ? command::json_of(result).dump() + "\n" : command::text_of(result, command::kReplay);
    std::fputs(shown.c_str(), stdout);
    holds = holds && result.holds();
  };
  if (shards > 0) {
    for (const check::AreaResult& result : check_in_shards(questions, options, shards)) tell(result);
  } else {
    command::check_areas(questions, options, tell);
  }
  return holds ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  cli::App app("strata check");
  std::vector<std::string> what;
  std::string replayed;
  int shards = 0;
  bool json = false;
  command::AreaOptions options;
  app.add_option("WHAT", what);
  app.add_option("--replay", replayed);
  app.add_option("--in-shards", shards);
  app.add_flag("--json", json);
  options.add(app);
  try {
    app.parse(argc, argv);
    return run(what, options, replayed, shards, json);
  } catch (const cli::ParseError& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  } catch (const InputError& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 3;
  }
}
