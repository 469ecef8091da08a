// SPDX-License-Identifier: LGPL-2.1-only
// Timelines in each format: the exact text of a small one; random ones, with and without windows, read by pj_dump, a
// JSON parser and otf2-print and compared with intervals in memory; and errors.
#include "records/timeline/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/output_error.h"
#include "records/timeline/step_means.h"
#include "records/timeline/wait_targets.h"
#include "tests/process/process.h"
#include "tests/records/timeline/recorded_runs.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;
using Kind = Event::Kind;

// Two nodes, each with two packages of three cores.
const Machine& machine() {
  static const Machine machine = machine_from_tree("node:2 pack:2 core:3");
  return machine;
}

void write(const RecordedRun& run, const TimelineSelection& selection, const fs::path& file,
           const LinkRates& rates = {}) {
  const fs::path events = file.parent_path() / "run.events";
  run.write(events);
  EventTimeline timeline(events, selection);
  const RankPlaces places(machine(), timeline.header().cores, events);
  write_timeline(timeline, places, timeline_format("", file, "--out"), file, rates);
}

std::string paje_of(const RecordedRun& run, const TimelineSelection& selection) {
  const TemporaryFolder folder;
  write(run, selection, folder.path() / "run.paje");
  return read_text(folder.path() / "run.paje");
}

std::vector<std::string> split(const std::string& line, const std::string& separator) {
  std::vector<std::string> parts;
  size_t at = 0;
  for (size_t end = 0; (end = line.find(separator, at)) != std::string::npos; at = end + separator.size())
    parts.push_back(line.substr(at, end - at));
  parts.push_back(line.substr(at));
  return parts;
}

int rank_of(const std::string& name) {
  EXPECT_THAT(name, StartsWith("rank "));
  return std::atoi(name.c_str() + 5);
}

void sort(Shown& s) {
  for (std::vector<Interval>* all : {&s.program, &s.phases, &s.calls, &s.waits}) std::sort(all->begin(), all->end());
  std::sort(s.arrows.begin(), s.arrows.end());
}

void expect_same(const Shown& expected, const Shown& actual, const std::string& what) {
  const auto compare = [&](const auto& e, const auto& a, const char* kind) {
    ASSERT_EQ(e.size(), a.size()) << what << ": " << kind;
    for (size_t i = 0; i < e.size(); ++i) ASSERT_TRUE(e[i] == a[i]) << what << ": " << kind << " " << i;
  };
  compare(expected.program, actual.program, "program");
  compare(expected.phases, actual.phases, "phases");
  compare(expected.calls, actual.calls, "calls");
  compare(expected.waits, actual.waits, "waits");
  compare(expected.arrows, actual.arrows, "arrows");
}

std::int64_t ps(const std::string& seconds) { return picoseconds(std::atof(seconds.c_str())); }

// --- read by other programs ---

// Paje has no quotes in names, and names the program's state "computation".
Shown as_paje(Shown s) {
  for (Interval& i : s.program) i.name = "Computation";
  for (Interval& i : s.phases) std::replace(i.name.begin(), i.name.end(), '"', '\'');
  sort(s);
  return s;
}

Shown read_by_pj_dump(const fs::path& file) {
  const Ran ran = Process({"pj_dump", "--user-defined", "--float-precision=12", file}).wait();
  EXPECT_EQ(ran.code, 0) << ran.err << ran.out.substr(0, 300);
  Shown s;
  for (const std::string& line : lines_of(ran.out)) {
    const std::vector<std::string> words = split(line, ", ");
    if (words[0] == "State" && words[2] == "Phase") {
      s.phases.push_back({rank_of(words[1]), ps(words[3]), ps(words[4]), words[7]});
    } else if (words[0] == "State") {
      const std::string& name = words[7];
      std::vector<Interval>& all = name == "Computation" ? s.program : name.starts_with("MPI_") ? s.calls : s.waits;
      const int depth = name == "Computation" ? 0 : name.starts_with("MPI_") ? 1 : 2;
      EXPECT_EQ(depth, std::atoi(words[6].c_str())) << line;
      all.push_back({rank_of(words[1]), ps(words[3]), ps(words[4]), name});
    } else if (words[0] == "Link") {
      s.arrows.push_back({ps(words[3]), ps(words[4]), rank_of(words[7]), rank_of(words[8]),
                          std::atoi(words[11].c_str()), std::atoll(words[10].c_str())});
    }
  }
  sort(s);
  return s;
}

