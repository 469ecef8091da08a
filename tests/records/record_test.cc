// SPDX-License-Identifier: LGPL-2.1-only
// The results folder: records are read back exactly as written, and damage is reported.
#include "records/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/output_error.h"
#include "base/whole_file.h"
#include "platforms/machine.h"
#include "records/folder.h"
#include "records/rank_placements.h"
#include "records/study.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

Manifest manifest() {
  Manifest m;
  m.study.scenario = "s";
  m.study.title = "Ein \"Titel\" — with quotes";
  m.study.program = "./a b/prog.so";
  m.study.arguments = {"--root", "3"};
  m.study.metric = "time";
  m.study.unit = "s";
  m.study.ranks = 240;
  m.study.sweep = {{"variant", {"native", "hierarchical"}}, {"elements", {1, 1000000, 0.1}}};
  m.study.also = {{"computing", "s"}, {"fom", "z/s", "FOM = (\\S+)"}};
  m.study.pattern = "t = (\\d+)";
  m.study.build = "make";
  m.study.folder = "input";
  m.study.derived = {{"gain", "gain (a / b)", "variant", "native", "hierarchical"},
                     {"all", "all", "variant", Json(), "native"}};
  m.study.models = {{"hockney", 0.02}, {"loggp", 1.0 / 3}};
  m.study.claims = {
      {"c1", "RR-9077", "it is fast", "gain", Over::kMax, {{"variant", "native"}}, 21, Relation::kAbout, 1.25, "note"},
      {"c2", "RR-9077", "it is cheap", "gain", Over::kMin, Json::object(), 2, Relation::kAbout, 1.25, "note", "",
       Missing::kMemory}};
  m.study.plots = {{"p", "P", "elements", "gain", {"variant"}, true, false, {}},
                   {"q", "Q", "variant", "time", {}, true, true, {"computing"}}};
  m.study.traces = true;
  m.study.traffic = "10 ms";
  m.study.varies = {"size"};
  m.machine = "ntw10e5";
  m.machine_hash = "0123";
  m.versions = {{"strata", "0.1.0"}};
  m.command_line = {"strata", "run", "s"};
  m.seed = 1ULL << 53;
  m.start = "2017-07-14T02:40:00Z";
  return m;
}

Record record(int point, double value) {
  return {.scenario = "s",
          .point = point,
          .parameters = {{"variant", "native"}, {"elements", 1}},
          .metric = "time",
          .value = value,
          .unit = "s",
          .seed = 1};
}

// The text of the error that a call throws.
template <typename Error, typename Call>
std::string thrown(Call call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST(Record, IsThisLine) {
  EXPECT_EQ(format_record(record(7, 1.25e-05)),
            R"({"schema":"strata.record/1","scenario":"s","point":7,"parameters":{"variant":"native","elements":1},)"
            R"("metric":"time","value":1.25e-05,"unit":"s","seed":1})");
}

TEST(Record, ItsErrorBarComesBack) {
  Record barred = record(7, 1.25e-05);
  barred.bar = RecordedBar{.low = 1e-05,
                           .high = 1.5e-05,
                           .without_interval = 3,
                           .figures = {{.figure = "Package.latency",
                                        .value = 0.6,
                                        .unit = "us",
                                        .plus_minus = 0.1,
                                        .larger = 2.5e-06,
                                        .smaller = -2.5e-06,
                                        .estimated = true}}};
  const std::string plain = format_record(record(7, 1.25e-05));
  const std::string line = plain.substr(0, plain.size() - 1) +
                           R"(,"error_bar":{"low":1e-05,"high":1.5e-05,"without_interval":3,"figures":[{"figure":)"
                           R"("Package.latency","value":0.6,"unit":"us","plus_minus":0.1,"larger":2.5e-06,)"
                           R"("smaller":-2.5e-06,"estimated":true}]}})";
  EXPECT_EQ(format_record(barred), line);
  const TemporaryFolder folder;
  write_manifest(folder.path(), manifest());
  write_records(folder.path(), {barred, record(8, 1)});
  const Results results = load_results(folder.path());
  ASSERT_EQ(results.records.size(), 2u);
  EXPECT_EQ(format_record(results.records[0]), line);
  EXPECT_EQ(results.records[0].bar->figures[0].key(), "Package.latency 0.6 us +- 0.1");
  EXPECT_FALSE(results.records[1].bar);
}

// Every double except NaN and infinities is read back with the same bits.
TEST(Record, ValuesKeepEveryBit) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  std::vector<double> values = {0.0,
                                -0.0,
                                0.1,
                                1.0 / 3,
                                5e-324,
                                std::numeric_limits<double>::max(),
                                std::numeric_limits<double>::min(),
                                9007199254740993.0};
  while (values.size() < 2000) {
    const double value = std::bit_cast<double>(random());
    if (std::isfinite(value)) values.push_back(value);
  }
  const TemporaryFolder folder;
  write_manifest(folder.path(), manifest());
  std::vector<Record> records;
  for (size_t i = 0; i < values.size(); ++i) records.push_back(record(static_cast<int>(i), values[i]));
  RecordWriter(folder.path()).append(records);
  const Results results = load_results(folder.path());
  ASSERT_EQ(results.records.size(), values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(results.records[i].value), std::bit_cast<std::uint64_t>(values[i]))
        << values[i];
    EXPECT_EQ(format_record(results.records[i]), format_record(records[i]));
  }
}

