// SPDX-License-Identifier: LGPL-2.1-only
// strata replay with damaged traces of every format. Each is a valid trace with one to three random changes: bytes,
// numbers, lines and words that are removed, repeated, exchanged or replaced. The command must end in time, without a
// signal, and refuse a trace in one line. Results are counted: a trace that is still valid may give another time.
//
// STRATA_MUTATIONS sets the number of traces of each format, STRATA_SEED the changes; the seed is printed.
// STRATA_TRACES is a folder with more valid traces of SMPI, such as those of SimGrid's examples.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "base/base128.h"
#include "tests/command/scorep_writer.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr double kLimit_s = 60;  // far more than any of these traces takes, on a busy computer too

long number_from(const char* variable, long otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::strtol(text, nullptr, 10) : otherwise;
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % std::max<std::size_t>(n, 1)); }

  std::string text(std::string bytes) {
    for (std::size_t i = 0; i <= below(3); ++i) {
      if (below(4) == 0) {
        change_bytes(bytes);
      } else {
        change_lines(bytes);
      }
    }
    return bytes;
  }
  std::string binary(std::string bytes) {
    for (std::size_t i = 0; i <= below(3); ++i) change_bytes(bytes);
    return bytes;
  }

 private:
  void change_bytes(std::string& bytes) {
    if (bytes.empty()) return;
    const std::size_t at = below(bytes.size()), length = std::min(bytes.size() - at, 1 + below(20));
    switch (below(6)) {
      case 0:
        bytes[at] = static_cast<char>(below(256));
        return;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        return;
      case 2:
        bytes.erase(at, length);
        return;
      case 3:
        bytes.insert(at, bytes.substr(at, length));
        return;
      case 4:
        bytes.resize(at);
        return;
      default:
        bytes.replace(at, length, bytes.substr(below(bytes.size()), length));
    }
  }

  void change_lines(std::string& bytes) {
    Words lines = lines_of(bytes);
    if (lines.empty()) return;
    const std::size_t at = below(lines.size());
    switch (below(5)) {
      case 0:
        lines.erase(lines.begin() + static_cast<long>(at));
        break;
      case 1:
        lines.insert(lines.begin() + static_cast<long>(at), lines[below(lines.size())]);
        break;
      case 2:
        std::swap(lines[at], lines[below(lines.size())]);
        break;
      default:
        change_word(lines[at]);
    }
    bytes.clear();
    for (const std::string& line : lines) bytes += line + "\n";
  }

  // One of the line's words becomes another number or another action.
  void change_word(std::string& line) {
    static const Words others = {"0",       "1",          "2",        "7",       "-1",        "1e3",     "1e9",
                                 "1e300",   "2147483647", "send",     "recv",    "isend",     "irecv",   "wait",
                                 "bcast",   "reduce",     "alltoall", "gather",  "allgather", "barrier", "allreduce",
                                 "compute", "sleep",      "calc",     "requires"};
    Words words;
    std::string word;
    for (const char c : line + " ") {
      if (c != ' ') {
        word += c;
      } else if (!word.empty()) {
        words.push_back(word);
        word.clear();
      }
    }
    if (words.empty()) return;
    const std::size_t at = below(words.size());
    if (below(8) == 0) {
      words.erase(words.begin() + static_cast<long>(at));
    } else {
      words[at] = others[below(others.size())];
    }
    line = fmt::format("{}", fmt::join(words, " "));
  }

  std::mt19937_64 random_;
};

// How the command ended with the traces of one format.
struct Count {
  long same = 0;       // exit code 0, and the time of the valid trace
  long other = 0;      // exit code 0 and another time
  long refused = 0;    // exit code 2
  long contained = 0;  // of these: a library crashed
  long failed = 0;     // exit code 3: a deadlock
};

class Mutated : public ::testing::Test {
 protected:
  Mutated()
      : traces_(number_from("STRATA_MUTATIONS", 12)),
        seed_(number_from("STRATA_SEED", std::random_device{}())),
        mutator_(static_cast<std::uint64_t>(seed_)) {
    std::printf("STRATA_MUTATIONS=%ld STRATA_SEED=%ld\n", traces_, seed_);
  }
  ~Mutated() override {
    std::printf(
        "%ld traces: %ld with the same time, %ld with another, %ld refused (%ld after a crash of a library), "
        "%ld deadlocks\n",
        count_.same + count_.other + count_.refused + count_.failed, count_.same, count_.other, count_.refused,
        count_.contained, count_.failed);
  }

