// SPDX-License-Identifier: LGPL-2.1-only
// Files of communication matrices: every format entry by entry, matrices written and read back, an error line for every
// fault, and arbitrary content, which is either read or refused.
#include "records/matrix/matrix_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "records/matrix/matrix_market.h"
#include "records/matrix/prof_file.h"
#include "tests/error_of.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using ::testing::StartsWith;
using Entries = std::map<std::pair<int, int>, double>;

Entries entries_of(const Pattern& p) {
  Entries entries;
  for (int r = 0; r < p.order(); ++r) {
    for (size_t i = 0; i < p.peers(r).size(); ++i) entries[{r, p.peers(r)[i]}] = p.bytes(r)[i];
  }
  return entries;
}

class MatrixFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::create_directories(folder_);
  }
  fs::path write(const std::string& text, const std::string& name = "m") const {
    fs::remove(folder_ / name);  // removed first, because file systems are slow to overwrite
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  Pattern read(const std::string& text, int order = 0, const std::string& kinds = "EI", bool messages = false) const {
    return read_matrix(write(text), order, kinds, messages);
  }
  // The error, without the folder's path.
  std::string refused(const std::vector<fs::path>& files, int order = 0, const std::string& kinds = "EI") const {
    return error_of([&] { read_matrix_files(files, order, kinds); }, folder_.string() + "/");
  }
  std::string refused(const std::string& text, int order = 0, const std::string& kinds = "EI") const {
    return refused(std::vector{write(text)}, order, kinds);
  }

  fs::path folder_;
};

TEST_F(MatrixFileTest, Dense) {
  const Pattern p = read("# a comment\n\n 0 1,2\t# another\r\n3, 0.5 +1e3\n4e-1 0 7");
  EXPECT_EQ(p.order(), 3);
  EXPECT_EQ(
      entries_of(p),
      (Entries{{{0, 1}, 1}, {{0, 2}, 2}, {{1, 0}, 3}, {{1, 1}, 0.5}, {{1, 2}, 1000}, {{2, 0}, 0.4}, {{2, 2}, 7}}));
  EXPECT_EQ(read("5\n").order(), 1);
  EXPECT_EQ(entries_of(read("-0 0\n0 0\n")), Entries{});
}

// In the format of profile2mat: a blank after each number.
TEST_F(MatrixFileTest, OpenMpisMatrix) {
  EXPECT_EQ(entries_of(read("0 108 \n108 0 \n")), (Entries{{{0, 1}, 108}, {{1, 0}, 108}}));
}

// Lines of two processes as Open MPI 4.1.4 writes them, in one file.
constexpr const char* kProfile =
    "# POINT TO POINT\n"
    "E\t0\t1\t108 bytes\t27 msgs sent\t0,0,0,27,0\n"
    "I\t0\t2\t8 bytes\t2 msgs sent\n"
    "# OSC\n"
    "S\t0\t2\t64 bytes\t4 msgs sent\n"
    "R\t0\t1\t32 bytes\t1 msgs sent\n"
    "# COLLECTIVES\n"
    "C\t0\t3\t5 bytes\t1 msgs sent\n"
    "D\tMPI_COMM_WORLD\tprocs: 0,1,2,3,4\n"
    "O2A\t0\t0 bytes\t0 msgs sent\n"
    "A2O\t0\t0 bytes\t0 msgs sent\n"
    "A2A\t0\t0 bytes\t0 msgs sent\n"
    "D\tMPI COMMUNICATOR 5 SPLIT FROM 3\tprocs: (null)\n"
    "E\t1\t0\t0 bytes\t3 msgs sent\n"
    "E\t0\t1\t2 bytes\t1 msgs sent\n";

