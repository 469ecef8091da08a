// SPDX-License-Identifier: LGPL-2.1-only
// Traces: folded steps unfold to the original steps, files are read back unchanged, and damaged files are refused.
#include "records/trace/trace.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <xxhash.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <random>

#include "base/base128.h"
#include "base/error.h"
#include "base/output_error.h"
#include "records/trace/fold.h"
#include "records/trace/recorded_machine.h"
#include "records/trace/trace_file.h"
#include "records/trace/trace_writer.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Kind = TraceStep::Kind;

TraceStep letter(char c) { return {.kind = Kind::kSleep, .amount = static_cast<double>(c)}; }

std::vector<TraceStep> folded(const std::vector<TraceStep>& steps) {
  StepFolder folder;
  for (const TraceStep& s : steps) folder.add(s);
  return folder.steps();
}

// "3(a2(b)c)" for the steps a, b, b, c, a, b, b, c, a, b, b, c.
std::string text(const TraceStep* from, const TraceStep* to) {
  std::string all;
  for (; from != to; ++from) {
    if (from->kind != Kind::kRepeat) {
      all += static_cast<char>(from->amount);
      continue;
    }
    all += std::to_string(static_cast<long>(from->amount)) + "(" + text(from + 1, from + 1 + from->number) + ")";
    from += from->number;
  }
  return all;
}

std::string folded(const std::string& letters) {
  std::vector<TraceStep> steps;
  for (const char c : letters) steps.push_back(letter(c));
  const std::vector<TraceStep> f = folded(steps);
  EXPECT_EQ(unfold(f), steps) << letters;
  return text(f.data(), f.data() + f.size());
}

TEST(Fold, FindsLoopsInLoops) {
  EXPECT_EQ(folded(std::string()), "");
  EXPECT_EQ(folded(std::string("abc")), "abc");
  EXPECT_EQ(folded(std::string("aaaaa")), "5(a)");
  EXPECT_EQ(folded(std::string("abbcabbcabbc")), "3(a2(b)c)");
  EXPECT_EQ(folded(std::string("xababababy")), "x4(ab)y");
  EXPECT_EQ(folded(std::string("aabbaabbcaabbaabbc")), "2(2(2(a)2(b))c)");
}

// All sequences of up to 12 steps of two kinds, and of up to 8 steps of three.
TEST(Fold, StandsForWhatWentIn) {
  for (const auto& [kinds, most] : {std::pair{2, 12}, {3, 8}}) {
    for (int length = 1; length <= most; ++length) {
      long all = 1;
      for (int i = 0; i < length; ++i) all *= kinds;
      for (long code = 0; code < all; ++code) {
        std::string letters;
        for (long rest = code; static_cast<int>(letters.size()) < length; rest /= kinds)
          letters += static_cast<char>('a' + rest % kinds);
        folded(letters);
      }
    }
  }
}

TEST(Fold, StandsForWhatWentInAtRandom) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    // Loops that are almost equal.
    std::string letters;
    while (letters.size() < 400) {
      std::string body;
      for (unsigned i = 0; i < 1 + random() % 9; ++i) body += static_cast<char>('a' + random() % 3);
      for (unsigned i = 0; i < 1 + random() % 12; ++i) letters += random() % 8 == 0 ? body + "z" : body;
    }
    folded(letters);
  }
}

TEST(Fold, AThousandIterationsTakeTheSpaceOfOne) {
  std::vector<TraceStep> steps;
  for (int i = 0; i < 1000; ++i) {
    for (int peer = 1; peer <= 50; ++peer) {
      steps.push_back({.kind = Kind::kSend, .peer = peer, .amount = 8.0 * peer});
      steps.push_back({.kind = Kind::kReceive, .peer = peer});
    }
    for (int r = 100; r >= 1; --r) steps.push_back({.kind = Kind::kWait, .number = r});
  }
  EXPECT_EQ(folded(steps).size(), 201U);
}