  std::string path(const std::string& name) const { return folder_.path() / name; }

  static Ran replay(const std::string& file) {
    return run_strata({"replay", file, "--machine", "ntw10e5", "--json"}, {.limit_s = kLimit_s});
  }
  static double time_of(const Ran& ran) {
    return nlohmann::json::parse(ran.out)["simulated_time"]["value"].get<double>();
  }
  // The simulated time of a valid trace.
  double valid(const std::string& file) const {
    const Ran ran = replay(file);
    EXPECT_EQ(ran.code, 0) << file << ": " << ran.err;
    return ran.code == 0 ? time_of(ran) : -1;
  }

  // Replays a damaged trace. `what` says how to make it again.
  void expect_handled(const std::string& file, double time, const std::string& what) {
    const Ran ran = replay(file);
    SCOPED_TRACE(what + ": " + ran.err);
    const auto keep = [&] {
      if (const char* into = std::getenv("STRATA_FINDINGS"); into != nullptr && HasFailure())
        fs::copy(fs::path(file).filename() == "traces.otf2" ? fs::path(file).parent_path() : fs::path(file),
                 fs::path(into) / fmt::format("{}-{}", seed_, found_++),
                 fs::copy_options::recursive | fs::copy_options::overwrite_existing);
    };
    EXPECT_FALSE(ran.timed_out);
    EXPECT_EQ(ran.signal, 0);
    EXPECT_THAT(ran.code, ::testing::AnyOf(0, 2, 3));
    EXPECT_THAT(ran.err, ::testing::Not(::testing::HasSubstr("internal error")));
    if (ran.code == 0) {
      ++(time_of(ran) == time ? count_.same : count_.other);
    } else if (ran.code == 2) {
      ++count_.refused;
      if (ran.err.find("crash") != std::string::npos || ran.err.find("ends early") != std::string::npos)
        ++count_.contained;
      EXPECT_EQ(lines_of(ran.err).back().rfind("strata: ", 0), 0U);
    } else {
      ++count_.failed;
      EXPECT_THAT(ran.err, ::testing::HasSubstr("deadlock"));
    }
    keep();
  }

  // Mutates these texts.
  void mutate_texts(const std::vector<std::string>& files, bool binary) {
    std::vector<double> times;
    for (const std::string& file : files) times.push_back(valid(file));
    for (long i = 0; i < traces_; ++i) {
      const std::size_t which = mutator_.below(files.size());
      const std::string bytes = read_text(files[which]);
      const std::string changed = binary ? mutator_.binary(bytes) : mutator_.text(bytes);
      const std::string file = folder_.write("mutated", changed);
      expect_handled(file, times[which], fmt::format("seed {}, trace {} of {}", seed_, i, files[which]));
    }
  }

  std::string recorded() const {
    std::string file = path("app.mpitrace");
    const Ran ran = run_strata({"exec", "--machine", "ntw10e5", "-n", "4", "--map-by", "node", "--no-summary",
                                "--record", file, "--", built("tests/command/exchange.so")});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return file;
  }

  TemporaryFolder folder_;
  long traces_, seed_, found_ = 0;
  Mutator mutator_;
  Count count_;
};

// Each collective, on three ranks.
constexpr const char* kCollectives =
    "barrier\nbcast 8 1\nreduce 8 1e6 2\nallreduce 100 1e6\nscan 8 0\nexscan 8 0\nallgather 8 8\nalltoall 8 8\n"
    "gather 8 8 1\nscatter 8 8 2\ngatherv 8 8 8 8 0\nscatterv 8 8 8 8 1\nallgatherv 8 8 8 8\nreducescatter 8 8 8 1e6\n"
    "alltoallv 24 8 8 8 24 8 8 8\n";