Shown read_json(const std::string& text) {
  const Json document = Json::parse(text);
  struct Open {
    std::string category, name;
    double from;
    Json arguments;
  };
  std::map<int, std::vector<Open>> stacks;
  std::map<std::int64_t, Arrow> arrows;
  Shown s;
  for (const Json& e : document["traceEvents"]) {
    const std::string kind = e["ph"];
    if (kind == "M" || kind == "C") continue;
    const int rank = e["tid"].get<int>() - 2'000'000;
    const double time = e["ts"].get<double>() * 1e-6;
    std::vector<Open>& stack = stacks[rank];
    if (kind == "B") {
      stack.push_back({e["cat"], e["name"], time, e.value("args", Json())});
    } else if (kind == "E") {
      const Open o = stack.back();
      stack.pop_back();
      std::vector<Interval>* all = o.category == "program"   ? &s.program
                                   : o.category == "phase"   ? &s.phases
                                   : o.category == "MPI"     ? &s.calls
                                   : o.category == "waiting" ? &s.waits
                                                             : nullptr;
      if (all != nullptr) all->push_back({rank, picoseconds(o.from), picoseconds(time), o.name});
    } else if (kind == "s") {
      Arrow& a = arrows[e["id"]];
      a.from = picoseconds(time);
      a.sender = rank;
      a.tag = stack.back().arguments["tag"];
      a.bytes = stack.back().arguments["bytes"];
    } else if (kind == "f") {
      Arrow& a = arrows[e["id"]];
      a.to = picoseconds(time);
      a.receiver = rank;
      EXPECT_EQ("from rank " + std::to_string(a.sender), stack.back().name);
      s.arrows.push_back(a);
    }
  }
  for (const auto& [rank, stack] : stacks) EXPECT_TRUE(stack.empty()) << rank;
  sort(s);
  return s;
}

// Reads lines of otf2-print such as "ENTER   12   345   Region: "MPI_Recv" <1>", followed by the event's other fields.
// `ranks`: their numbers in the communicator.
Shown read_by_otf2_print(const fs::path& folder, const std::string& program, const std::vector<int>& ranks) {
  const Ran ran = Process({"otf2-print", folder / "traces.otf2"}).wait();
  EXPECT_EQ(ran.code, 0) << ran.err << ran.out.substr(0, 300);
  EXPECT_EQ(ran.err, "");  // no warnings
  static const RE2 line_of(R"re((\w+) +(\d+) +(\d+)  (.*))re");
  static const RE2 region(R"re(Region: "(.*)" <\d+>)re"), waits(R"re(\("waits for rank" <0>; UINT32; (\d+)\))re");
  static const RE2 message(R"re((?:Receiver|Sender): (\d+) .*Tag: (\d+), Length: (\d+))re");
  std::map<int, std::vector<std::pair<std::string, std::int64_t>>> stacks;
  std::map<std::tuple<int, int, int, std::int64_t>, std::vector<std::int64_t>> sent;
  Shown s;
  std::vector<std::string> lines = lines_of(ran.out);
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string line = lines[i];
    std::string kind, rest, name;
    int rank = 0;
    std::int64_t time = 0;
    if (!RE2::FullMatch(line, line_of, &kind, &rank, &time, &rest)) continue;
    std::vector<std::pair<std::string, std::int64_t>>& stack = stacks[rank];
    if (kind == "ENTER" || kind == "LEAVE") {
      EXPECT_TRUE(RE2::PartialMatch(rest, region, &name)) << line;
    }
    if (kind == "ENTER") {
      std::string other;
      if (i + 1 < lines.size() && RE2::PartialMatch(lines[i + 1], waits, &other)) name += " for rank " + other;
      stack.emplace_back(name, time);
    } else if (kind == "LEAVE") {
      const auto [entered, from] = stack.back();
      stack.pop_back();
      std::vector<Interval>& all = entered == program             ? s.program
                                   : entered.starts_with("MPI_")  ? s.calls
                                   : entered.starts_with("waits") ? s.waits
                                                                  : s.phases;
      all.push_back({rank, from, time, entered});
    } else if (kind == "MPI_SEND" || kind == "MPI_RECV") {
      int at = 0;
      std::uint32_t stored_tag = 0;  // OTF2's tags have no sign
      std::int64_t bytes = 0;
      EXPECT_TRUE(RE2::PartialMatch(rest, message, &at, &stored_tag, &bytes)) << line;
      const auto tag = static_cast<int>(stored_tag);
      const int other = ranks.at(at);
      // If two sends are equal, OTF2 does not specify which of them belongs to a receive.
      const auto key = kind == "MPI_SEND" ? std::tuple(rank, other, tag, bytes) : std::tuple(other, rank, tag, bytes);
      if (kind == "MPI_SEND") {
        sent[key].push_back(time);
      } else {
        s.arrows.push_back({0, time, std::get<0>(key), std::get<1>(key), tag, bytes});
      }
    }
  }
  for (Arrow& a : s.arrows) {
    std::vector<std::int64_t>& times = sent[{a.sender, a.receiver, a.tag, a.bytes}];
    EXPECT_FALSE(times.empty());
    if (times.empty()) continue;
    a.from = times.back();
    times.pop_back();
  }
  for (const auto& [key, times] : sent) EXPECT_TRUE(times.empty()) << "sent and not received";
  sort(s);
  return s;
}