TEST_F(MatrixFileTest, Profile) {
  const Pattern bytes = read(kProfile);
  EXPECT_EQ(bytes.order(), 5);
  EXPECT_EQ(entries_of(bytes), (Entries{{{0, 1}, 110}, {{0, 2}, 8}}));
  EXPECT_EQ(entries_of(read(kProfile, 0, "EI", true)), (Entries{{{0, 1}, 28}, {{0, 2}, 2}, {{1, 0}, 3}}));
  EXPECT_EQ(entries_of(read(kProfile, 0, "I")), (Entries{{{0, 2}, 8}}));
  EXPECT_EQ(entries_of(read(kProfile, 0, "C")), (Entries{{{0, 3}, 5}}));
  // Data that rank 0 reads from rank 1 moves from 1 to 0.
  EXPECT_EQ(entries_of(read(kProfile, 0, "SR")), (Entries{{{0, 2}, 64}, {{1, 0}, 32}}));
  EXPECT_EQ(read(kProfile, 8).order(), 8) << "silent ones are not named";
  EXPECT_EQ(read("# 16 processes\nE 0 1 1 bytes 1 msgs sent\n").order(), 16);
  EXPECT_EQ(read("# 16 processes\n").order(), 16);
}

TEST_F(MatrixFileTest, ProfilesOfARunAreJoined) {
  const fs::path silent = write("# POINT TO POINT\n# OSC\n# COLLECTIVES\n", "run.1.prof");
  const MatrixFile all = read_matrix_files({write("E\t0\t2\t10 bytes\t1 msgs sent\n", "run.0.prof"), silent,
                                            write("E\t2\t0\t20 bytes\t2 msgs sent\n", "run.2.prof")});
  EXPECT_EQ(all.format, MatrixFormat::kProfile);
  EXPECT_EQ(all.bytes.order(), 3);
  EXPECT_EQ(entries_of(all.bytes), (Entries{{{0, 2}, 10}, {{2, 0}, 20}}));
  ASSERT_TRUE(all.messages);
  EXPECT_EQ(entries_of(*all.messages), (Entries{{{0, 2}, 1}, {{2, 0}, 2}}));
}

TEST_F(MatrixFileTest, MatrixMarket) {
  const Entries entries = {{{0, 1}, 5}, {{2, 0}, 2.5}};
  EXPECT_EQ(entries_of(read("%%MatrixMarket matrix coordinate real general\n% why\n\n3 3 2\n1 2 5\n3 1 2.5\n")),
            entries);
  EXPECT_EQ(entries_of(read("%%matrixmarket MATRIX Coordinate Pattern General\n3 3 1\n3 1\n")), (Entries{{{2, 0}, 1}}));
  EXPECT_EQ(entries_of(read("%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n3 1 4\n2 2 7\n")),
            (Entries{{{0, 2}, 4}, {{1, 1}, 7}, {{2, 0}, 4}}));
  EXPECT_EQ(entries_of(read("%%MatrixMarket matrix array real general\n2 2\n0\n3\n1\n0\n")),
            (Entries{{{0, 1}, 1}, {{1, 0}, 3}}));
  EXPECT_EQ(entries_of(read("%%MatrixMarket matrix array integer symmetric\n3 3\n1 2 3\n4 5\n6\n")),
            (Entries{{{0, 0}, 1},
                     {{0, 1}, 2},
                     {{0, 2}, 3},
                     {{1, 0}, 2},
                     {{1, 1}, 4},
                     {{1, 2}, 5},
                     {{2, 0}, 3},
                     {{2, 1}, 5},
                     {{2, 2}, 6}}));
  EXPECT_EQ(entries_of(read("%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 5\n1 2 6\n")),
            (Entries{{{0, 1}, 11}}))
      << "an entry that stands twice";
}

TEST_F(MatrixFileTest, LargeIntegersAreTheNearestDouble) {
  EXPECT_EQ(entries_of(read("0 9007199254740992\n9007199254740993 0\n")),
            (Entries{{{0, 1}, 9007199254740992.0}, {{1, 0}, 9007199254740992.0}}));
  const Pattern largest = read("E 0 1 18446744073709551615 bytes 1 msgs sent\n");
  EXPECT_EQ(entries_of(largest), (Entries{{{0, 1}, 0x1p64}}));
  EXPECT_EQ(format_matrix(largest, MatrixFormat::kDense), "0 18446744073709551616\n0 0\n");
}