TEST(Record, SortedByPointThenAsPrinted) {
  const TemporaryFolder folder;
  write_manifest(folder.path(), manifest());
  {
    RecordWriter writer(folder.path());
    writer.append({record(2, 20), record(2, 21)});
    writer.append({record(0, 0)});
    writer.append({record(1, 11), record(1, 10)});
  }
  std::vector<double> values;
  for (const Record& r : load_results(folder.path()).records) values.push_back(r.value);
  EXPECT_EQ(values, (std::vector<double>{0, 11, 10, 20, 21}));
  write_records(folder.path(), load_results(folder.path()).records);
  EXPECT_THAT(lines_of(read_text(folder.path() / "records.jsonl"))[0], HasSubstr("\"point\":0"));
}

TEST(Record, DamagedLinesAreNamed) {
  const std::string good = format_record(record(0, 1)) + "\n";
  const auto without = [&](const std::string& key) {
    Json j = Json::parse(good);
    j.erase(key);
    return j.dump() + "\n";
  };
  std::string other_schema = good;
  other_schema.replace(other_schema.find("record/1"), 8, "record/2");
  std::vector<std::string> damaged = {
      "\n", "{}\n", "[]\n", "7\n", "{\"schema\":\n", "\xff\xfe\n", other_schema, std::string("\0\0\0\n", 4)};
  for (const char* key : {"schema", "scenario", "point", "parameters", "metric", "value", "unit", "seed"}) {
    damaged.push_back(without(key));
  }
  for (const std::string& line : damaged) {
    const TemporaryFolder folder;
    write_manifest(folder.path(), manifest());
    folder.write("records.jsonl", good + line + good);
    EXPECT_EQ(thrown<InputError>([&] { load_results(folder.path()); }),
              (folder.path() / "records.jsonl").string() +
                  ":2: is not a record of schema strata.record/1; remove the line and run again with --resume")
        << line;
  }
}

// Wherever a kill truncates the file, complete lines are read, and the writer continues after them.
TEST(Record, CutAnywhere) {
  const std::string line = format_record(record(0, 1)) + "\n", second = format_record(record(1, 2)) + "\n";
  for (size_t bytes = 0; bytes <= line.size() + second.size(); ++bytes) {
    const TemporaryFolder folder;
    write_manifest(folder.path(), manifest());
    folder.write("records.jsonl", (line + second).substr(0, bytes));
    const size_t whole = bytes == line.size() + second.size() ? 2 : bytes >= line.size() ? 1 : 0;
    const Results results = load_results(folder.path());
    EXPECT_EQ(results.records.size(), whole) << bytes;
    EXPECT_EQ(results.truncated, bytes != 0 && bytes != line.size() && bytes != line.size() + second.size()) << bytes;
    RecordWriter(folder.path()).append({record(5, 5)});
    EXPECT_EQ(read_text(folder.path() / "records.jsonl"),
              (line + second)
                      .substr(0, whole == 0   ? 0
                                 : whole == 1 ? line.size()
                                              : line.size() + second.size()) +
                  format_record(record(5, 5)) + "\n");
  }
}

TEST(Study, PointsAreTheProductOfTheAxes) {
  Study study;
  EXPECT_EQ(study.points(), std::vector<Json>{Json::object()});
  study.sweep = {{"a", {"x", "y"}}, {"b", {1, 2, 3}}};
  std::vector<std::string> points;
  for (const Json& p : study.points()) points.push_back(p.dump());
  EXPECT_EQ(points, (std::vector<std::string>{R"({"a":"x","b":1})", R"({"a":"x","b":2})", R"({"a":"x","b":3})",
                                              R"({"a":"y","b":1})", R"({"a":"y","b":2})", R"({"a":"y","b":3})"}));
  study.sweep.push_back({"c", {}});
  EXPECT_TRUE(study.points().empty());
}