TEST_F(Mutated, TimeIndependentTraces) {
  const std::string samples = "tests/records/foreign/";
  std::vector<std::string> files;
  for (const char* name :
       {"actions_with_isend.txt", "actions_alltoall.txt", "actions_allgatherv.txt", "actions_reducescatter.txt"})
    files.push_back(samples + name);
  std::string all = "0 init\n1 init\n2 init\n";
  for (const std::string& line : lines_of(kCollectives)) {
    for (int r = 0; r < 3; ++r) all += std::to_string(r) + " " + line + "\n";
  }
  files.push_back(folder_.write("collectives", all + "0 finalize\n1 finalize\n2 finalize\n"));
  // One of our own, whose files for each rank become one.
  const Ran ran = run_strata({"replay", "convert", recorded(), "--to", "ti", "--out", path("app.ti")});
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::string own;
  for (const std::string& name : lines_of(read_text(path("app.ti")))) own += read_text(name);
  files.push_back(folder_.write("own", own));
  if (const char* more = std::getenv("STRATA_TRACES")) {
    for (const auto& entry : fs::directory_iterator(more)) {
      if (entry.is_regular_file() && replay(entry.path()).code == 0) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::printf("%zu valid traces\n", files.size());
  }
  mutate_texts(files, false);
}

TEST_F(Mutated, GoalSchedules) {
  const std::string samples = "tests/records/foreign/";
  mutate_texts({samples + "binary_tree_32.goal", samples + "mixed.goal"}, false);
}
TEST_F(Mutated, BinaryGoalSchedules) { mutate_texts({"tests/records/foreign/mixed.bin"}, true); }

// The checksum refuses every change. With the right checksum, only what cannot be replayed is refused.
TEST_F(Mutated, Recordings) {
  const std::string file = recorded(), bytes = read_text(file);
  const double time = valid(file);
  for (long i = 0; i < traces_; ++i) {
    std::string changed = mutator_.binary(bytes);
    const bool repaired = i % 4 != 0 && changed.size() > 8;
    if (repaired) {
      changed.resize(changed.size() - 8);
      put_bits(changed, XXH3_64bits(changed.data(), changed.size()));
    }
    const long before = count_.refused;
    expect_handled(folder_.write("mutated.mpitrace", changed), time, fmt::format("seed {}, recording {}", seed_, i));
    if (!repaired && changed != bytes) {
      EXPECT_EQ(count_.refused, before + 1) << "seed " << seed_ << ", recording " << i;
    }
  }
}

TEST_F(Mutated, Archives) {
  constexpr int kRanks = 4;
  const std::string log = path("log"), whole = path("whole"), changed = path("changed");
  fs::create_directory(log);
  const Ran ran = run_strata({"exec", "--machine", "ntw10e5", "-n", std::to_string(kRanks), "--no-summary", "--",
                              built("tests/command/traced.so"), "1", "40", log});
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::vector<Words> events;
  std::vector<std::vector<int>> communicators(4);
  for (int r = 0; r < kRanks; ++r) {
    events.push_back(lines_of(read_text(fs::path(log) / std::to_string(r))));
    communicators[0].push_back(r);
    communicators[r % 2 == 0 ? 1 : 2].push_back(r);
    communicators[3].insert(communicators[3].begin(), r);
  }
  write_archive(events, communicators, "Score-P 8.4", whole);
  const double time = valid(whole + "/traces.otf2");
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(whole)) {
    if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(whole));
  }
  std::sort(files.begin(), files.end());
  for (long i = 0; i < traces_; ++i) {
    fs::remove_all(changed);
    const std::string what = fmt::format("seed {}, archive {}", seed_, i);
    if (i % 3 == 0) {
      // Other events: a valid archive of a program that does not exist.
      std::vector<Words> others = events;
      Words& lines = others[mutator_.below(kRanks)];
      Words& from = others[mutator_.below(kRanks)];
      const std::size_t at = mutator_.below(lines.size());
      switch (mutator_.below(3)) {
        case 0:
          lines.erase(lines.begin() + static_cast<long>(at));
          break;
        case 1:
          lines[at] = from[mutator_.below(from.size())];
          break;
        default:
          std::swap(lines[at], lines[mutator_.below(lines.size())]);
      }
      try {
        write_archive(others, communicators, "Score-P 8.4", changed);
      } catch (const std::exception&) {  // the library refuses to write it, for example if times go backwards
        continue;
      }
    } else {
      fs::copy(whole, changed, fs::copy_options::recursive);
      const fs::path file = changed / files[mutator_.below(files.size())];
      std::ofstream(file, std::ios::binary) << mutator_.binary(read_text(file));
    }
    expect_handled(changed + "/traces.otf2", time, what);
  }
}

}  // namespace
}  // namespace strata