// --- the exact text of the example ---

TEST(Paje, OfTheExample) {
  const std::string text = paje_of(example_run(), {.messages = true});
  EXPECT_EQ(text.substr(text.find("2 tv0")),
            R"(2 tv0 ts "Computation" "0 0.62 0.45"
2 tv1 ts "waits" "0.84 0.37 0"
2 tf0 ts "MPI_Send" "0 0.45 0.70"
2 tf1 ts "MPI_Recv" "0.34 0.71 0.91"
2 tr0 ts "waits for rank 0" "0.84 0.37 0"
3 0.000000000000 M0 M 0 "two"
3 0.000000000000 N0 N M0 "node0"
3 0.000000000000 c0 c N0 "node0.core0"
3 0.000000000000 t0 t c0 "rank 0"
3 0.000000000000 c3 c N0 "node0.core3"
3 0.000000000000 t1 t c3 "rank 1"
6 0.000000000000 ts t0 tv0
6 0.000000000000 ts t1 tv0
6 0.000000000000 ts t1 tf1
6 0.000000000000 ts t1 tr0
6 0.001000000000 ts t0 tf0
9 0.001000000000 Mm M0 t0 message 1 8 7
7 0.001000000000 ts t0
10 0.003000000000 Mm M0 t1 message 1
7 0.003000000000 ts t1
7 0.003000000000 ts t1
7 0.004000000000 ts t0
7 0.004000000000 ts t1
4 0.004000000000 t t1
4 0.004000000000 c c3
4 0.004000000000 t t0
4 0.004000000000 c c0
4 0.004000000000 N N0
4 0.004000000000 M M0
)");
}

std::string json_of(const RecordedRun& run, const TimelineSelection& selection, const LinkRates& rates = {}) {
  const TemporaryFolder folder;
  write(run, selection, folder.path() / "run.json", rates);
  return read_text(folder.path() / "run.json");
}

