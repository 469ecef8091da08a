// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/tuning/cells_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/own_file.h"
#include "tests/process/process.h"

namespace strata::collectives {
namespace {

using ::testing::HasSubstr;

CellTimes times(int ranks) {
  return {.cell = {Operation::kBcast, ranks, 8},
          .own = {.algorithm = 5},
          .own_s = 0.1 + ranks,
          .best = {.algorithm = 2, .faninout = 4, .segment_bytes = 1024},
          .best_s = 1.0 / 3,
          .timed = 3,
          .slower = 4,
          .too_long = {{.algorithm = 1}}};
}

void expect_same(const CellTimes* a, const CellTimes& b) {
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->own, b.own);
  EXPECT_EQ(a->own_s, b.own_s);
  EXPECT_EQ(a->best, b.best);
  EXPECT_EQ(a->best_s, b.best_s);
  EXPECT_EQ(a->least_gain, b.least_gain);
  EXPECT_EQ(a->timed, b.timed);
  EXPECT_EQ(a->slower, b.slower);
  EXPECT_EQ(a->too_long, b.too_long);
}

TEST(CellsFile, KeepsWhatWasAddedAndCutsAnIncompleteLine) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "cells.jsonl";
  {
    CellsFile cells(file, 1);
    EXPECT_EQ(cells.size(), 0u);
    cells.add(times(4));
    cells.add(times(8));
  }
  const std::string whole = read_whole(file);
  folder.write("cells.jsonl", whole + "{\"op\":\"bcast\",\"ranks\":16,\"by");
  CellsFile cells(file, 1);
  EXPECT_EQ(cells.size(), 2u);
  expect_same(cells.find({Operation::kBcast, 4, 8}), times(4));
  expect_same(cells.find({Operation::kBcast, 8, 8}), times(8));
  EXPECT_EQ(cells.find({Operation::kBcast, 16, 8}), nullptr);
  EXPECT_EQ(read_whole(file), whole);
  cells.add(times(16));
  folder.write("both.jsonl", read_whole(file) + whole);  // of two shards
  EXPECT_EQ(CellsFile(folder.path() / "both.jsonl", 1).size(), 3u);
}

TEST(CellsFile, RefusesOtherInputsAndDamagedLines) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "cells.jsonl";
  { CellsFile(file, 1).add(times(4)); }
  const auto error = [&](std::uint64_t inputs) -> std::string {
    try {
      CellsFile(file, inputs);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(error(2), HasSubstr("cells.jsonl:1: has cells of another machine, placement or library; remove"));
  folder.write("cells.jsonl", read_whole(file) + "{\"op\":\"broadcast\"}\n");
  EXPECT_THAT(error(1), HasSubstr("cells.jsonl:3: is not a cell"));
}

}  // namespace
}  // namespace strata::collectives
