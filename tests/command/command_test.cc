// SPDX-License-Identifier: LGPL-2.1-only
// The output of the commands, and for every kind of bad input one clear line and the right exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

// --- output --------------------------------------------------------------------------------------------------------

TEST(Topo, TextJsonAndSvg) {
  const TemporaryFolder folder;
  const Ran text = run_strata({"topo", "ntw10e5"});
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(lines_of(text.out).front(), HasSubstr("System - Cluster"));
  EXPECT_THAT(text.out, HasSubstr("10 x Machine"));

  const Ran json = run_strata({"topo", "ntw10e5", "--json"});
  EXPECT_EQ(json.code, 0);
  const Json document = Json::parse(json.out);
  EXPECT_EQ(document["schema"], "strata.topo/1");
  EXPECT_EQ(document["nodes"], 10);
  EXPECT_EQ(document["cores"], 240);
  EXPECT_EQ(document["tree"]["children"].size(), 10u);
  EXPECT_DOUBLE_EQ(document["costs"]["core"]["speed"]["si"].get<double>(), 40e9);  // 2.5 GHz x 16 flop, Table 1

  const std::string file = folder.path() / "a b.svg";
  const Ran svg = run_strata({"topo", "ntw10e5", "--svg", file});
  EXPECT_EQ(svg.code, 0);
  EXPECT_EQ(svg.out, "");
  const std::string drawing = read_text(file);
  EXPECT_NE(drawing.find("<svg"), std::string::npos);
  EXPECT_EQ(run_strata({"topo", "ntw10e5", "--svg", "-"}).out, drawing);
}

TEST(Topo, SavedMachineIsTheSame) {
  const TemporaryFolder folder;
  const std::string xml = built("tests/platforms/data/32smt-2p4n16c2t.xml");
  const Ran saved = run_strata({"topo", xml, "--nodes", "3", "--out", folder.path() / "mine"});
  ASSERT_EQ(saved.code, 0) << saved.err;
  const Ran again = run_strata({"topo", folder.path() / "mine"});
  EXPECT_EQ(again.out, saved.out);
  EXPECT_THAT(again.out, HasSubstr("3 x Machine"));
}

// The format follows from the content of a file, not from its name.
TEST(Topo, XmlNeedsNoXmlInItsName) {
  const TemporaryFolder folder;
  const std::string xml = read_text(built("tests/platforms/data/32smt-2p4n16c2t.xml"));
  const Ran named = run_strata({"topo", folder.write("node.xml", xml), "--nodes", "3"});
  ASSERT_EQ(named.code, 0) << named.err;
  EXPECT_EQ(run_strata({"topo", folder.write("node", xml), "--nodes", "3"}).out, named.out);
  EXPECT_EQ(run_strata({"topo", folder.write("node.yaml", xml), "--nodes", "3"}).out, named.out);
  expect_refused(run_strata({"hsplit", "--machine", folder.path() / "node"}), folder.path() / "node", "is XML",
                 "--xml FILE --nodes N");
}

TEST(Topo, Hwloc3XmlIsTheSameNode) {
  const Ran two = run_strata({"topo", built("tests/platforms/data/32smt-2p4n16c2t.xml")});
  const Ran three = run_strata({"topo", built("tests/platforms/data/hwloc3.xml")});
  EXPECT_EQ(three.code, 0) << three.err;
  EXPECT_EQ(three.out, two.out);
}