TEST(Chrome, OfTheExample) {
  const std::string text = json_of(example_run(), {.from = 2e-3, .messages = true});
  EXPECT_EQ(
      text,
      R"x({"schema":"strata.timeline/1","displayTimeUnit":"ns","otherData":{"program":"app","machine":"two","ranks":2,"from_s":0.002000000000,"to_s":0.004000000000},"traceEvents":[
{"ph":"M","pid":3,"name":"process_name","args":{"name":"two"}},
{"ph":"M","pid":3,"name":"process_sort_index","args":{"sort_index":0}},
{"ph":"M","pid":1,"name":"process_name","args":{"name":"node0"}},
{"ph":"M","pid":1,"name":"process_sort_index","args":{"sort_index":1}},
{"ph":"M","pid":1,"tid":2000000,"name":"thread_name","args":{"name":"rank 0 (package 0, core 0)"}},
{"ph":"M","pid":1,"tid":2000000,"name":"thread_sort_index","args":{"sort_index":0}},
{"ph":"M","pid":1,"tid":2000001,"name":"thread_name","args":{"name":"rank 1 (package 1, core 3)"}},
{"ph":"M","pid":1,"tid":2000001,"name":"thread_sort_index","args":{"sort_index":1}},
{"ph":"B","pid":1,"tid":2000000,"ts":2000.000000,"cat":"program","name":"app"},
{"ph":"B","pid":1,"tid":2000001,"ts":2000.000000,"cat":"program","name":"app"},
{"ph":"B","pid":1,"tid":2000001,"ts":2000.000000,"cat":"MPI","name":"MPI_Recv"},
{"ph":"B","pid":1,"tid":2000001,"ts":2000.000000,"cat":"waiting","name":"waits for rank 0"},
{"ph":"B","pid":1,"tid":2000000,"ts":2000.000000,"cat":"message","name":"to rank 1","args":{"bytes":8,"tag":7}},
{"ph":"s","pid":1,"tid":2000000,"ts":2000.000000,"cat":"message","name":"message","id":1},
{"ph":"E","pid":1,"tid":2000000,"ts":2000.000000},
{"ph":"C","pid":3,"ts":2000.000000,"name":"under way: NUMANode","args":{"bytes":8.000}},
{"ph":"B","pid":1,"tid":2000001,"ts":3000.000000,"cat":"message","name":"from rank 0","args":{"bytes":8,"tag":7}},
{"ph":"f","pid":1,"tid":2000001,"ts":3000.000000,"cat":"message","name":"message","id":1,"bp":"e"},
{"ph":"E","pid":1,"tid":2000001,"ts":3000.000000},
{"ph":"E","pid":1,"tid":2000001,"ts":3000.000000},
{"ph":"E","pid":1,"tid":2000001,"ts":3000.000000},
{"ph":"E","pid":1,"tid":2000000,"ts":4000.000000},
{"ph":"E","pid":1,"tid":2000001,"ts":4000.000000},
{"ph":"C","pid":3,"ts":3000.000000,"name":"under way: NUMANode","args":{"bytes":0.000}}
]}
)x");
}

TEST(Chrome, ShowsTheLinksThatCarryMost) {
  const LinkRates rates{
      1e-3,
      {{1e-3, "node0", "up", 5000}, {1e-3, "node1", "up", 1}, {2e-3, "node0", "up", 0}, {4e-3, "node0", "up", 7}}};
  const Json document = Json::parse(json_of(example_run(), {}, rates));
  std::string counts;
  for (const Json& e : document["traceEvents"]) {
    if (e["ph"] == "C" && e["args"].contains("bytes/s"))
      counts += e["name"].get<std::string>() + " " + e["ts"].dump() + " " + e["args"]["bytes/s"].dump() + "; ";
  }
  EXPECT_EQ(counts,
            "node0 up 0.0 5000000.0; node0 up 1000.0 0.0; node0 up 2000.0 0.0; node0 up 3000.0 7000.0; node0 up 4000.0 "
            "0.0; node1 up 0.0 1000.0; node1 up 1000.0 0.0; ");
}

// --- random runs ---

TimelineSelection selection_of(unsigned seed, const RecordedRun& run) {
  TimelineSelection selection{.messages = true};
  if (seed % 3 == 1) selection.from = run.end * 0.25;
  if (seed % 3 == 2)
    selection = {.from = run.events[run.events.size() / 2].time, .to = run.end * 0.8, .messages = true};
  if (seed % 2 == 1) {
    for (size_t r = 0; r < run.header.cores.size(); ++r) selection.ranks.push_back((r + seed) % 3 != 0);
  }
  return selection;
}

TEST(RandomRuns, AsPjDumpReadsThem) {
  for (unsigned seed = 0; seed < 24; ++seed) {
    const RecordedRun run = random_run(seed, 1 + static_cast<int>(seed) % 12, 1500);
    const TimelineSelection selection = selection_of(seed, run);
    const TemporaryFolder folder;
    write(run, selection, folder.path() / "run.paje");
    expect_same(as_paje(shown(run, selection)), read_by_pj_dump(folder.path() / "run.paje"),
                "seed " + std::to_string(seed));
  }
}

TEST(RandomRuns, AsTheirJsonSays) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const RecordedRun run = random_run(seed, 1 + static_cast<int>(seed) % 12, 1500);
    const TimelineSelection selection = selection_of(seed, run);
    expect_same(shown(run, selection), read_json(json_of(run, selection)), "seed " + std::to_string(seed));
  }
}