TEST_F(MatrixFileTest, Texts) {
  const Pattern p(3, {{0, 1, 5}, {2, 0, 2.5}, {1, 1, 1e21}}), messages(3, {{0, 1, 2}, {1, 0, 4}});
  EXPECT_EQ(format_matrix(p, MatrixFormat::kDense), "0 5 0\n0 1000000000000000000000 0\n2.5 0 0\n");
  EXPECT_EQ(format_matrix(p, MatrixFormat::kMatrixMarket),
            "%%MatrixMarket matrix coordinate real general\n% row: sender, column: receiver\n3 3 3\n1 2 5\n"
            "2 2 1000000000000000000000\n3 1 2.5\n");
  EXPECT_EQ(format_matrix(messages, MatrixFormat::kMatrixMarket),
            "%%MatrixMarket matrix coordinate integer general\n% row: sender, column: receiver\n3 3 2\n1 2 2\n2 1 4\n");
  const Pattern whole(3, {{0, 1, 5}, {2, 0, 2}});
  EXPECT_EQ(format_matrix(whole, MatrixFormat::kProfile),
            "# 3 processes\n# POINT TO POINT\nE\t0\t1\t5 bytes\t1 msgs sent\nE\t2\t0\t2 bytes\t1 msgs sent\n");
  EXPECT_EQ(format_matrix(whole, MatrixFormat::kProfile, &messages),
            "# 3 processes\n# POINT TO POINT\nE\t0\t1\t5 bytes\t2 msgs sent\nE\t1\t0\t0 bytes\t4 msgs sent\n"
            "E\t2\t0\t2 bytes\t0 msgs sent\n");
  const Pattern two(2, {});
  EXPECT_THROW(format_matrix(p, MatrixFormat::kProfile, &two), std::invalid_argument);
}

// Random patterns, some with fractions, in every format that can represent them.
TEST_F(MatrixFileTest, WhatIsWrittenIsReadBack) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 engine(seed);
    const int order = 1 + static_cast<int>(engine() % 12);
    const bool whole = engine() % 2 == 0;
    std::vector<Flow> flows, counts;
    for (int i = static_cast<int>(engine() % 40); i > 0; --i) {
      const int from = static_cast<int>(engine() % order), to = static_cast<int>(engine() % order);
      const auto n = static_cast<double>(engine() >> (11 + engine() % 50));
      flows.push_back({from, to, whole ? n : n / 1000});
      counts.push_back({from, to, static_cast<double>(engine() % 100)});
    }
    const Pattern p(order, flows), messages(order, counts);
    for (const MatrixFormat format : {MatrixFormat::kDense, MatrixFormat::kMatrixMarket, MatrixFormat::kProfile}) {
      if (format == MatrixFormat::kProfile && !whole) continue;
      const MatrixFile back = read_matrix_files({write(format_matrix(p, format, &messages))});
      EXPECT_EQ(back.format, format);
      EXPECT_EQ(back.bytes.order(), order);
      EXPECT_EQ(entries_of(back.bytes), entries_of(p));
      ASSERT_EQ(back.messages.has_value(), format == MatrixFormat::kProfile);
      if (back.messages) {
        EXPECT_EQ(entries_of(*back.messages), entries_of(messages));
      }
    }
  }
}

// As written for a simulation's traffic: integers, exact to the last digit.
TEST_F(MatrixFileTest, WholeEntriesOfMatrixMarket) {
  EXPECT_EQ(format_matrix_market(3, {{0, 1, 9007199254740993}, {1, 1, 0}, {2, 0, UINT64_MAX}}),
            "%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 2 9007199254740993\n"
            "3 1 18446744073709551615\n");
  EXPECT_EQ(format_matrix_market(1, {}), "%%MatrixMarket matrix coordinate integer general\n1 1 0\n");
  std::random_device device;
  const auto seed = device();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 engine(seed);
  for (int times = 0; times < 100; ++times) {
    const int order = 1 + static_cast<int>(engine() % 20);
    std::vector<WholeEntry> entries;
    Entries expected;
    for (int row = 0; row < order; ++row) {
      for (int column = 0; column < order; ++column) {
        if (engine() % 3 != 0) continue;
        entries.push_back({row, column, engine() >> (11 + engine() % 53)});
        if (entries.back().value > 0) expected[{row, column}] = static_cast<double>(entries.back().value);
      }
    }
    const Pattern back = read(format_matrix_market(order, entries));
    EXPECT_EQ(back.order(), order);
    EXPECT_EQ(entries_of(back), expected);
  }
}

