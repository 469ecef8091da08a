// SPDX-License-Identifier: LGPL-2.1-only
// strata exec --record, strata run --record and strata replay. With the recording's machine and cores, each rank ends
// at exactly the recorded time, for every program of the catalog and every kind of network.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <xxhash.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/base128.h"
#include "records/trace/recorded_machine.h"
#include "records/trace/trace_file.h"
#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"
#include "tests/platforms/fabric_machines.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

const std::string kGuest = "tests/command/guest.so", kOneSided = "tests/command/one_sided.so";

Json replayed(const Words& words) {
  Words all = {"replay", "--per-rank", "--json"};
  all.insert(all.end(), words.begin(), words.end());
  const Ran ran = run_strata(all);
  EXPECT_EQ(ran.code, 0) << ran.err;
  return ran.code == 0 ? Json::parse(ran.out) : Json::object();
}

void expect_same_times(const fs::path& trace, const std::string& machine) {
  EXPECT_EQ(replayed({trace, "--machine", machine})["ended"].get<std::vector<double>>(), read_trace(trace).ended)
      << trace;
}

struct Study {
  std::string scenario;
  Words settings;
  size_t points;
};

class Catalog : public ::testing::TestWithParam<Study> {};

// Together these cover trees, a torus with gaps, a dragonfly, memory, double copies, progress threads, and
// communicators made by the hierarchy and by reordering.
TEST_P(Catalog, EndsWhenItEnded) {
  const TemporaryFolder folder;
  const std::string out = folder.path() / "out", traces = folder.path() / "traces";
  Words words = {"run", GetParam().scenario, "--out", out, "--record", traces};
  for (const std::string& s : GetParam().settings) words.insert(words.end(), {"--set", s});
  const Ran ran = run_strata(words);
  ASSERT_EQ(ran.code, 0) << ran.err;
  size_t points = 0;
  for (const auto& file : fs::directory_iterator(traces)) {
    expect_same_times(file.path(), out + "/machine.yaml");
    ++points;
  }
  EXPECT_EQ(points, GetParam().points);
}

INSTANTIATE_TEST_SUITE_P(
    All, Catalog,
    ::testing::Values(
        Study{"quickstart", {"algorithm=binomial", "elements=1,10000"}, 4},
        Study{"rr9077/fig11-summa-ntw10e5", {"variant=topological"}, 1},
        Study{"rr9077/fig14-vectors-ntw24e5", {"elements=1000"}, 5},
        Study{"eurompi18/fig6-halo-theta", {"mesh=16x16", "n=1024"}, 3},
        Study{"eurompi18/fig4-halo-blue-waters", {"mesh=16x16", "n=128"}, 3},
        Study{"pdsec20/fig6-allgather", {"ranks=48", "elements=100", "iterations=3"}, 1},
        Study{"pdsec20/fig7-cg-standard", {"ranks=64", "class=A"}, 2},
        Study{"ijhpca19/fig17-ibcast-knl", {"steps=blocking,2", "ranks=45"}, 2}, Study{"ijhpca19/fig7-iscan", {}, 3},
        Study{"fidelity/archer2-sendrecv", {"ranks=128"}, 7}, Study{"hierarchy-creation", {"ranks=256"}, 3},
        // Receivers that are busy with each message.
        Study{"quickstart",
              {"algorithm=linear", "elements=1,10000", "what_if.System - Cluster.receive_overhead=0.3us",
               "what_if.Package.receive_overhead=0.05us"},
              4},
        Study{"pdsec20/fig6-allgather",
              {"ranks=48", "elements=100", "iterations=2", "what_if.System - Cluster.receive_overhead=0.2us"},
              1},
        // Lists that are searched.
        Study{"quickstart", {"algorithm=linear", "elements=1,10000", "what_if.queue_search=0.1us"}, 4},
        Study{"pdsec20/fig7-cg-standard", {"ranks=64", "class=S", "what_if.queue_search=0.05us"}, 2},
        // Caches that cores share: in one of 16 MB, and too large for it.
        Study{"fidelity/archer2-sendrecv",
              {"ranks=128", "bytes=65536,524288,4194304", "what_if.memory.shared_cache_bandwidth=40GB/s"},
              3},
        // Cores that copy.
        Study{"quickstart",
              {"algorithm=linear", "elements=1,10000", "what_if.System - Cluster.send_copy=20GB/s",
               "what_if.Package.receive_copy=30GB/s"},
              4},
        Study{
            "pdsec20/fig7-cg-standard", {"ranks=64", "class=S", "what_if.System - Cluster.receive_overhead=0.2us"}, 2}),
    [](const auto& study) {
      std::string name = study.param.scenario;
      if (study.param.settings.size() > 2) name += "_" + std::to_string(study.index);
      for (char& c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
      }
      return name;
    });