// The bytes in flight: the mean over each step, computed from all messages.
TEST(RandomRuns, HaveTheirBytesUnderWay) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const RecordedRun run = random_run(seed, 12, 400);
    const TimelineSelection selection = selection_of(seed, run);
    const double from = selection.from, to = std::min(selection.to, run.end), step = (to - from) / 1000;
    const RankPlaces places(machine(), run.header.cores, "");
    std::map<std::string, std::vector<double>> expected;  // by level, B in each step
    for (const std::string& level : places.levels()) expected["under way: " + level].resize(1000);
    for (const Arrow& a : shown(run, selection).arrows) {
      std::vector<double>& steps = expected["under way: " + places.levels()[places.level(a.sender, a.receiver)]];
      for (int i = 0; i < 1000; ++i) {
        const double begin = std::max(static_cast<double>(a.from) * 1e-12, from + step * i);
        const double end = std::min(static_cast<double>(a.to) * 1e-12, from + step * (i + 1));
        if (end > begin) steps[i] += static_cast<double>(a.bytes) * (end - begin) / step;
      }
    }
    std::map<std::string, std::map<int, double>> changes;
    const Json document = Json::parse(json_of(run, selection));
    for (const Json& e : document["traceEvents"]) {
      if (e["ph"] == "C")
        changes[e["name"]][static_cast<int>(std::lround((e["ts"].get<double>() * 1e-6 - from) / step))] =
            e["args"]["bytes"];
    }
    for (const auto& [level, steps] : expected) {
      double now = 0;
      for (int i = 0; i < 1000; ++i) {
        if (changes[level].contains(i)) now = changes[level][i];
        ASSERT_NEAR(steps[i], now, 1.0) << level << " step " << i << " seed " << seed;
      }
    }
  }
}

TEST(RandomRuns, AsOtf2PrintReadsThem) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const RecordedRun run = random_run(seed, 1 + static_cast<int>(seed) % 12, 1500);
    TimelineSelection selection = selection_of(seed, run);
    selection.messages = seed % 4 == 0;  // an archive always has them
    const TemporaryFolder folder;
    write(run, selection, folder.path() / "run.otf2");
    std::vector<int> ranks;
    for (int r = 0; r < static_cast<int>(run.header.cores.size()); ++r) {
      if (selection.ranks.empty() || selection.ranks[r]) ranks.push_back(r);
    }
    expect_same(shown(run, selection), read_by_otf2_print(folder.path() / "run.otf2", run.header.program, ranks),
                "seed " + std::to_string(seed));
  }
}

// --- many ranks ---

// More ranks than are written at a time, some on the same core.
TEST(Otf2, OfManyRanks) {
  RecordedRun run = random_run(1, 700, 6000);
  for (int& core : run.header.cores) core %= 12;
  const TemporaryFolder folder;
  write(run, {}, folder.path() / "run.otf2");
  std::vector<int> ranks(700);
  std::iota(ranks.begin(), ranks.end(), 0);
  expect_same(shown(run, {.messages = true}), read_by_otf2_print(folder.path() / "run.otf2", run.header.program, ranks),
              "700 ranks");
}

TEST(Otf2, DefinesMachineRanksAndFunctions) {
  const TemporaryFolder folder;
  write(example_run(), {}, folder.path() / "run.otf2");
  const fs::path anchor = folder.path() / "run.otf2/traces.otf2";
  const std::string text = Process({"otf2-print", "--show-global-defs", anchor}).wait().out;
  for (
      const char* line :
      {R"(SYSTEM_TREE_NODE +0 +Name: "two" <\d+>, Class: "machine")",
       R"(SYSTEM_TREE_NODE +1 +Name: "node0" <\d+>, Class: "node")",
       R"(SYSTEM_TREE_NODE +2 +Name: "node0.package0" <\d+>, Class: "package")",
       R"(REGION +1 +Name: "MPI_Recv" <\d+> .*Role: POINT2POINT, Paradigm: "MPI")", R"(REGION +2 +Name: "app")",
       R"x(LOCATION +1 +Name: "rank 1 \(package 1, core 3\)" <\d+>, Type: CPU_THREAD, # Events: 7, Group: "rank 1" <1>)x",
       R"(COMM +0 +Name: "MPI_COMM_WORLD")", R"(Ticks per Seconds: 1000000000000)"}) {
    EXPECT_TRUE(RE2::PartialMatch(text, line)) << line << "\n" << text;
  }
}