// Steps removed meanwhile are those at the front, and loops are found in the remaining steps.
TEST(Fold, OlderStepsCanBeTakenOut) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    StepFolder folder;
    std::vector<TraceStep> all, taken;
    for (int i = 0; i < 500; ++i) {
      const TraceStep step{.kind = Kind::kSend, .peer = static_cast<int>(random() % 20 == 0 ? random() % 5 : i % 3)};
      all.push_back(step);
      folder.add(step);
      if (random() % 50 != 0) continue;
      const std::vector<TraceStep> older = unfold(folder.take_older_half());
      taken.insert(taken.end(), older.begin(), older.end());
      EXPECT_EQ(folder.size(), folder.steps().size());
    }
    const std::vector<TraceStep> rest = unfold(folder.steps());
    taken.insert(taken.end(), rest.begin(), rest.end());
    ASSERT_EQ(taken, all);
  }
  StepFolder folder;
  for (int i = 0; i < 100; ++i) folder.add({.kind = Kind::kSend, .peer = i});
  folder.take_older_half();
  EXPECT_EQ(folder.length(), 50U);
  for (int i = 0; i < 1000; ++i) folder.add({.kind = Kind::kSend, .peer = i % 10});
  EXPECT_EQ(folder.size(), 50U + 11U);
}

Trace example() {
  Trace t;
  t.program = "app";
  t.program_hash = "00ff";
  t.machine = "theta";
  t.cores = {0, 5, 2};
  t.ended = {1.5, 0.1, 2e-9};
  t.functions = {"MPI_Send", "MPI_Recv"};
  t.doubts = {0, 3};
  t.not_recorded = {"MPI_File_open"};
  t.groups = {{0, 1, 2}, {1}};
  t.native = true;
  const std::vector<TraceStep> one = {
      {.kind = Kind::kMeet, .number = 0},
      {.kind = Kind::kRepeat, .number = 4, .amount = 100},
      {.kind = Kind::kCall, .number = 1},
      {.kind = Kind::kSend,
       .modes = TraceStep::kImmediate,
       .peer = 1,
       .tag = -7,
       .number = 2,
       .amount = 1e15,
       .moved = 1 << 23},
      {.kind = Kind::kRepeat, .number = 1, .amount = 2},
      {.kind = Kind::kWait, .number = 1},
      {.kind = Kind::kCall, .number = -1},
      {.kind = Kind::kWork, .amount = 0.1, .moved = 3},
      {.kind = Kind::kReceive,
       .modes = TraceStep::kWildcard,
       .peer = 2,
       .tag = 1 << 30,
       .number = 1,
       .passed = 4,
       .moved = 300},
      {.kind = Kind::kCopy, .amount = 100, .moved = 700},
  };
  const std::vector<TraceStep> other = {
      {.kind = Kind::kSleep, .amount = 5e-324},
      {.kind = Kind::kLock, .peer = 1, .number = 3},
      {.kind = Kind::kGet, .modes = TraceStep::kHeld, .peer = 1, .number = 2, .passed = 1, .amount = 8},
      {.kind = Kind::kWait, .number = 1},
      {.kind = Kind::kPut, .peer = 2, .amount = 1e9},
      {.kind = Kind::kFlushOne, .peer = 2, .tag = 2},
      {.kind = Kind::kUnlock, .peer = 1, .number = 3}};
  const auto shared = std::make_shared<const std::vector<TraceStep>>(one);
  t.ranks = {shared, std::make_shared<const std::vector<TraceStep>>(other), shared};
  return t;
}

fs::path temporary() { return fs::path(::getenv("TEST_TMPDIR")) / "a.mpitrace"; }

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void expect_equal(const Trace& a, const Trace& b) {
  EXPECT_EQ(a.program, b.program);
  EXPECT_EQ(a.program_hash, b.program_hash);
  EXPECT_EQ(a.machine, b.machine);
  EXPECT_EQ(a.cores, b.cores);
  EXPECT_EQ(a.ended, b.ended);
  EXPECT_EQ(a.functions, b.functions);
  EXPECT_EQ(a.doubts, b.doubts);
  EXPECT_EQ(a.not_recorded, b.not_recorded);
  EXPECT_EQ(a.groups, b.groups);
  EXPECT_EQ(a.native, b.native);
  ASSERT_EQ(a.ranks.size(), b.ranks.size());
  for (size_t r = 0; r < a.ranks.size(); ++r) EXPECT_EQ(*a.ranks[r], *b.ranks[r]);
}