// As sessions write them: a line for each kind and pair.
TEST_F(MatrixFileTest, ProfileLinesAreReadBack) {
  std::string text;
  append_profile_line(text, MessageKind::kCollective, 3, 17, UINT64_MAX, 12);
  EXPECT_EQ(text, "C\t3\t17\t18446744073709551615 bytes\t12 msgs sent\n");
  std::random_device device;
  const auto seed = device();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 engine(seed);
  for (int times = 0; times < 100; ++times) {
    std::string lines = "# 20 processes\n";
    std::map<char, std::pair<Entries, Entries>> expected;  // bytes and messages by kind
    for (int i = static_cast<int>(engine() % 40); i >= 0; --i) {
      const auto kind = static_cast<MessageKind>(engine() % kMessageKinds);
      const int from = static_cast<int>(engine() % 20), to = static_cast<int>(engine() % 20);
      const std::uint64_t bytes = 1 + engine() % 1000000, messages = 1 + engine() % 1000;
      append_profile_line(lines, kind, from, to, bytes, messages);
      expected[letter_of(kind)].first[{from, to}] += static_cast<double>(bytes);
      expected[letter_of(kind)].second[{from, to}] += static_cast<double>(messages);
    }
    for (const auto& [letter, amounts] : expected) {
      EXPECT_EQ(entries_of(read(lines, 20, std::string(1, letter))), amounts.first);
      EXPECT_EQ(entries_of(read(lines, 20, std::string(1, letter), true)), amounts.second);
    }
  }
}

TEST_F(MatrixFileTest, Refused) {
  const std::string formats = "; give dense text, a .prof of Open MPI's monitoring, or a Matrix Market file";
  EXPECT_EQ(refused(""), "m: is empty" + formats);
  EXPECT_EQ(refused("\n \n"), "m: has no numbers" + formats);
  EXPECT_EQ(refused("# nothing\n"), "m: has no numbers" + formats);
  EXPECT_EQ(refused(std::vector{folder_ / "gone"}), "gone: No such file or directory" + formats);
  EXPECT_EQ(refused(std::vector{folder_ / ""}), ": is a directory" + formats);
}

TEST_F(MatrixFileTest, RefusedDense) {
  EXPECT_EQ(refused("0 1\n1 0 2\n"), "m:2: row 2 has 3 numbers, the first has 2; give a square matrix, a row a line");
  EXPECT_EQ(refused("0 1 2\n1 0 2\n"),
            "m: 2 rows of 3 numbers: not square; give as many rows as columns, a row a line");
  EXPECT_EQ(refused("0 1\n1 0\n\n1 1\n"), "m:4: a row more than the 2 columns; give a square matrix, a row a line");
  EXPECT_EQ(refused("0 1\n-1 0\n"), "m:2: the entry '-1' is negative; give what is sent, 0 or more");
  for (const char* word :
       {"nan", "inf", "-inf", "NaN", "x", "1x", "0x10", "1..2", "--1", "+-1", "+", "1;2", "\x01", "1e", "%"}) {
    EXPECT_EQ(refused("0 1\n" + std::string(word) + " 0\n"),
              "m:2: '" + std::string(word) + "' is not a number; write what is sent as a number, 0 or more");
  }
  EXPECT_EQ(refused("0 " + std::string(100, 'z')),
            "m:1: '" + std::string(24, 'z') + "...' is not a number; write what is sent as a number, 0 or more");
  EXPECT_EQ(refused("1e999"),
            "m:1: '1e999' is not a number in the range of a double; give one from 1e-300 to 1e300, or 0");
  EXPECT_EQ(refused("0 6e299\n6e299 0"), "m:2: the entries' sum is beyond 1e300; give them in a larger unit");
  EXPECT_EQ(refused("0 1\n1 0\n", 3), "m: a matrix of 2 ranks, where there are 3; make them agree");
  EXPECT_EQ(refused("7\n", 2), "m: a matrix of 1 rank, where there are 2; make them agree");
}

