// SPDX-License-Identifier: LGPL-2.1-only
// Writes pages for browser_test.py:
//
//   pages FOLDER   study.html; beside.html: two studies; program.html: 240 ranks; large.html: 4,096 ranks;
//                  paused.html: nothing happens most of the time; bare.html: a study without traffic or events;
//                  full.html: one point, because no other has room.
//                  Prints the time in s to write each page.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>

#include "analysis/page/page.h"
#include "analysis/page/study_json.h"
#include "records/folder.h"
#include "tests/analysis/page/made_run.h"
#include "tests/analysis/small_study.h"

namespace strata::analysis {
namespace {

namespace fs = std::filesystem;

void timed(const char* name, const std::function<void()>& write) {
  const auto begin = std::chrono::steady_clock::now();
  write();
  std::printf("%s %.3f\n", name, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

void write_all(const fs::path& into) {
  const Results study = make_study(into / "study");
  timed("study.html",
        [&] { write_page(into / "study.html", {study_json(study, small_checks())}, "strata report study"); });
  timed("full.html",
        [&] { write_page(into / "full.html", {study_json(study, {}, {.room = 1})}, "strata report study"); });
  Results other = make_study(into / "other", "Another run");
  for (Record& record : other.records) record.value *= 2;
  timed("beside.html", [&] {
    write_page(into / "beside.html", {study_json(study, {}), study_json(other, {})}, "strata report study other");
  });
  fs::remove_all(into / "other/traffic");
  fs::remove_all(into / "other" / kTracesFolder);
  other.records.pop_back();
  timed("bare.html", [&] { write_page(into / "bare.html", {study_json(other, {})}, "strata report other"); });
  const MadeRun program = make_run(into / "program", "node:10 pack:2 core:12", 200);
  timed("program.html", [&] { write_page(into / "program.html", {program_json(page_of(program))}, ""); });
  const MadeRun paused = make_run(into / "paused", "node:2 pack:2 core:3", 40, 1000);
  timed("paused.html", [&] { write_page(into / "paused.html", {program_json(page_of(paused))}, ""); });
  const MadeRun large = make_run(into / "large", "switch:8 node:8 pack:2 numa:2 core:16", 200);
  timed("large.html", [&] { write_page(into / "large.html", {program_json(page_of(large))}, ""); });
}

}  // namespace
}  // namespace strata::analysis

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  strata::analysis::write_all(argv[1]);
  return 0;
}