// Two ranks on the PUs of one core, which do not share caches: there is a level for the core, and one for each rank
// alone.
TEST(Hsplit, CoresMayHoldCaches) {
  const TemporaryFolder folder;
  const Ran ran = run_strata({"hsplit", "--xml", built("tests/platforms/data/8corecache-2p2c2t.xml"), "--bindings",
                              folder.write("bindings", "0 0 0\n1 0 1\n2 0 2-3\n"), "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json ranks = Json::parse(ran.out)["ranks"];
  ASSERT_EQ(ranks[0]["levels"].size(), 2u);
  EXPECT_EQ(ranks[0]["levels"][0]["type"], "Core");
  EXPECT_EQ(ranks[0]["levels"][0]["members"], Json({0, 1}));
  EXPECT_EQ(ranks[0]["levels"][1]["type"], "PU");
  EXPECT_EQ(ranks[0]["levels"][1]["members"], Json::array({0}));
}

TEST(Machines, EveryFigureHasUnitAndSource) {
  const Ran ran = run_strata({"machines", "--json"});
  ASSERT_EQ(ran.code, 0);
  const Json document = Json::parse(ran.out);
  bool ntw10e5 = false;
  int figures = 0;
  const auto check = [&](const Json& figure, const std::string& where) {
    ++figures;
    EXPECT_FALSE(figure["unit"].get<std::string>().empty()) << where;
    const std::string source = figure["source"];
    EXPECT_TRUE(source.rfind("measured", 0) == 0 || source.rfind("published: ", 0) == 0 ||
                source.rfind("assumed: ", 0) == 0)
        << where << ": " << source;
  };
  for (const Json& machine : document["machines"]) {
    const std::string name = machine["name"];
    ntw10e5 = ntw10e5 || (name == "ntw10e5" && machine["nodes"] == 10 && machine["cores"] == 240);
    const Json shown = Json::parse(run_strata({"topo", name, "--json"}).out)["costs"];
    check(shown["core"]["speed"], name);
    check(shown["core"]["copy_bandwidth"], name);
    check(shown["core"]["combine_bandwidth"], name);
    check(shown["copies"], name);
    check(shown["eager_limit"], name);
    for (const Json& level : shown["levels"]) {
      for (const char* key : {"latency", "overhead", "bandwidth", "link_bandwidth"}) check(level[key], name);
    }
  }
  EXPECT_TRUE(ntw10e5);
  EXPECT_GE(figures, 3 + 4 * 4);
  const std::string list = run_strata({"machines"}).out;
  EXPECT_THAT(list, HasSubstr("\nntw10e5 "));
  EXPECT_EQ(lines_of(list).size(), document["machines"].size()) << "a line for each machine";
  EXPECT_THAT(run_strata({"machines", "ntw10e5"}).out, HasSubstr("    core: speed "));
  const Json one = Json::parse(run_strata({"machines", "ntw10e5", "--json"}).out);
  ASSERT_EQ(one["machines"].size(), 1U);
  EXPECT_EQ(one["machines"][0]["nodes"], 10);
}

// Hockney's flat tree on one level: (p - 1)(alpha + m beta), with alpha = 1.62 us and 3.2918 GB/s between two nodes and
// an envelope of 16 bytes. There is one message, so no contention.
TEST(Model, HockneyOfOneMessage) {
  const Ran ran =
      run_strata({"model", "--machine", "ntw10e5", "--np", "2", "--map-by", "node", "--elements", "1000", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json document = Json::parse(ran.out);
  EXPECT_EQ(document["schema"], "strata.model/1");
  const Json& prediction = document["predictions"][0];
  EXPECT_EQ(prediction["model"], "hockney");
  EXPECT_NEAR(prediction["time_s"].get<double>(), 1.62e-6 + (4000 + 16) / 3.2918e9, 1e-12);
  EXPECT_TRUE(run_strata({"model", "--machine", "ntw10e5", "--np", "2"}).out.find("hockney") != std::string::npos);
}

// RR-9077, Section 6, on the paper's machine: linear broadcast over 240 cores, messages of the rendezvous protocol. The
// native root sends 239 messages in a row, 216 of them to other nodes; the hierarchical root sends 9, 1, 1 and 5, one
// for each other member at each level.
TEST(Model, ExplainsByLevel) {
  const Ran ran = run_strata({"model", "--machine", "ntw10e5", "--elements", "100000", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json document = Json::parse(ran.out);
  EXPECT_EQ(document["collective"], "bcast");
  EXPECT_EQ(document["segment_bytes"], 0);
  ASSERT_EQ(document["predictions"].size(), 4U);  // two variants, two models each
  const auto messages = [&](int row) {
    std::vector<int> by_level;
    const Json& path = document["predictions"][row]["critical_path"];
    double sum_s = path["combine_s"];
    for (const Json& l : path["levels"]) {
      by_level.push_back(l["messages"]);
      sum_s += l["time_s"].get<double>();
    }
    const double time_s = document["predictions"][row]["time_s"];
    EXPECT_NEAR(sum_s, time_s, 1e-9 * time_s);
    return by_level;
  };
  EXPECT_EQ(document["predictions"][0]["variant"], "native");
  EXPECT_EQ(messages(0), (std::vector<int>{216, 12, 6, 5}));
  EXPECT_EQ(document["predictions"][2]["variant"], "hierarchical");
  EXPECT_EQ(messages(2), (std::vector<int>{9, 1, 1, 5}));
  EXPECT_EQ(document["predictions"][0]["critical_path"]["levels"][0]["level"], "System - Cluster");
  // Natively, 216 messages pass through node 0's port.
  const Json& link = document["predictions"][0]["busiest_link"];
  EXPECT_EQ(link["link"], "up link of node 0");
  EXPECT_EQ(link["messages"], 216);
  EXPECT_NEAR(link["time_s"].get<double>(), 216 * 400016 / 3.2918e9, 1e-9);
}

TEST(Model, OfAReduceOverGivenGroups) {
  const Ran ran = run_strata({"model", "--machine", "ntw10e5", "--collective", "reduce", "--algorithm", "pipeline",
                              "--groups", "10,24", "--variant", "hierarchical", "--elements", "1000"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("reduce, pipeline, 240 ranks on ntw10e5"));
  EXPECT_THAT(ran.out, HasSubstr("System - Cluster 9 of 32 messages"));
  EXPECT_THAT(ran.out, HasSubstr("combining"));
}

// A core copies 5.2 GB/s. A NUMA node's memory reads plus writes 17.6 GB/s in copies, and 26.4 GB/s in combinations.
TEST(Model, ShowsTheSaturationCurveOfAMemory) {
  const Ran ran = run_strata({"model", "--machine", "ntw10e5", "--memory", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json document = Json::parse(ran.out);
  EXPECT_EQ(document["schema"], "strata.memory/1");
  EXPECT_EQ(document["memory"], "memory of node 0, NUMANode 0");
  const Json& curve = document["curve"];
  ASSERT_EQ(curve.size(), 6u);
  EXPECT_EQ(curve[0]["cores"], 1);
  EXPECT_DOUBLE_EQ(curve[0]["copy_bytes_per_s"], 10.4e9);
  EXPECT_DOUBLE_EQ(curve[1]["copy_bytes_per_s"], 17.6e9);
  EXPECT_DOUBLE_EQ(curve[5]["combine_bytes_per_s"], 26.4e9);
  EXPECT_DOUBLE_EQ(curve[5]["triad_bytes_per_s"], 0.75 * 26.4e9);
  EXPECT_THAT(run_strata({"model", "--machine", "ntw10e5", "--memory"}).out, HasSubstr("\n    1       10.40 "));
  expect_refused(run_strata({"model", "--machine", "smp20e7", "--memory"}), "machine smp20e7",
                 "has no figures of its memory", "costs.memory");
}

// The simulated machine is the described one: the fits give alpha and 1/beta of every level within 1 %.
TEST(Model, Fit) {
  const Ran ran = run_strata({"model", "--machine", "ntw10e5", "--fit", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json document = Json::parse(ran.out);
  const std::vector<std::string> levels = {"System - Cluster", "Machine", "Package", "NUMANode"};
  ASSERT_EQ(document["levels"].size(), levels.size());
  for (size_t i = 0; i < levels.size(); ++i) {
    const Json& level = document["levels"][i];
    EXPECT_EQ(level["level"], levels[i]);
    const auto relative = [&](const char* fitted, const char* stated) {
      return std::abs(level[fitted].get<double>() / level[stated].get<double>() - 1);
    };
    EXPECT_LT(relative("latency_s", "machine_latency_s"), 0.01) << levels[i];
    EXPECT_LT(relative("bandwidth_bytes_per_s", "machine_bandwidth_bytes_per_s"), 0.01) << levels[i];
  }
  EXPECT_DOUBLE_EQ(document["levels"][0]["machine_latency_s"].get<double>(), 1.62e-6);
}

TEST(Run, ListsTheCatalog) {
  const Ran ran = run_strata({"run", "--list"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, HasSubstr("quickstart"));
  EXPECT_THAT(ran.out, HasSubstr("rr9077/fig5-bcast-ntw10e5"));
}

TEST(Help, EveryCommandShowsExamples) {
  const Ran top = run_strata({"--help"});
  EXPECT_EQ(top.code, 0);
  EXPECT_THAT(top.out, HasSubstr("Examples:\n  strata quickstart\n"));
  EXPECT_EQ(run_strata({}).out, top.out) << "strata alone";
  std::vector<std::string> commands;
  const Json document = Json::parse(run_strata({"--help-json"}).out);
  for (const Json& command : document["commands"]) {
    commands.push_back(command["name"]);
    EXPECT_THAT(top.out, HasSubstr("\n  " + commands.back() + "  ")) << "in a group";
  }
  EXPECT_EQ(top.out.find("Subcommands:"), std::string::npos) << "without a group";
  EXPECT_THAT(commands,
              ::testing::IsSupersetOf({"quickstart", "machines", "topo", "run", "report", "hsplit", "model"}));
  for (const std::string& command : commands) {
    const Ran help = run_strata({command, "--help"});
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_THAT(help.out, HasSubstr("Example")) << command;
    EXPECT_THAT(help.out, HasSubstr("\n  strata " + command)) << command;
    EXPECT_EQ(help.err, "") << command;
  }
}

TEST(Help, Version) {
  const Ran ran = run_strata({"--version"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, ::testing::MatchesRegex("strata [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

// --- bad input -----------------------------------------------------------------------------------------------------

class BadInput : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) { return folder_.write(name, text); }
  std::string path(const std::string& name) const { return folder_.path() / name; }
  TemporaryFolder folder_;
};

TEST_F(BadInput, Xml) {
  const std::string sound = read_text(built("tests/platforms/data/4io-2p2n.xml"));
  ASSERT_GT(sound.size(), 2000u);
  struct Case {
    std::string file, what, remedy;
  };
  std::vector<Case> cases = {
      {write("empty.xml", ""), "is not hwloc XML", "lstopo --of xml"},
      {write("text.xml", "hello\n"), "is not hwloc XML", "lstopo --of xml"},
      {write("open.xml", "<topology version=\"2.0\"><object"), "malformed or truncated", "lstopo --of xml"},
      {path("none.xml"), "No such file", "lstopo --of xml"},
      {built("tests/platforms/data/hwloc1.xml"), "hwloc 1 XML", "hwloc 2"},
      {built("tests/fuzz/corpus/hwloc_import/crash-1.xml"), "libhwloc cannot load it: it crashes: Segmentation fault",
       "lstopo --of xml"},
  };
  for (const size_t bytes : {300u, 900u, 1500u, 2000u}) {
    cases.push_back({write("cut-" + std::to_string(bytes) + ".xml", sound.substr(0, bytes)), "truncated", "lstopo"});
  }
  for (const Case& c : cases) {
    expect_refused(run_strata({"topo", c.file}), c.file + ": ", c.what, c.remedy);
    expect_refused(run_strata({"hsplit", "--xml", c.file, "--nodes", "2"}), c.file + ": ", c.what, c.remedy);
  }
}

TEST_F(BadInput, MachineYaml) {
  std::string sound = read_text(built("platforms/data/ntw10e5/machine.yaml"));
  write("node.xml", read_text(built("platforms/data/ntw10e5/node.xml")));
  const auto without = [&](const std::string& from) { return sound.substr(0, sound.find(from)); };
  std::string no_source = sound;
  const size_t source = no_source.find("      source: ", no_source.find("    speed:"));
  no_source.erase(source, no_source.find('\n', source) + 1 - source);
  struct Case {
    std::string file, place, what, remedy;
  };
  const std::vector<Case> cases = {
      {write("costs.yaml", without("\ncosts:") + "\n"), "costs.yaml:", "'costs' is missing", "a machine has costs"},
      {write("levels.yaml", without("\n  levels:") + "\n"), "levels.yaml:", "'levels' is missing",
       "give the figures of"},
      {write("source.yaml", no_source), "source.yaml:", "'source' is missing", "says where it comes from"},
      {write("cut.yaml", sound.substr(0, sound.find("published: kerncraft") + 30)), "cut.yaml:", "malformed YAML",
       "check"},
      {write("bracket.yaml", "schema: [strata"), "bracket.yaml:", "malformed YAML", "check"},
      {write("empty.yaml", ""), "empty.yaml: ", "is not a YAML mapping", "begin with"},
      {path("none.yaml"), "none.yaml", "neither in the catalog nor a file", "the catalog has archer2, blue-waters"},
  };
  for (const Case& c : cases) {
    expect_refused(run_strata({"topo", c.file}), c.place, c.what, c.remedy);
    expect_refused(run_strata({"hsplit", "--machine", c.file, "--np", "2"}), c.place, c.what, c.remedy);
  }
}

TEST_F(BadInput, Placement) {
  const auto hsplit = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"hsplit", "--machine", "ntw10e5"});
    return run_strata(arguments);
  };
  expect_refused(hsplit({"--np", "241"}), "--np: ", "241 ranks on 240 cores", "at most 240, or say --oversubscribe");
  expect_refused(hsplit({"--np", "0"}), "--np", "0", "1 to ");
  expect_refused(hsplit({"--np", "-3"}), "--np", "-3", "1 to ");
  expect_refused(hsplit({"--np", "many"}), "--np", "many", "1 to ");
  expect_refused(hsplit({"--map-by", "board"}), "--map-by: ", "unknown level 'board'", "node, numa, package");
  expect_refused(hsplit({"--bind-to", "board"}), "--bind-to: ", "unknown level 'board'", "or none");
  const std::string nocore = built("tests/platforms/data/8nocore-2p2n.xml");
  expect_refused(run_strata({"hsplit", "--xml", nocore, "--map-by", "l3"}), "--map-by: ", "no object of type 'l3'",
                 "strata topo");

  const auto bindings = [&](const std::string& text) { return write("bindings.txt", text); };
  const auto bound = [&](const std::string& text) { return hsplit({"--bindings", bindings(text)}); };
  expect_refused(bound("0 0 0\n1 0 24\n"), "bindings.txt:2: ", "PU 24 is not on node 0", "0-23");
  expect_refused(bound("0 10 0\n"), "bindings.txt:1: ", "node 10 is not there", "0 to 9");
  expect_refused(bound("0 0 3-\n"), "bindings.txt:1: ", "malformed", "`0-3,8`");
  expect_refused(bound("0 0\n"), "bindings.txt:1: ", "is not `rank node cpuset`", "write for example");
  expect_refused(bound("0 0 0\n2 0 1\n"), "bindings.txt: ", "rank 1 is missing", "each rank");
  expect_refused(bound("0 0 0\n0 0 1\n"), "bindings.txt:2: ", "duplicate rank 0", "one line");
  expect_refused(bound("# nobody\n"), "bindings.txt: ", "binds no rank", "give a line");
  expect_refused(hsplit({"--bindings", path("none.txt")}), "none.txt: ", "No such file", "give a bindings file");
  expect_refused(hsplit({"--bindings", bindings("0 0 0\n"), "--np", "2"}), "bindings.txt: ", "binds 1 ranks", "agree");
  expect_refused(hsplit({"--bindings", bindings("0 0 0\n"), "--map-by", "node"}), "--bindings",
                 "--map-by and --bindings cannot be given together", "strata hsplit --help");
}

TEST_F(BadInput, Machines) {
  expect_refused(run_strata({"hsplit"}), "command line", "no machine", "--machine M");
  expect_refused(run_strata({"topo", "summit"}), "machine 'summit'", "neither", "the catalog has archer2, blue-waters");
  expect_refused(run_strata({"topo", "ntw11e5"}), "machine 'ntw11e5'", "neither", "did you mean ntw10e5 or ntw24e5?");
  const std::string xml = built("platforms/data/ntw10e5/node.xml");
  expect_refused(run_strata({"topo", xml, "--nodes", "0"}), "--nodes: ", "0 nodes", "1 to 1000000");
  expect_refused(run_strata({"topo", "ntw10e5", "--nodes", "2"}), "--nodes: ", "XML", "leave it out");
  expect_refused(run_strata({"hsplit", "--machine", "ntw10e5", "--nodes", "2"}), "--nodes", "needs", "--xml");
}

TEST_F(BadInput, CommandLine) {
  expect_refused(run_strata({"fly"}), "command line", "'fly' is not a command", "strata --help");
  expect_refused(run_strata({"topo"}), "command line", "required", "--help");
  expect_refused(run_strata({"topo", "ntw10e5", "--wide"}), "command line", "'--wide' is not an option",
                 "see `strata topo --help`");
  expect_refused(run_strata({"run", "quickstart", "--joobs=2"}), "command line", "'--joobs' is not an option",
                 "did you mean --jobs? see `strata run --help`");
  expect_refused(run_strata({"exec", "--machin", "ntw10e5", "ls"}), "command line", "'--machin' is not an option",
                 "did you mean --machine?");
  expect_refused(run_strata({"runn"}), "command line", "'runn' is not a command",
                 "did you mean run? see `strata --help`");
  expect_refused(run_strata({"nodecart", "surve"}), "command line", "'surve' is not a command of `strata nodecart`",
                 "did you mean survey?");
  expect_refused(run_strata({"--wide", "run"}), "command line", "'--wide' is not an option of `strata`;",
                 "strata --help");
  expect_refused(run_strata({"rnu"}), "command line", "'rnu' is not a command", "did you mean run?");
  expect_refused(run_strata({"machines", "theta", "x"}), "command line", "one argument too many",
                 "strata machines --help");
  expect_refused(run_strata({"machines", "teta"}), "machine 'teta'", "did you mean theta?", "");
  expect_refused(run_strata({"probe"}), "command line", "--node is required: hwloc XML", "strata probe --help");
  expect_refused(run_strata({"hsplit", "--np"}), "command line", "--np: its value is missing", "strata hsplit --help");
  expect_refused(run_strata({"hsplit", "--np", "3", "--np", "4"}), "command line", "--np: given 2 times",
                 "give it once");
  expect_refused(run_strata({"exec", "-np", "0"}), "command line", "--np: '0' is too small", "give 1 to 100000000");
  expect_refused(run_strata({"exec", "-np", "1e3"}), "command line", "'1e3' is not a whole number", "give 1 to");
  expect_refused(run_strata({"exec", "-np", "99999999999"}), "command line", "'99999999999' is too large", "give 1 to");
  expect_refused(run_strata({"nodecart", "--dims", "4x4", "--nodes", "3.5"}), "command line",
                 "--nodes: '3.5' is not a whole number", "strata nodecart --help");
  expect_refused(run_strata({"map", "--objective", "tme"}), "command line", "'tme' is not one of hop-bytes, time",
                 "strata map --help");
  expect_refused(run_strata({"topo", "ntw10e5", "--json", "--full"}), "command line",
                 "--json and --full cannot be given together", "strata topo --help");
  expect_refused(run_strata({"topo", "two\nlines"}), "machine 'two lines'", "neither", "the catalog has");
  expect_refused(run_strata({"run"}), "command line", "no scenario", "strata run --list");
  expect_refused(run_strata({"run", "slowstart"}), "scenario 'slowstart'", "neither", "strata run --list");
  expect_refused(run_strata({"run", "quickstart", "--jobs", "0"}), "--jobs", "0", "at least 1");
  expect_refused(run_strata({"run", folder_.path()}), folder_.path(), "is a directory", "give a YAML file");
  const auto model = [](const std::string& option, const std::string& value) {
    return run_strata({"model", "--machine", "ntw10e5", option, value});
  };
  for (const char* elements : {"nan", "-1", "1e400", "1.5", "inf", "ten"}) {
    expect_refused(model("--elements", elements), "--elements", elements, "whole number from 0");
  }
  expect_refused(model("--root", "240"), "--root", "240 is not a rank", "0 to 239");
  expect_refused(model("--algorithm", "teleport"), "--algorithm", "teleport", "linear");
  expect_refused(model("--algorithm", "ring"), "--algorithm", "bcast has no ring", "it has linear");
  expect_refused(model("--collective", "alltoall"), "--collective", "alltoall", "bcast");
  expect_refused(model("--groups", "3,4"), "--groups", "product is 12", "240 ranks");
  expect_refused(model("--segment", "-1"), "--segment", "-1", "");
}

TEST_F(BadInput, Places) {
  const std::string file = write("file", "x");
  const std::vector<std::string> one = {"run",   "quickstart",     "--set", "elements=1", "--set", "algorithm=linear",
                                        "--set", "variant=native", "--out"};
  const auto run_into = [&](const std::string& out) {
    std::vector<std::string> command = one;
    command.push_back(out);
    return run_strata(command);
  };
  expect_refused(run_into(file), file, "cannot be made: Not a directory", "choose another place");
  expect_refused(run_into(file + "/below"), file + "/below", "cannot be made", "choose another place");
  expect_refused(run_into("/proc/strata"), "/proc/strata", "cannot be made", "choose another place");
  expect_refused(run_strata({"topo", "ntw10e5", "--svg", "/proc/none/x.svg"}), "/proc/none/x.svg", "cannot be made",
                 "another place");
  expect_refused(run_strata({"topo", "ntw10e5", "--svg", folder_.path()}), folder_.path(), "is a directory", "a file");
  expect_refused(run_strata({"report", path("none")}), path("none"), "No such file", "results folder");
  expect_refused(run_strata({"report", folder_.path()}), "manifest.json", "No such file", "results folder");
  expect_refused(run_strata({"report", path("none"), "--report", path("x.html")}), path("none"), "No such file",
                 "results folder");
  for (const std::string option : {"--out", "--reproduction"}) {
    expect_refused(run_strata({"report", path("none"), "--report", path("x.html"), option, path("y")}), option,
                   "does not go with --report", "");
  }
  write("manifest.json", "{}");
  expect_refused(run_strata({"report", folder_.path()}), "manifest.json", "is not a manifest", "another --out");
  expect_refused(run_strata({"report", folder_.path(), "--report", path("x.html")}), "manifest.json",
                 "is not a manifest", "another --out");
}

// If stdout is full or closed, every command that prints says so.
TEST(Output, CannotBeWritten) {
  const std::vector<std::vector<std::string>> commands = {{"topo", "ntw10e5"},
                                                          {"topo", "ntw10e5", "--json"},
                                                          {"topo", "ntw10e5", "--svg", "-"},
                                                          {"machines"},
                                                          {"run", "--list"},
                                                          {"model", "--machine", "ntw10e5"},
                                                          {"hsplit", "--machine", "ntw10e5", "--engine", "pure"},
                                                          {"--help"},
                                                          {"--version"}};
  for (const std::vector<std::string>& command : commands) {
    const Ran full = run_strata(
        command,
        {.environment = {}, .folder = {}, .standard_output = "/dev/full", .closed = {}, .ignored_signals = {}});
    const Ran closed = run_strata(
        command, {.environment = {}, .folder = {}, .standard_output = "", .closed = {1}, .ignored_signals = {}});
    for (const Ran& ran : {full, closed}) {
      EXPECT_EQ(ran.code, 2) << ::testing::PrintToString(command);
      EXPECT_EQ(ran.err, "strata: stdout: cannot be written; free space or redirect it elsewhere\n");
    }
  }
}

// The command built alone, without the model checker, works except for strata check.
TEST(Command, CheckSaysThatItIsNotBuilt) {
  const TemporaryFolder folder;
  const std::string alone = folder.path() / "strata";
  std::filesystem::copy_file(built("command/strata"), alone);
  const Ran ran = Process({alone, "check"}, {.environment = {{"TEST_SRCDIR", folder.path()}}}).wait();
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err,
            "strata: the model checker is not built; run ./strata check, or `bazel build //command:strata_check`\n");
  EXPECT_THAT(run_strata({"--help"}).out, HasSubstr("Check algorithms on all small machines"));
}

}  // namespace
}  // namespace strata