TEST_F(MatrixFileTest, RefusedProfile) {
  const std::string line = "; write sender, receiver and amounts as in `E 0 1 108 bytes 27 msgs sent`";
  EXPECT_EQ(refused("E 0 1 108 bytes 27 msgs sent\nE 0 1 108 octets 27 msgs sent\n"),
            "m:2: not a profile's line" + line);
  EXPECT_EQ(refused("E 0 1 108 bytes 27 messages sent\n"), "m:1: not a profile's line" + line);
  EXPECT_EQ(refused("E 0 -1 108 bytes 27 msgs sent\n"), "m:1: rank '-1' is not a whole number; write 0, 1, 2, ...");
  EXPECT_EQ(refused("E 0 1 -5 bytes 27 msgs sent\n"),
            "m:1: number of bytes '-5' is not a whole number; write 0, 1, 2, ...");
  EXPECT_EQ(refused("E 0 1 1.5 bytes 27 msgs sent\n"),
            "m:1: number of bytes '1.5' is not a whole number; write 0, 1, 2, ...");
  EXPECT_EQ(refused("E 0 1 99999999999999999999 bytes 27 msgs sent\n"),
            "m:1: number of bytes '99999999999999999999' is too large; the most is 18446744073709551615");
  EXPECT_EQ(refused("E 0 99999999 1 bytes 1 msgs sent\n"), "m:1: rank '99999999' is too large; the most is 16777215");
  EXPECT_EQ(refused("E 0 1 108 bytes\n"), "m:1: no number of messages; write a whole number there");
  EXPECT_THAT(refused("E 0 1 1 bytes 1 msgs sent\nhello\n"), StartsWith("m:2: a line that begins with 'hello'; "));
  EXPECT_EQ(refused(kProfile, 4), "m: a matrix of 5 ranks, where there are 4; make them agree");
  EXPECT_EQ(refused("# 8 processes\nE 0 1 1 bytes 1 msgs sent\n", 16),
            "m: a matrix of 8 ranks, where there are 16; make them agree");
  EXPECT_EQ(refused("# 8 processes\nE 0 8 1 bytes 1 msgs sent\n"),
            "m: names rank 8; a line says that there are 8 processes");
  EXPECT_EQ(refused("C 0 1 1 bytes 1 msgs sent\nS 0 1 1 bytes 1 msgs sent\n"),
            "m: has no messages of the kinds EI; it has C, S: choose of these");
  EXPECT_EQ(refused("# POINT TO POINT\n"),
            "m: names no process; give a profile with messages, or a line `# 8 processes`");
  EXPECT_EQ(refused({write("E 0 1 1 bytes 1 msgs sent\n", "a"), write("0 1\n1 0\n", "b")}),
            "b: is not a profile; give one file, or several .prof of the same run");
  EXPECT_THROW(read_matrix(write("0"), 0, ""), std::invalid_argument);
  EXPECT_THROW(read_matrix(write("0"), 0, "EX"), std::invalid_argument);
  EXPECT_THROW(read("0 1\n1 0\n", 0, "EI", true), InputError);
}