TEST(TraceFile, ComesBackAsItWas) {
  write_trace(temporary(), example());
  const Trace back = read_trace(temporary());
  expect_equal(back, example());
  EXPECT_EQ(back.ranks[0], back.ranks[2]);  // a single program
  // Equal programs are written once, even if they are separate objects.
  Trace twice = example();
  twice.ranks[2] = std::make_shared<const std::vector<TraceStep>>(*twice.ranks[0]);
  const std::string once = content(temporary());
  write_trace(temporary(), twice);
  EXPECT_EQ(content(temporary()), once);
}

// The file is the same, however small the buffer in memory.
TEST(TraceFile, IsWrittenWhileItGrows) {
  std::vector<std::vector<TraceStep>> programs(3);
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    const TraceStep step{.kind = Kind::kSend, .peer = static_cast<int>(random() % 3), .amount = 1.0 * i};
    programs[0].push_back(step);
    programs[2].push_back(step);
    programs[1].push_back({.kind = Kind::kSleep, .amount = 1e-7 * i});
  }
  Trace trace = example();
  for (size_t r = 0; r < 3; ++r) trace.ranks[r] = std::make_shared<const std::vector<TraceStep>>(programs[r]);
  write_trace(temporary(), trace);
  const std::string whole = content(temporary());
  for (const size_t most_kept : {size_t{0}, size_t{1000}, size_t{1} << 30}) {
    TraceWriter writer(temporary(), 3, most_kept);
    for (size_t i = 0; i < 3000; i += 100) {
      for (size_t r = 0; r < 3; ++r)
        writer.append(r,
                      {programs[r].begin() + static_cast<long>(i), programs[r].begin() + static_cast<long>(i + 100)});
    }
    writer.write(trace);
    EXPECT_EQ(content(temporary()), whole) << most_kept;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(temporary().parent_path()), {}), 1) << "the trace alone";
}