class Replay : public ::testing::Test {
 protected:
  std::string record(const Words& program, const Words& options = {"--machine", "ntw10e5", "-n", "12"},
                     const std::string& file_of_program = kGuest) const {
    std::string file = folder_.path() / "app.mpitrace";
    Words words = {"exec", "--no-summary", "--record", file};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", built(file_of_program)});
    words.insert(words.end(), program.begin(), program.end());
    const Ran ran = run_strata(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return file;
  }
  TemporaryFolder folder_;
};

TEST_F(Replay, AUsersProgramEndsWhenItEnded) {
  for (const Words& place : {Words{"--machine", "ntw10e5", "-n", "12"}, Words{"--machine", "theta", "-n", "70"},
                             Words{"--machine", "ntw10e5", "-n", "24", "--map-by", "node"}}) {
    const std::string trace = record({"pairs", "1000"}, place);
    EXPECT_EQ(replayed({trace})["ended"].get<std::vector<double>>(), read_trace(trace).ended);
  }
}

// The acknowledgements of synchronous sends, the work of MPI's own collectives, and caches that few ranks use.
TEST_F(Replay, CostsThatMpiAddsAreThoseOfTheSimulation) {
  for (const Words& program : {Words{"synchronous", "30"}, Words{"collectives", "1000"}, Words{"collectives", "20000"},
                               Words{"pairs", "2000000"}}) {
    for (const Words& place :
         {Words{"--machine", "ntw10e5", "-n", "8"}, Words{"--machine", "blue-waters", "-n", "10", "--map-by", "node"},
          Words{"--machine", "theta", "-n", "6"}}) {
      const std::string trace = record(program, place);
      EXPECT_EQ(replayed({trace})["ended"].get<std::vector<double>>(), read_trace(trace).ended)
          << program[0] << " on " << place[1];
    }
  }
}

// Puts, gets and accumulates of random sizes, with every kind of synchronisation.
TEST_F(Replay, OneSidedCommunicationEndsWhenItEnded) {
  int seed = 0;
  for (const std::string way : {"fence", "post", "lock", "shared", "requests", "atomic"}) {
    for (const Words& place : {Words{"--machine", "ntw10e5", "-n", "12"},
                               Words{"--machine", "blue-waters", "-n", "9", "--map-by", "node"}}) {
      const std::string trace = record({way, std::to_string(++seed), "3"}, place, kOneSided);
      EXPECT_EQ(replayed({trace})["ended"].get<std::vector<double>>(), read_trace(trace).ended) << way << " " << seed;
    }
  }
}

// These ranks make the same calls on every machine. Locks are granted in the order of the other machine.
TEST_F(Replay, OneSidedCommunicationIsTheSimulationOnAnotherMachine) {
  const Words there = {"--machine", "theta", "--map-by", "node"};
  Words place = there;
  place.insert(place.end(), {"-n", "12"});
  for (const std::string way : {"fence", "post", "lock", "shared", "requests"}) {
    const std::vector<double> simulated = read_trace(record({way, "7", "3"}, place, kOneSided)).ended;
    const std::string here = record({way, "7", "3"}, {"--machine", "ntw10e5", "-n", "12"}, kOneSided);
    EXPECT_EQ(replayed({here, there[0], there[1], there[2], there[3]})["ended"].get<std::vector<double>>(), simulated)
        << way;
  }
}

// All kinds of fabrics, with each kind of routing that they support.
TEST_F(Replay, OnEveryNetwork) {
  std::ofstream(folder_.path() / "fabric.txt") << kSwitchesFile;
  for (const auto& [name, yaml] : {std::pair<std::string, std::string>{"torus", kTorusYaml},
                                   {"dragonfly", kDragonflyYaml},
                                   {"fat_tree", kFatTreeYaml},
                                   {"switches", kSwitchesYaml}}) {
    for (const std::string routing : {"", "spread", "adaptive"}) {
      const bool knows = routing != "adaptive" || name == "torus" || name == "dragonfly";
      if (!knows) continue;
      std::string text = yaml;
      if (!routing.empty()) {
        const std::string network = "network: {" + name + ": {";
        text.insert(text.find(network) + network.size(), "routing: " + routing + ", ");
      }
      const std::string file = folder_.path() / (name + routing + ".yaml");
      std::ofstream(file) << text;
      const Words place = {"--machine", file, "-n", "20", "--map-by", "node"};
      std::string trace = record({"pairs", "3000"}, place);
      EXPECT_EQ(replayed({trace, "--machine", file})["ended"].get<std::vector<double>>(), read_trace(trace).ended)
          << text;
      trace = record({"mixed", "5", "2"}, place, kOneSided);
      EXPECT_EQ(replayed({trace, "--machine", file})["ended"].get<std::vector<double>>(), read_trace(trace).ended)
          << text;
    }
  }
}

// A recording carries its machine, so it is replayed exactly without it, and on another only on purpose.
TEST_F(Replay, CarriesItsMachine) {
  const fs::path own = folder_.path() / "own";
  fs::create_directory(own);
  for (const char* name : {"machine.yaml", "node.xml"}) fs::copy(fs::path("platforms/data/ntw10e5") / name, own / name);
  const auto slower = [&](const std::string& trace) {
    return replayed({trace, "--set", "what_if.System - Cluster.latency=100x"})["simulated_time"]["value"].get<double>();
  };
  const Words place = {"--machine", own, "-n", "12", "--map-by", "node"};
  // A catalog machine's copy with another latency, of the same name.
  const Ran changed = run_strata({"run", "quickstart", "--set", "machine=" + own.string(), "--set",
                                  "what_if.System - Cluster.latency=60x", "--set", "elements=1", "--set",
                                  "algorithm=linear", "--set", "variant=native", "--out", folder_.path() / "study"});
  ASSERT_EQ(changed.code, 0) << changed.err;
  std::string slow = read_text(folder_.path() / "study" / "machine.yaml");
  const std::string name = "ntw10e5 (what if)";
  ASSERT_NE(slow.find(name), std::string::npos);
  slow.replace(slow.find(name), name.size(), "ntw10e5");
  std::ofstream(own / "machine.yaml") << slow;
  const std::string trace = record({"pairs", "1000"}, place);
  fs::remove_all(own);
  const Json here = replayed({trace}), catalog = replayed({trace, "--machine", "ntw10e5", "--map-by", "node"});
  EXPECT_EQ(here["ended"].get<std::vector<double>>(), read_trace(trace).ended);
  EXPECT_EQ(here["machine"], catalog["machine"]);
  EXPECT_NE(here["machine_hash"], catalog["machine_hash"]);
  EXPECT_GT(here["simulated_time"]["value"].get<double>(), 10 * catalog["simulated_time"]["value"].get<double>());
  EXPECT_GT(slower(trace), here["simulated_time"]["value"].get<double>());
  EXPECT_EQ(run_strata({"replay", trace}).err, "");
  EXPECT_THAT(run_strata({"replay", trace, "--machine", "ntw10e5"}).err,
              ::testing::HasSubstr("the machine ntw10e5 of the command line differs from the recording's"));
  // Conversion keeps it, and so does a machine that only has an XML file.
  const std::string copy = folder_.path() / "copy.mpitrace";
  ASSERT_EQ(run_strata({"replay", "convert", trace, "--to", "mpitrace", "--out", copy}).code, 0);
  EXPECT_EQ(read_text(copy), read_text(trace));
  // The ending and the word of earlier versions.
  const std::string old = folder_.path() / "old.strace";
  const Ran converted = run_strata({"replay", "convert", trace, "--to", "strace", "--out", old});
  ASSERT_EQ(converted.code, 0) << converted.err;
  EXPECT_EQ(converted.err, "strata: note: --to strace is now called --to mpitrace\nstrata: wrote " + old + "\n");
  EXPECT_EQ(read_text(old), read_text(trace));
  EXPECT_EQ(replayed({old}), here);
  const std::string xml =
      record({"pairs", "10"}, {"--xml", "platforms/data/ntw10e5/node.xml", "--nodes", "2", "-n", "4"});
  EXPECT_EQ(replayed({xml})["ended"].get<std::vector<double>>(), read_trace(xml).ended);
}

// The bytes of a trace with this first line and machine instead of its own, and the right checksum.
std::string with_machine(const fs::path& trace, const std::string& schema, const std::string& machine) {
  const std::string old = read_trace(trace).recorded_machine, text = read_text(trace);
  std::string whole = schema + text.substr(text.find('\n'));
  const size_t header = whole.find('\n', whole.find('\n') + 1) + 1;
  std::string length;
  put_base128(length, static_cast<std::int64_t>(old.size()));
  std::string section;
  if (schema == "strata trace 2") {
    put_base128(section, static_cast<std::int64_t>(machine.size()));
    section += machine;
  }
  whole.replace(header, length.size() + old.size(), section);
  whole.resize(whole.size() - 8);
  put_bits(whole, XXH3_64bits(whole.data(), whole.size()));
  return whole;
}

TEST_F(Replay, OfAnOlderVersionOrWithAMachineThatDoesNotMatch) {
  const std::string trace = record({"pairs", "10"});
  const std::vector<double> ended = read_trace(trace).ended;
  const auto made = [&](const std::string& name, const std::string& schema, const std::string& machine) {
    return folder_.write(name, with_machine(trace, schema, machine));
  };
  const std::string old = made("old.mpitrace", "strata trace 1", "");
  const Ran named = run_strata({"replay", old, "--json", "--per-rank"});
  ASSERT_EQ(named.code, 0) << named.err;
  EXPECT_EQ(Json::parse(named.out)["ended"].get<std::vector<double>>(), ended);
  EXPECT_EQ(named.err, "strata: " + old +
                           ": an older version of Strata recorded only its machine's name, so the catalog's ntw10e5 is "
                           "taken; give --machine if it was another\n");
  EXPECT_EQ(run_strata({"replay", old, "--machine", "theta"}).err, "");

  RecordedMachine carried = unpack(read_trace(trace).recorded_machine, trace);
  EXPECT_TRUE(carried.files.contains("node.xml"));
  RecordedMachine other = carried;
  other.hash[0] = other.hash[0] == '0' ? '1' : '0';
  expect_refused(run_strata({"replay", made("other.mpitrace", "strata trace 2", pack(other))}), "other.mpitrace",
                 "another machine from it than the one of the recording", "--machine");
  RecordedMachine broken = carried;
  broken.files["machine.yaml"] = "schema: strata.machine/1\n";
  const std::string unreadable = made("broken.mpitrace", "strata trace 2", pack(broken));
  expect_refused(run_strata({"replay", unreadable}), "broken.mpitrace", "cannot be read", "--machine");
  EXPECT_EQ(replayed({unreadable, "--machine", "ntw10e5"})["ended"].get<std::vector<double>>(), ended);
  RecordedMachine outside = carried;
  outside.files["../outside"] = "text";
  expect_refused(run_strata({"replay", made("outside.mpitrace", "strata trace 2", pack(outside))}), "outside.mpitrace",
                 "no plain name", "--machine");
  const std::string packed = pack(carried);
  expect_refused(run_strata({"replay", made("cut.mpitrace", "strata trace 2", packed.substr(0, packed.size() - 9))}),
                 "cut.mpitrace", "cannot be decompressed", "--machine");
}

// With another machine, another mapping or other figures, a replay equals a simulation of the program there.
TEST_F(Replay, IsTheSimulationOnAnotherMachine) {
  const auto simulated = [&](const Words& place) {
    const Words options = [&] {
      Words all = place;
      all.insert(all.end(), {"-n", "12"});
      return all;
    }();
    return read_trace(record({"pairs", "100000"}, options)).ended;
  };
  const std::vector<double> on_theta = simulated({"--machine", "theta"});
  const std::vector<double> dealt = simulated({"--machine", "ntw10e5", "--map-by", "node"});
  const std::string here = record({"pairs", "100000"});
  EXPECT_EQ(replayed({here, "--machine", "theta"})["ended"].get<std::vector<double>>(), on_theta);
  EXPECT_EQ(replayed({here, "--map-by", "node"})["ended"].get<std::vector<double>>(), dealt);
  const double usual = replayed({here})["simulated_time"]["value"];
  EXPECT_GT(replayed({here, "--set", "what_if.Package.latency=100x"})["simulated_time"]["value"].get<double>(), usual);
}

// Recording already reports what a replay will refuse.
TEST_F(Replay, WhatATraceDoesNotHold) {
  const std::string trace = folder_.path() / "app.mpitrace";
  const Ran ran = run_strata({"exec", "--machine", "ntw10e5", "-n", "2", "--record", trace, "--no-summary", "--",
                              built(kGuest), "generalized"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "strata: " + trace +
                         ": strata replay will refuse it: the program calls MPI_Grequest_start, which a trace does not "
                         "hold\n");
  expect_refused(run_strata({"replay", trace}), "trace", "the program calls MPI_Grequest_start", "strata exec");
  const Ran silent = run_strata({"exec", "--machine", "ntw10e5", "-n", "2", "--record", trace, "--no-summary", "--",
                                 built(kGuest), "pairs", "10"});
  EXPECT_EQ(silent.code, 0);
  EXPECT_EQ(silent.err, "");
}

// A replay names exactly the calls whose result may differ on another machine. On the same machine the times agree.
TEST_F(Replay, TellsWhereTheAnswerCouldBeAnother) {
  const std::vector<std::pair<std::string, Words>> asked = {
      {"nothing", {}},
      {"any source", {"MPI_Irecv"}},
      {"any tag", {"MPI_Irecv"}},
      {"waitany", {"MPI_Waitany"}},
      {"waitsome", {"MPI_Waitsome"}},
      {"testany", {"MPI_Testany"}},
      {"testsome", {"MPI_Testsome"}},
      {"testall", {"MPI_Testall"}},
      {"test, and it is not there", {"MPI_Test"}},
      {"test, and it is there", {"MPI_Test"}},
      {"probe", {"MPI_Probe"}},
      {"iprobe", {"MPI_Iprobe"}},
      {"cancelled", {"MPI_Test_cancelled"}},
      {"wtime", {"MPI_Wtime"}},
      {"gettimeofday", {"gettimeofday or clock_gettime"}},
      {"clock_gettime", {"gettimeofday or clock_gettime"}},
      {"name", {"MPI_Get_processor_name"}},
      {"node", {"MPI_Comm_split_type"}},
      {"graph", {"MPI_Dist_graph_create_adjacent"}},
      {"lock", {"MPI_Win_lock"}},
  };
  for (const auto& [what, functions] : asked) {
    const std::string trace = record({what}, {"--machine", "ntw10e5", "-n", "6"}, "tests/command/asks.so");
    const Json result = replayed({trace});
    EXPECT_EQ(result["order_may_differ"].get<Words>(), functions) << what;
    EXPECT_EQ(result["ended"].get<std::vector<double>>(), read_trace(trace).ended) << what;
    EXPECT_EQ(run_strata({"replay", trace, "--strict"}).code, functions.empty() ? 0 : 2) << what;
  }
}

// Progress threads poll with the other machine's interval.
TEST_F(Replay, ProgressThreadsPollAsOnTheOtherMachine) {
  const auto traces = [&](const std::string& polling) {
    const fs::path out = folder_.path() / polling, at = out / "traces";
    const Ran ran = run_strata({"run", "ijhpca19/fig17-ibcast-knl", "--set", "steps=2", "--set", "ranks=45", "--set",
                                "what_if.polling=" + polling, "--out", out / "results", "--record", at});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return std::pair{at / "point-0.mpitrace", out / "results" / "machine.yaml"};
  };
  const auto [without, machine] = traces("0us");
  const auto [with, polling_machine] = traces("1us");
  const std::vector<double> ended = read_trace(with).ended;
  EXPECT_EQ(replayed({with, "--machine", polling_machine})["ended"].get<std::vector<double>>(), ended);
  EXPECT_EQ(replayed({without, "--machine", polling_machine})["ended"].get<std::vector<double>>(), ended);
  EXPECT_EQ(replayed({with, "--machine", machine})["ended"].get<std::vector<double>>(), read_trace(without).ended);
  EXPECT_NE(read_trace(without).ended, ended);
}

TEST_F(Replay, AFullDiskIsReportedAndTheOldTraceStays) {
  const std::string trace = record({"pairs", "10"});
  const std::vector<double> before = read_trace(trace).ended;
  const Ran ran = run_strata({"exec", "--machine", "ntw10e5", "-n", "3", "--record", trace, "--no-summary", "--",
                              built(kGuest), "uneven", "10000"},
                             {.largest_file = 1 << 16, .ignored_signals = {SIGXFSZ}});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, ::testing::HasSubstr("run.mpitrace: cannot be written: File too large; free space"));
  EXPECT_EQ(read_trace(trace).ended, before);
}

TEST_F(Replay, WrongInputIsRefused) {
  const std::string trace = record({"pairs", "10"});
  expect_refused(run_strata({"replay", trace, "--machine", "nowhere"}), "nowhere", "catalog", "");
  expect_refused(run_strata({"replay", trace, "-n", "5"}), "-n", "the trace has 12 ranks, not 5", "leave -n out");
  expect_refused(run_strata({"replay", trace, "--set", "latency=2x"}), "--set latency=2x",
                 "does not change the machine", "what_if.FIGURE");
  expect_refused(run_strata({"replay", trace, "--set", "what_if.Sea.latency=2x"}), "what_if", "Sea", "");
  expect_refused(run_strata({"replay", "none.mpitrace"}), "none.mpitrace", "No such file", "give a trace");
  std::ofstream(folder_.path() / "cut.mpitrace") << "strata trace 1\n{";
  expect_refused(run_strata({"replay", folder_.path() / "cut.mpitrace"}), "cut.mpitrace", "cut off", "record it again");
  expect_refused(run_strata({"exec", "--machine", "ntw10e5", "-n", "2", "--record", "/nowhere/a.mpitrace",
                             "--no-summary", "--", built(kGuest), "pairs", "10"}),
                 "/nowhere/a.mpitrace", "cannot be", "");
}

}  // namespace
}  // namespace strata
