// SPDX-License-Identifier: LGPL-2.1-only
// `strata check` of the pure cores alone, with what is linked before them: check_NAME AREA..., check_NAME --replay KEY.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "check/areas/areas.h"
#include "command/check/areas.h"
#include "platforms/error.h"

namespace {

using namespace strata;

int run(const std::vector<std::string>& what, const command::AreaOptions& options, const std::string& replayed) {
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
  command::check_areas(questions, options, [&](const check::AreaResult& result) {
    std::fputs(command::text_of(result, "strata check --replay").c_str(), stdout);
    holds = holds && result.holds();
  });
  return holds ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  cli::App app("strata check");
  std::vector<std::string> what;
  std::string replayed;
  command::AreaOptions options;
  app.add_option("WHAT", what);
  app.add_option("--replay", replayed);
  options.add(app);
  try {
    app.parse(argc, argv);
    return run(what, options, replayed);
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