TEST(TraceFile, AFullDiskIsReportedAndTheOldTraceStays) {
  const auto why = [](const auto& write) -> std::string {
    try {
      write();
    } catch (const OutputError& e) {
      return e.what();
    }
    return "";
  };
  write_trace(temporary(), example());
  const std::string before = content(temporary());
  rlimit usual{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit little{1000, usual.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
  std::vector<TraceStep> many;
  for (int i = 0; i < 3000; ++i) many.push_back({.kind = Kind::kSend, .amount = 1.0 * i});
  TraceWriter aside(temporary(), 3, 0), in_memory(temporary(), 3);
  const std::string on_the_way = why([&] { aside.append(0, many); });
  in_memory.append(0, many);
  const std::string at_the_end = why([&] { in_memory.write(example()); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &usual), 0);
  EXPECT_EQ(on_the_way,
            temporary().string() + ": cannot be written: File too large; free space or choose another place");
  EXPECT_NE(at_the_end.find("cannot be written: File too large"), std::string::npos) << at_the_end;
  EXPECT_EQ(content(temporary()), before);
  EXPECT_NE(
      why([&] { TraceWriter("/none/a.mpitrace", 1, 0).append(0, many); }).find("/none/a.mpitrace: cannot be made"),
      std::string::npos);
}

void expect_refused(const std::string& bytes, const std::string& why) {
  std::ofstream(temporary(), std::ios::binary) << bytes;
  try {
    read_trace(temporary());
    FAIL() << "taken, though " << why;
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
  }
}

TEST(TraceFile, ADamagedOneIsRefused) {
  write_trace(temporary(), example());
  const std::string good = content(temporary());
  for (size_t length = 16; length < good.size(); ++length) expect_refused(good.substr(0, length), "cut off");
  for (size_t at = 16; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    expect_refused(bad, "its check sum is not that of what is there");
  }
  expect_refused("", "is not a trace");
  expect_refused("#!/bin/sh\n", "is not a trace");
  expect_refused("strata trace 3\n" + good.substr(15), "is of another version: 'strata trace 3'");
}

TEST(TraceFile, CarriesAMachine) {
  const RecordedMachine machine{.hash = std::string(32, '7'),
                                .files = {{"machine.yaml", std::string(5000, 'a')}, {"node.xml", {"\0\xff", 2}}}};
  Trace trace = example();
  trace.recorded_machine = pack(machine);
  EXPECT_LT(trace.recorded_machine.size(), 200U);
  write_trace(temporary(), trace);
  expect_equal(read_trace(temporary()), example());
  const RecordedMachine back = unpack(read_trace(temporary()).recorded_machine, "a.mpitrace");
  EXPECT_EQ(back.hash, machine.hash);
  EXPECT_EQ(back.files, machine.files);
  const std::string& packed = trace.recorded_machine;
  for (size_t length = 0; length < packed.size(); ++length)
    EXPECT_THROW(unpack(packed.substr(0, length), "a.mpitrace"), InputError) << length;
}

// Up to version 0.7.0, a trace had no machine.
TEST(TraceFile, OfAnOlderVersion) {
  write_trace(temporary(), example());
  std::string old = content(temporary());
  const size_t header = old.find('\n', old.find('\n') + 1) + 1;
  ASSERT_EQ(old[header], '\0') << "the length of no machine";
  old.erase(header, 1);
  old.replace(0, 14, "strata trace 1");
  old.resize(old.size() - 8);
  put_bits(old, XXH3_64bits(old.data(), old.size()));
  std::ofstream(temporary(), std::ios::binary) << old;
  expect_equal(read_trace(temporary()), example());
}

// Errors in a file with a correct checksum.
TEST(TraceFile, StepsThatNobodyCanDoAreRefused) {
  const auto refused = [](const TraceStep& step, const std::string& why) {
    Trace t = example();
    t.ranks[1] = std::make_shared<const std::vector<TraceStep>>(1, step);
    write_trace(temporary(), t);
    expect_refused(content(temporary()), why);
  };
  refused({.kind = Kind::kSend, .peer = 3}, "there is no such rank");
  refused({.kind = Kind::kReceive, .peer = -1}, "there is no such rank");
  refused({.kind = Kind::kSend, .amount = 0.5}, "the size of a message is not a whole number");
  refused({.kind = Kind::kReceive, .passed = -1}, "a message is out of range");
  refused({.kind = Kind::kWait, .number = 1}, "a wait for a request that was not started");
  refused({.kind = Kind::kRepeat, .number = 1, .amount = 2}, "a loop ends after the program");
  refused({.kind = Kind::kRepeat, .number = 0, .amount = 2}, "a loop ends after the program");
  refused({.kind = Kind::kPoll, .amount = 0.5}, "a number of messages is not a whole number");
  refused({.kind = Kind::kPut, .amount = 0.5}, "the size of a message is not a whole number");
  refused({.kind = Kind::kAccumulate, .number = -1}, "a window is out of range");
  refused({.kind = Kind::kLock, .number = -1}, "a window is out of range");
  refused({.kind = Kind::kFlushOne, .tag = 3}, "there is no such rank");
  refused({.kind = Kind::kCall, .number = 2}, "there is no such function");
  refused({.kind = Kind::kMeet, .number = 2}, "there is no such group");
  refused({.kind = Kind::kSleep, .amount = -1}, "an amount is out of range");
  refused({.kind = Kind::kSleep, .amount = std::numeric_limits<double>::infinity()}, "an amount is out of range");
  refused({.kind = static_cast<Kind>(100)}, "there is no such step");
}

}  // namespace
}  // namespace strata