TEST(Study, ComesBackFromJson) {
  const Study study = manifest().study;
  const Study again = study_from_json(to_json(study));
  EXPECT_EQ(to_json(again), to_json(study));
  EXPECT_EQ(again.arguments, study.arguments);
  EXPECT_EQ(again.models[1].tolerance, 1.0 / 3);
  EXPECT_EQ(again.claims[0].where, study.claims[0].where);
  EXPECT_EQ(again.claims[1].missing, Missing::kMemory);
  EXPECT_FALSE(to_json(study)["claims"][0].contains("missing")) << "as in records of earlier versions";
  EXPECT_FALSE(again.plots[0].log_y);
  EXPECT_EQ(again.plots[1].stack, std::vector<std::string>{"computing"});
  EXPECT_TRUE(again.derived[1].over.is_null());
  ASSERT_EQ(again.metrics().size(), 3u);
  EXPECT_EQ(again.metrics()[0].name, "time");
  EXPECT_EQ(again.metrics()[0].pattern, "t = (\\d+)");
  EXPECT_EQ(again.metrics()[1].name, "computing");
  EXPECT_EQ(again.metrics()[1].pattern, "");
  EXPECT_EQ(again.metrics()[2].pattern, "FOM = (\\S+)");
  EXPECT_EQ(again.build, "make");
  EXPECT_EQ(again.folder, "input");
  EXPECT_EQ(again.points(), study.points());
  EXPECT_TRUE(again.traces);
  EXPECT_EQ(again.traffic, "10 ms");
  EXPECT_EQ(again.varies, std::vector<std::string>{"size"});
}

Study placing() {
  Study s;
  s.sweep = {{"ranks", {8, 62, 63}},
             {"library",
              {"ours", "bound"},
              {{"ours", {{"steps", "auto"}, {"progress", "numa"}}}, {"bound", {{"steps", 0}, {"progress", "31,63"}}}}}};
  s.arguments = {"--bytes", "2e6", "--steps", "9", "--quick", "--op", "sum"};
  s.reference = {0, {"--steps", "blocking"}, "effort", "work", std::nullopt};
  return s;
}

TEST(Study, CasesAndReferenceComeBackFromJson) {
  Study study = placing();
  EXPECT_EQ(to_json(study_from_json(to_json(study))), to_json(study));
  EXPECT_EQ(study_from_json(to_json(study)).sweep[1].cases, study.sweep[1].cases);
  study.reference->given = 0.1;
  EXPECT_EQ(study_from_json(to_json(study)).reference->given, 0.1);
  EXPECT_FALSE(study_from_json(to_json(manifest().study)).reference);
}

TEST(Study, RanksAsText) {
  EXPECT_EQ(manifest().study.ranks_text(), "240");
  Study study = placing();
  EXPECT_EQ(study.ranks_text(), "8 to 63");
  study.sweep[0].values = {63, 8};
  EXPECT_EQ(study.ranks_text(), "8, 63");
}

TEST(Placement, OfAPoint) {
  const TemporaryFolder folder;
  const Machine machine = machine_from_tree("node:1 core:8 pu:1");
  Results results;
  results.folder = folder.path();
  results.manifest.study = placing();
  const Json point = {{"ranks", 8}, {"library", "bound"}};
  EXPECT_EQ(bindings_file(placing(), point), "bindings/ranks=8,progress=31,63.txt");
  const std::vector<Binding> ranks = place(*machine.topology, 8);
  std::vector<Binding> threads(8, ranks[3]);
  std::filesystem::create_directory(folder.path() / "bindings");
  folder.write("bindings/ranks=8,progress=31,63.txt", format_placement({ranks, threads}));
  const RankPlacement read = read_placement(results, point, *machine.topology);
  EXPECT_EQ(format_bindings(read.ranks), format_bindings(ranks));
  EXPECT_EQ(format_bindings(read.progress), format_bindings(threads));
  EXPECT_THAT(thrown<InputError>([&] {
                read_placement(results, {{"ranks", 62}, {"library", "bound"}}, *machine.topology);
              }),
              HasSubstr("bindings/ranks=62,progress=31,63.txt"));

  Study allocated = manifest().study;
  allocated.sweep = {{"allocation", {"2x2x8", "random:1"}}};
  EXPECT_EQ(bindings_file(allocated, {{"allocation", "2x2x8"}}), "bindings/allocation=2x2x8.txt");
  EXPECT_EQ(bindings_file(allocated, {{"allocation", "random:1"}}), "bindings/allocation=random-1.txt");

  results.manifest.study = manifest().study;
  results.manifest.study.ranks = 8;
  EXPECT_EQ(bindings_file(results.manifest.study, {{"elements", 1}}), "bindings.txt");
  folder.write("bindings.txt", format_bindings(ranks));
  EXPECT_TRUE(read_placement(results, {{"elements", 1}}, *machine.topology).progress.empty());
}