// --- the same bytes ---

TEST(Timelines, AreTheSameBytesForTheSameRun) {
  const RecordedRun run = random_run(3, 8, 3000);
  const TemporaryFolder folder;
  for (const char* name : {"a", "b"}) {
    for (const char* ending : {".paje", ".json.gz", ".json", ".otf2"}) {
      write(run, {.messages = true}, folder.path() / (std::string(name) + ending));
    }
  }
  for (const char* ending : {".paje", ".json.gz", ".json"}) {
    EXPECT_EQ(read_text(folder.path() / (std::string("a") + ending)),
              read_text(folder.path() / (std::string("b") + ending)))
        << ending;
  }
  int files = 0;
  for (const fs::directory_entry& f : fs::recursive_directory_iterator(folder.path() / "a.otf2")) {
    if (!f.is_regular_file()) continue;
    const fs::path other = folder.path() / "b.otf2" / fs::relative(f.path(), folder.path() / "a.otf2");
    EXPECT_EQ(read_text(f.path()), read_text(other)) << other;
    ++files;
  }
  EXPECT_EQ(files, 2 + 2 * 8);
  EXPECT_EQ(Process({"gzip", "-dc", folder.path() / "a.json.gz"}).wait().out, read_text(folder.path() / "a.json"));
}

// --- errors ---

std::string refusal(const TimelineWords& words, int ranks = 4) {
  try {
    select(words, ranks);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Selection, SaysWhatIsShown) {
  const TimelineSelection s = select({.from = "1ms", .to = "2.5 ms", .ranks = "0-1,3"}, 5);
  EXPECT_DOUBLE_EQ(s.from, 1e-3);
  EXPECT_DOUBLE_EQ(s.to, 2.5e-3);
  EXPECT_EQ(s.ranks, (std::vector<bool>{true, true, false, true, false}));
}

TEST(Selection, OfNothingIsRefused) {
  EXPECT_EQ(refusal({.from = "soon"}),
            "--from: 'soon' is not a time with its unit; write for example 1ms, 0.5s or 20us");
  EXPECT_THAT(refusal({.from = "1"}), StartsWith("--from: '1' is not a time"));
  EXPECT_THAT(refusal({.from = "-1ms"}), StartsWith("--from: '-1ms' is not a time"));
  EXPECT_EQ(refusal({.prefix = "--timeline-", .from = "2ms", .to = "1ms"}),
            "--timeline-to: no time is between 2ms and 1ms; give an end after the begin");
  EXPECT_THAT(refusal({.from = "1ms", .to = "1000us"}), HasSubstr("no time is between"));
  EXPECT_EQ(refusal({.ranks = "0-4"}), "--ranks: there is no rank 4: the run has 4; give ranks from 0 to 3");
  for (const char* text : {"a", "1-", "-1", "1,", ",1", "3-2", "1 2", "1-2-3"})
    EXPECT_THAT(refusal({.ranks = text}), HasSubstr("is not a list of ranks")) << text;
}

TEST(Selection, AfterTheEndOfTheRunIsRefused) {
  const TemporaryFolder folder;
  try {
    write(example_run(), {.from = 4e-3}, folder.path() / "run.paje");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("the run ends at 0.004 s, before the window begins"));
  }
  EXPECT_FALSE(fs::exists(folder.path() / "run.paje"));
}

std::string damage(const std::vector<Event>& events) {
  const TemporaryFolder folder;
  RecordedRun run = example_run();
  run.events = events;
  try {
    write(run, {}, folder.path() / "run.paje");
  } catch (const InputError& e) {
    EXPECT_FALSE(fs::exists(folder.path() / "run.paje"));
    return e.what();
  }
  return "";
}