TEST_F(MatrixFileTest, RefusedMatrixMarket) {
  const std::string head = "%%MatrixMarket matrix coordinate integer general\n";
  EXPECT_EQ(refused("%%MatrixMarket\n"), "m:1: object '' is missing; possible: matrix");
  EXPECT_EQ(refused("%%MatrixMarket matrix list integer general\n"),
            "m:1: format 'list' is not read; possible: coordinate, array");
  EXPECT_EQ(refused("%%MatrixMarket matrix coordinate complex general\n"),
            "m:1: field 'complex' is not read; possible: real, integer, pattern");
  EXPECT_EQ(refused("%%MatrixMarket matrix coordinate real skew-symmetric\n"),
            "m:1: symmetry 'skew-symmetric' is not read; possible: general, symmetric");
  EXPECT_EQ(refused("%%MatrixMarket matrix array pattern general\n"),
            "m:1: field 'pattern' of an array; possible: real, integer");
  EXPECT_EQ(refused(head), "m: has no size; give a line `rows columns entries` after the comments");
  EXPECT_EQ(refused(head + "2 3 1\n1 1 1\n"), "m:2: 2 rows and 3 columns: not square; give a square matrix");
  EXPECT_EQ(refused(head + "2 2\n"), "m:2: no number of entries; write a whole number there");
  EXPECT_EQ(refused(head + "2 2 1 1\n"), "m:2: more than a size; write `rows columns entries`");
  EXPECT_EQ(refused(head + "0 0 0\n"), "m:2: a matrix of no ranks; give one of at least 1");
  EXPECT_EQ(refused(head + "1000000000 1000000000 1\n1 1 1\n"),
            "m:2: number of rows '1000000000' is too large; the most is 16777216");
  EXPECT_EQ(refused(head + "16777216 16777216 9000000000000000000\n1 1 1\n"),
            "m:3: ends after 1 entry, where its size says 9000000000000000000; make them agree");
  EXPECT_EQ(refused(head + "2 2 2\n1 2 3\n"), "m:3: ends after 1 entry, where its size says 2; make them agree");
  EXPECT_EQ(refused(head + "2 2 1\n1 2 3\n% x\n2 1 3\n"),
            "m:5: more entries than the 1 that its size says; make them agree");
  EXPECT_EQ(refused(head + "2 2 1\n0 2 3\n"), "m:3: row '0' is out of range; give 1 to 2");
  EXPECT_EQ(refused(head + "2 2 1\n1 3 3\n"), "m:3: column '3' is out of range; give 1 to 2");
  EXPECT_EQ(refused(head + "2 2 1\n1 2\n"), "m:3: no value; write `row column value`");
  EXPECT_EQ(refused(head + "2 2 1\n1 2 3 4\n"), "m:3: more than an entry; write `row column value`");
  EXPECT_EQ(refused(head + "2 2 1\n1 2 -3\n"), "m:3: the entry '-3' is negative; give what is sent, 0 or more");
  EXPECT_EQ(refused(head + "2 2 1\n1 2 0.5\n"),
            "m:3: the entry '0.5' is not an integer; write `real` in the first line");
  EXPECT_EQ(refused("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n"),
            "m:3: an entry above the diagonal of a symmetric matrix; give those on it and below");
  EXPECT_EQ(refused("%%MatrixMarket matrix array real general\n2 2\n1 2\n3\n"),
            "m:4: ends after 3 entries, where its size says 4; make them agree");
  EXPECT_EQ(refused("%%MatrixMarket matrix array real general\n65536 65536\n1\n"),
            "m:3: ends after 1 entry, where its size says 4294967296; make them agree");
  EXPECT_EQ(refused("%%MatrixMarket matrix array real general\n1 1\n1\n2\n"),
            "m:4: more entries than the 1 that its size says; make them agree");
  EXPECT_EQ(refused(head + "2 2 1\n1 2 3\n", 4), "m: a matrix of 2 ranks, where there are 4; make them agree");
}

// Whatever the file contains, it is read or refused. All entries that are read are positive.
void expect_survives(const fs::path& file) {
  try {
    for (const auto& [pair, bytes] : entries_of(read_matrix_files({file}, 0, kProfileKinds).bytes)) EXPECT_GT(bytes, 0);
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
  }
}

TEST_F(MatrixFileTest, PrefixesAndFlippedBytes) {
  const std::vector<std::string> texts = {
      "# x\n0 1.5, 2\n3 0 1e3\n4 5 0\n",
      kProfile,
      "# 8 processes\nE\t0\t1\t5 bytes\t1 msgs sent\n",
      "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 2\n3 1 4.5\n2 2 7\n",
      "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n3 1\n2 2\n",
      "%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n4\n"};
  std::mt19937_64 engine(20200518);
  for (const std::string& text : texts) {
    for (size_t length = 0; length <= text.size(); ++length) {
      SCOPED_TRACE(text.substr(0, length));
      expect_survives(write(text.substr(0, length)));
    }
    for (int i = 0; i < 500; ++i) {
      std::string flipped = text;
      for (auto flips = 1 + engine() % 3; flips > 0; --flips) {
        // Half of the changed characters become digits.
        char& c = flipped[engine() % flipped.size()];
        c = static_cast<char>(engine() % 2 == 0 ? '0' + engine() % 10 : engine() % 256);
      }
      SCOPED_TRACE(flipped);
      expect_survives(write(flipped));
    }
  }
}

}  // namespace
}  // namespace strata