TEST(Parameters, AreWhatTheProgramWasTold) {
  Manifest m = manifest();
  m.study = placing();
  Record r = record(0, 1);
  r.parameters = {{"ranks", 8}, {"library", "bound"}, {"more", "x"}};
  const Json told = parameters_of(m, r);
  EXPECT_EQ(told["ranks"], 8);
  EXPECT_EQ(told["steps"], 0) << "not the argument, which comes first";
  EXPECT_EQ(told["progress"], "31,63");
  EXPECT_EQ(told["more"], "x") << "what the program added";
  EXPECT_EQ(told["bytes"], 2e6);
  EXPECT_EQ(told["op"], "sum");
  EXPECT_EQ(told["quick"], true) << "a flag";
  EXPECT_EQ(told.size(), 7u);
  m.reference = 0.1;
  EXPECT_EQ(parameters_of(m, r)["work"], 0.1);
}

TEST(Parameters, MayStandInBraces) {
  Manifest m = manifest();
  m.study.arguments = {"--size={elements}", "--title", "{variant}", "--ranks-x", "{ranks}"};
  Record r = record(0, 1);
  r.parameters = {{"variant", "native"}, {"elements", 10}};
  const Json told = parameters_of(m, r);
  EXPECT_EQ(told["size"], 10);
  EXPECT_EQ(told["title"], "native");
  EXPECT_EQ(told["ranks-x"], 240);
}

TEST(Parameters, OptionsMayHaveTheirValuesBehindAnEqualsSign) {
  Manifest m = manifest();
  m.study.arguments = {"--root=3", "--op=a=b", "--empty=", "--flag", "--shift", "-2", "first", "--last"};
  Record r = record(0, 1);
  r.parameters = {{"variant", "native"}};
  const Json told = parameters_of(m, r);
  EXPECT_EQ(told["root"], 3);
  EXPECT_EQ(told["op"], "a=b");
  EXPECT_EQ(told["empty"], "");
  EXPECT_EQ(told["flag"], true);
  EXPECT_EQ(told["shift"], -2);
  EXPECT_EQ(told["last"], true);
  EXPECT_EQ(told.size(), 7u) << told;
}

TEST(Study, AnUnknownWordOfAClaimIsRefused) {
  const Json good = to_json(manifest().study);
  for (const char* key : {"over", "relation", "missing"}) {
    Json bad = good;
    bad["claims"][0][key] = "mean";
    EXPECT_THAT(thrown<std::invalid_argument>([&] { study_from_json(bad); }), HasSubstr("'mean' is not one of "))
        << key;
  }
}

TEST(TrafficText, SaysWhatIsKept) {
  EXPECT_FALSE(traffic_of("off")->kept);
  EXPECT_TRUE(traffic_of("on")->kept);
  EXPECT_EQ(traffic_of("on")->period_s, 0);
  EXPECT_FALSE(traffic_of("on")->messages);
  EXPECT_TRUE(traffic_of("messages")->messages);
  EXPECT_DOUBLE_EQ(traffic_of("10 ms")->period_s, 0.01);
  EXPECT_DOUBLE_EQ(traffic_of("0.5us")->period_s, 0.5e-6);
  for (const char* none : {"", "10", "ms", "-1 ms", "0 ms", "1 MB", "inf s", "1 ms 2"}) {
    EXPECT_FALSE(traffic_of(none)) << none;
  }
}