TEST(Timelines, OfImpossibleEventsAreRefused) {
  const Event enter{.kind = Kind::kEnter, .rank = 0, .function = 0}, leave{.kind = Kind::kLeave, .rank = 0};
  const Event block{.kind = Kind::kBlock, .rank = 0}, unblock{.kind = Kind::kUnblock, .rank = 0};
  const Event send{.kind = Kind::kSend, .rank = 0, .message = 1, .other = 1},
      arrive{.kind = Kind::kArrive, .message = 1};
  const Event over{.kind = Kind::kRankEnd, .rank = 0};
  EXPECT_THAT(damage({enter, enter}), HasSubstr("rank 0 enters a function inside another"));
  EXPECT_THAT(damage({leave}), HasSubstr("rank 0 leaves a function that it is not in"));
  EXPECT_THAT(damage({block}), HasSubstr("rank 0 waits outside of MPI"));
  EXPECT_THAT(damage({enter, block, block}), HasSubstr("or twice"));
  EXPECT_THAT(damage({enter, block, leave}), HasSubstr("rank 0 leaves a function"));
  EXPECT_THAT(damage({enter, unblock}), HasSubstr("a wait that it did not begin"));
  EXPECT_THAT(damage({send, arrive, arrive}), HasSubstr("message 1 arrives for the second time"));
  EXPECT_THAT(damage({{.kind = Kind::kPhaseEnd, .rank = 0}}), HasSubstr("a phase that it did not begin"));
  EXPECT_THAT(damage({over, enter}), HasSubstr("rank 0 goes on after its end"));
  EXPECT_EQ(damage({enter, block, over}), "");
}

TEST(Timelines, OfAnotherMachineAreRefused) {
  RecordedRun run = example_run();
  run.header.cores = {0, 12};
  const TemporaryFolder folder;
  try {
    write(run, {}, folder.path() / "run.paje");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("rank 1 is on core 12, and"));
    EXPECT_THAT(e.what(), HasSubstr("has 12 cores; give the machine of the run"));
  }
}

TEST(Formats, FollowFromTheName) {
  EXPECT_EQ(timeline_format("", "a.json.gz", "--out"), TimelineFormat::kChrome);
  EXPECT_EQ(timeline_format("", "a.otf2", "--out"), TimelineFormat::kOtf2);
  EXPECT_EQ(timeline_format("paje", "a.json", "--out"), TimelineFormat::kPaje);
  EXPECT_THROW(timeline_format("", "a.txt", "--out"), InputError);
  EXPECT_THROW(timeline_format("vampir", "a.otf2", "--out"), InputError);
}

TEST(Timelines, AreNotWrittenOverOtherThings) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "mine.otf2");
  folder.write("mine.otf2/thesis.txt", "all of it");
  EXPECT_THROW(write(example_run(), {}, folder.path() / "mine.otf2"), OutputError);
  EXPECT_THAT(read_text(folder.path() / "mine.otf2/thesis.txt"), "all of it");
  fs::create_directory(folder.path() / "mine.paje");
  EXPECT_THROW(write(example_run(), {}, folder.path() / "mine.paje"), OutputError);
  EXPECT_THROW(write(example_run(), {}, "/dev/full/run.paje"), OutputError);
  for (int twice = 0; twice < 2; ++twice)
    write(example_run(), {}, folder.path() / "new.otf2");  // an archive is replaced
  EXPECT_FALSE(fs::exists(folder.path() / "new.otf2.new"));
}

// --- parts ---

TEST(WaitTargets, AreReadInOrderFromMemoryAndFile) {
  for (const size_t kept : {2, 7, 100, 100'000}) {
    WaitTargets targets(kept);
    std::vector<int> expected;
    std::mt19937 random(1);
    for (int i = 0; i < 50'000; ++i) {
      EXPECT_EQ(targets.add(), i);
      expected.push_back(-1);
      const auto wait = i - std::min<int>(i, static_cast<int>(random() % (random() % 100 == 0 ? 50'000 : 10)));
      targets.set(wait, i % 97);
      expected[wait] = i % 97;
    }
    for (int twice = 0; twice < 2; ++twice) {
      targets.rewind();
      for (const int target : expected) ASSERT_EQ(targets.next(), target);
    }
  }
}

TEST(StepMeans, OfAnExample) {
  std::vector<std::pair<double, double>> means;
  StepMeans steps(0, 4, 4, [&](double begin, double mean) { means.emplace_back(begin, mean); });
  steps.add(0.5, 8);
  steps.add(1.25, -8);
  steps.finish(4);
  EXPECT_EQ(means, (std::vector<std::pair<double, double>>{{0, 4}, {1, 2}, {2, 0}}));
}

}  // namespace
}  // namespace strata