// Files of version 0.1.0 can still be read.
TEST(Study, ComesBackFromJsonWithoutWhatIsNew) {
  Json old = to_json(manifest().study);
  old.erase("also");
  old.erase("traces");
  old.erase("traffic");
  old.erase("shim");
  for (Json& plot : old["plots"]) plot.erase("stack");
  const Study again = study_from_json(old);
  EXPECT_EQ(again.metrics().size(), 1u);
  EXPECT_EQ(again.plots.size(), 2u);
  EXPECT_TRUE(again.plots[1].stack.empty());
  EXPECT_FALSE(again.traces);
  EXPECT_EQ(again.traffic, "off");
  EXPECT_EQ(again.shim, "off");
}

TEST(Manifest, ComesBack) {
  const TemporaryFolder folder;
  const Manifest m = manifest();
  write_manifest(folder.path(), m);
  const Manifest again = load_results(folder.path()).manifest;
  EXPECT_EQ(to_json(again.study), to_json(m.study));
  EXPECT_EQ(again.machine, m.machine);
  EXPECT_EQ(again.machine_hash, m.machine_hash);
  EXPECT_EQ(again.versions, m.versions);
  EXPECT_EQ(again.command_line, m.command_line);
  EXPECT_EQ(again.seed, m.seed);
  EXPECT_EQ(again.start, m.start);
  EXPECT_EQ(again.end, "");
}

// A command line can contain any bytes.
TEST(Manifest, TextThatIsNoUtf8) {
  const TemporaryFolder folder;
  Manifest m = manifest();
  m.command_line.push_back("caf\xe9");
  write_manifest(folder.path(), m);
  EXPECT_EQ(load_results(folder.path()).manifest.command_line.back(), "caf\xef\xbf\xbd");
}

TEST(Manifest, Damaged) {
  const TemporaryFolder folder;
  write_manifest(folder.path(), manifest());
  const std::string good = read_text(folder.path() / "manifest.json");
  std::string other = good;
  other.replace(other.find("manifest/1"), 10, "manifest/9");
  for (const std::string& bytes : {std::string(), std::string("{}"), good.substr(0, good.size() / 2), other}) {
    folder.write("manifest.json", bytes);
    EXPECT_EQ(thrown<InputError>([&] { load_results(folder.path()); }),
              (folder.path() / "manifest.json").string() +
                  ": is not a manifest of schema strata.manifest/1; run the scenario again with another --out");
  }
}

// A device cannot be truncated to complete lines, so the constructor throws after it has opened the file.
TEST(RecordWriter, LeavesNothingOpenWhereItThrows) {
  const TemporaryFolder folder;
  fs::create_symlink("/dev/null", folder.path() / kRecordsFile);
  const auto open_files = [] {
    const fs::directory_iterator descriptors("/proc/self/fd");
    return std::distance(begin(descriptors), end(descriptors));
  };
  const auto before = open_files();
  for (int times = 0; times < 10; ++times) {
    EXPECT_THAT(thrown<InputError>([&] { RecordWriter writer(folder.path()); }),
                HasSubstr("is a device, not a regular file"));
  }
  EXPECT_EQ(open_files(), before);
}

// With root's rights, a rename would replace /dev/full itself.
TEST(WriteWhole, DevicesStay) {
  const TemporaryFolder folder;
  const fs::path link = folder.path() / "null";
  fs::create_symlink("/dev/null", link);
  write_whole(link, "gone");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_TRUE(fs::is_character_file(link));
  EXPECT_FALSE(fs::exists(folder.path() / "null.new"));
}

// A failed write leaves the old file unchanged, and no other file beside it.
TEST(WriteWhole, OldOrNew) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  write_whole(file, "old");
  write_whole(file, "new\n");
  EXPECT_EQ(read_text(file), "new\n");
  fs::create_directory(folder.path() / "file.new");  // where it writes first
  EXPECT_THAT(thrown<OutputError>([&] { write_whole(file, "newer"); }), HasSubstr("file.new: cannot be made"));
  EXPECT_EQ(read_text(file), "new\n");
  fs::remove(folder.path() / "file.new");
  EXPECT_THAT(thrown<OutputError>([&] { write_whole(folder.path(), "x"); }), HasSubstr("is a directory"));
  EXPECT_THAT(thrown<OutputError>([&] { write_whole(folder.path() / "no/file", "x"); }),
              HasSubstr("No such file or directory"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(FolderLock, OneWriter) {
  const TemporaryFolder folder;
  {
    const FolderLock lock(folder.path());
    EXPECT_THAT(thrown<OutputError>([&] { const FolderLock second(folder.path()); }),
                HasSubstr("is being written by another run"));
  }
  const FolderLock after(folder.path());
}

}  // namespace
}  // namespace strata
