// SPDX-License-Identifier: LGPL-2.1-only
// strata exec with a user's program: its arguments, input, output, environment and exit code, the placement of its
// ranks, and the summary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Words = std::vector<std::string>;
using namespace std::chrono_literals;

const std::string kGuest = "tests/command/guest.so";

// A strata exec command on two nodes with two sockets of three cores each, or on the machine that `options` names.
Words exec(const Words& options, const Words& program, bool on_small = true) {
  Words words = {"exec"};
  if (on_small) words.insert(words.end(), {"--xml", built("tests/command/2-sockets.xml"), "--nodes", "2"});
  words.insert(words.end(), options.begin(), options.end());
  words.emplace_back("--");
  words.push_back(built(kGuest));
  words.insert(words.end(), program.begin(), program.end());
  return words;
}

Ran run(const Words& options, const Words& program, const Surroundings& surroundings = {}) {
  return run_strata(exec(options, program), surroundings);
}

Json json_of(const Words& options, const Words& program) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "out.json";
  Words all = options;
  all.insert(all.end(), {"--json", file});
  const Ran ran = run(all, program);
  EXPECT_EQ(ran.code, 0) << ran.err;
  return Json::parse(read_text(file));
}

// The node that each rank reports.
std::string nodes(const Words& options) {
  const Ran ran = run(options, {"nodes"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  std::string text;
  for (const std::string& line : lines_of(ran.out)) {
    if (!line.empty()) text += line.substr(line.find(' ') + 1) + " ";
  }
  return text;
}

// --- like any other program ---

TEST(Exec, ArgumentsArriveAsTheyAre) {
  const Words odd = {"a b", "", "--help", "--cfg=network/model:CM02", "--log=root.thres:debug", "*", "\"x\"", "-n"};
  Words words = {"arguments"};
  words.insert(words.end(), odd.begin(), odd.end());
  const Ran ran = run({"-n", "2"}, words);
  EXPECT_EQ(ran.code, 0) << ran.err;
  std::string expected;
  for (const std::string& word : odd) expected += word + "\n";
  EXPECT_EQ(ran.out, expected);
}

TEST(Exec, TheMarkBeforeTheProgramMayBeLeftOut) {
  const Ran ran = run_strata({"exec", "--machine", "ntw10e5", "-n", "2", "--no-summary", built(kGuest), "arguments",
                              "--machine", "theta", "x"});
  EXPECT_EQ(ran.out, "--machine\ntheta\nx\n") << ran.err;
  EXPECT_EQ(ran.err, "");
}

TEST(Exec, LongOptionsMayBeginWithOneDash) {
  const Words options = {"exec", "-machine", "ntw10e5", "-np", "2", "-map-by", "node", "-no-summary"};
  Words words = options;
  words.insert(words.end(), {built(kGuest), "arguments", "-np", "3", "-machine"});
  const Ran ran = run_strata(words);
  EXPECT_EQ(ran.out, "-np\n3\n-machine\n") << ran.err;
  Words marked = options;
  marked.insert(marked.end(), {"--", built(kGuest), "arguments", "-np", "3"});
  EXPECT_EQ(run_strata(marked).out, "-np\n3\n");
  EXPECT_THAT(run_strata({"exec", "-machines", "ntw10e5", "--", "a"}).err, HasSubstr("-machines"));
}

TEST(Exec, InputGoesToRankZero) {
  EXPECT_EQ(run({"-n", "3"}, {"input"}, {.input = "one\ntwo\n"}).out, "one\ntwo\n");
  EXPECT_EQ(run({"-n", "3", "--repeat", "2"}, {"input"}, {.input = "one\ntwo\n"}).out, "one\ntwo\n");
}

TEST(Exec, EnvironmentAndFolderAreTheCallers) {
  const TemporaryFolder folder;
  EXPECT_EQ(run({}, {"variable", "OURS"}, {.environment = {{"OURS", "a b"}}}).out, "a b\n");
  EXPECT_EQ(run({"-x", "OURS=c d"}, {"variable", "OURS"}).out, "c d\n");
  EXPECT_EQ(run({}, {"variable", "LD_PRELOAD"}).out, "(not set)\n") << "what the program starts is not simulated";
  EXPECT_EQ(run({"--wdir", folder.path()}, {"arguments", "x"}).out, "x\n");
  const Ran blanks = run({}, {"arguments", "x"}, {.environment = {{"TMPDIR", folder.path()}}});
  EXPECT_EQ(blanks.out, "x\n");
  fs::create_directory(folder.path() / "a b");
  EXPECT_EQ(run({}, {"arguments", "x"}, {.environment = {{"TMPDIR", folder.path() / "a b"}}}).out, "x\n");
  EXPECT_TRUE(fs::is_empty(folder.path() / "a b")) << "nothing is left behind";
}

TEST(Exec, TheExitCodeIsThePrograms) {
  EXPECT_EQ(run({"-n", "2"}, {"return", "0"}).code, 0);
  EXPECT_EQ(run({"-n", "2"}, {"return", "9"}).code, 9);
  EXPECT_EQ(run({"-n", "2"}, {"exit", "5"}).code, 5);
  const Ran aborted = run({"-n", "3"}, {"abort", "7"});
  EXPECT_EQ(aborted.code, 7);
  EXPECT_THAT(aborted.err, HasSubstr("strata: rank 2 called MPI_Abort with 7\n"));
}

// --- errors ---

TEST(Exec, ADeadlockSaysWhoWaits) {
  const Ran ran = run({"-n", "3"}, {"deadlock"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_EQ(ran.err,
            "strata: guest.so: deadlock: rank 0 waits in MPI_Recv for a message from rank 1 (tag 7); rank 1 waits in "
            "MPI_Recv for a message from rank 0 (tag 7)\n");
}

TEST(Exec, ACrashSaysWhichRank) {
  const Ran ran = run({"-n", "3"}, {"crash"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, StartsWith("strata: guest.so: rank 1 crashed: Segmentation fault"));
  EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;
}

// Without the backtrace that SimGrid prints before it aborts.
TEST(Exec, AnErrorOfMpiIsOneLine) {
  const Ran ran = run({"-n", "3"}, {"invalid"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_THAT(ran.err, StartsWith("strata: guest.so: rank 1 crashed: Aborted: MPI_Send - returned MPI_ERR_RANK"));
  EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;
}

TEST(Exec, APipeWithoutReaderIsOneLine) {
  const TemporaryFolder folder;
  const Words command = strata_command(exec({"-n", "2"}, {"nodes"}));
  Words shell = {"/bin/bash", "-c", "\"$@\" | true; exit ${PIPESTATUS[0]}", "_"};
  shell.insert(shell.end(), command.begin(), command.end());
  const Ran ran = Process(shell, {.environment = {{"TMPDIR", folder.path()}}}).wait();
  EXPECT_EQ(ran.code, 3);
  EXPECT_EQ(ran.err, "strata: guest.so: the program's output has no reader any more (a broken pipe)\n");
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Exec, TheTimeLimitEndsIt) {
  const Ran ran = run({"--limit", "0.5"}, {"sleep", "30"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_LT(ran.wall_s, 20);
  EXPECT_EQ(ran.err, "strata: guest.so: no end after 0.5 s of wall time, the time limit\n");
}

TEST(Exec, ASignalEndsAllOfIt) {
  const TemporaryFolder folder;
  Process process(strata_command(exec({}, {"sleep", "30"})), {.environment = {{"TMPDIR", folder.path()}}});
  const auto limit = std::chrono::steady_clock::now() + 20s;
  while (fs::is_empty(folder.path()) && std::chrono::steady_clock::now() < limit) std::this_thread::sleep_for(5ms);
  std::this_thread::sleep_for(300ms);
  ::kill(process.pid(), SIGTERM);
  const Ran ran = process.wait();
  EXPECT_EQ(ran.code, 128 + SIGTERM);
  EXPECT_LT(ran.wall_s, 25);
  EXPECT_TRUE(fs::is_empty(folder.path())) << "nothing is left behind";
}

struct Fault {
  Words options;
  std::string says;
};

TEST(Exec, BadInputIsRefused) {
  const TemporaryFolder folder;
  const std::string bad_hosts = folder.write("hosts", "node0 slots=2\nnode7\n");
  const std::string mixed = folder.write("mixed", "node0\nalpha\n");
  const std::string rankfile = folder.write("ranks", "rank 0=node0 slot=0\nrank 1=node0 slot=99\n");
  const std::string gap = folder.write("gap", "rank 0=node0 slot=0\nrank 2=node0 slot=1\n");
  const std::vector<Fault> faults = {
      {{"-n", "13"}, "13 ranks"},
      {{"--hostfile", bad_hosts},
       bad_hosts + ":2: 'node7' is node 7 of the machine, which has 2; its nodes are node0 to node1"},
      {{"--hostfile", mixed}, mixed + ":2: 'alpha' is beside names of another kind"},
      {{"--rankfile", rankfile}, rankfile + ":2: core 99 does not exist; give 0 to 5"},
      {{"--rankfile", gap}, gap + ": rank 1 is missing"},
      {{"--rankfile", gap, "--bindings", gap}, "more than one file says where the ranks are"},
      {{"--wdir", folder.path() / "none"}, "is not a folder"},
      {{"-x", "=v"}, "has no name"},
      {{"--compute", "measured", "--host-speed", "fast"}, "--host-speed: 'fast' is not a speed"},
      {{"--reorder", "none.mtx"}, "none.mtx"},
      {{"--compute", "some"}, "--compute"},
  };
  for (const Fault& fault : faults) {
    const Ran ran = run(fault.options, {"arguments", "ran"});
    EXPECT_EQ(ran.code, 2) << fault.says;
    EXPECT_THAT(ran.err, HasSubstr(fault.says));
    EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;
    EXPECT_EQ(ran.out, "");
  }
  for (const auto& [program, says] : std::vector<std::pair<std::string, std::string>>{
           {"./none", "./none: there is no such program; give its path, such as ./app"},
           {"/bin/true", "/bin/true: calls no function of MPI"},
           {folder.path(), folder.path().string() + ": "}}) {
    const Ran ran = run_strata({"exec", "--machine", "ntw10e5", "--", program});
    EXPECT_EQ(ran.code, 2) << program;
    EXPECT_THAT(ran.err, StartsWith("strata: " + says));
    EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;
  }
  EXPECT_THAT(
      run({}, {"arguments", "--", "x"}).err,
      HasSubstr("the program's argument '--': is lost on the way: SimGrid drops it; leave it out, if the program "
                "allows that"));
  EXPECT_THAT(run_strata({"exec", "--machine", "ntw10e5"}).err, HasSubstr("no program is given"));
  EXPECT_THAT(run_strata({"exec", "--machine", "ntw10e5", "--speed", "x", "--", "a"}).err, HasSubstr("--speed"));
}

TEST(Exec, MoreRanksThanTheSystemHasMappingsForAreRefused) {
  const long most = std::stol(read_text("/proc/sys/vm/max_map_count"));
  const std::string ranks = std::to_string(most / 2);
  const Ran ran = run({"-n", ranks, "--oversubscribe"}, {"arguments", "ran"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, StartsWith("strata: -n: " + ranks + " ranks need at least "));
  EXPECT_THAT(ran.err, HasSubstr("; as root do: sysctl -w vm.max_map_count="));
}

// --- placement ---

TEST(Exec, RanksArePlacedAsByMpirun) {
  const TemporaryFolder folder;
  EXPECT_EQ(nodes({"-n", "4"}), "node0 node0 node0 node0 ");
  EXPECT_EQ(nodes({"-n", "4", "--map-by", "node"}), "node0 node1 node0 node1 ");
  const std::string slots = folder.write("slots", "# two here\nnode1 slots=2\nnode0:1\n");
  EXPECT_EQ(nodes({"--hostfile", slots}), "node1 node1 node0 ");
  EXPECT_EQ(nodes({"--hostfile", slots, "-n", "2"}), "node1 node1 ");
  EXPECT_EQ(nodes({"--hostfile", slots, "--map-by", "node"}), "node1 node0 node1 ");
  EXPECT_EQ(nodes({"--hostfile", slots, "-n", "5", "--oversubscribe"}), "node1 node1 node0 node1 node1 ");
  EXPECT_EQ(nodes({"-n", "4", "--map-by", "PE=3"}), "node0 node0 node1 node1 ");
  EXPECT_EQ(nodes({"-n", "2", "--map-by", "PE=4"}), "node0 node1 ");  // 6 cores a node
  EXPECT_EQ(nodes({"-n", "4", "--map-by", "socket:PE=3"}), "node0 node0 node1 node1 ");
  EXPECT_EQ(nodes({"--hostfile", slots, "--map-by", "PE=3"}), "node1 node1 node0 ");
  EXPECT_EQ(nodes({"--hostfile", slots, "--map-by", "PE=6"}), "node1 node0 ");
  const std::string cluster = folder.write("cluster", "alpha\nbeta\nbeta\nbeta\n");
  EXPECT_EQ(nodes({"--hostfile", cluster, "-n", "8"}), "node0 node0 node0 node0 node0 node0 node1 node1 ");
  const std::string ranks = folder.write("ranks", "rank 1=+n0 slot=1:0-2\nrank 0=+n1 slot=2,3\n");
  EXPECT_EQ(nodes({"--rankfile", ranks}), "node1 node0 ");
}

// Three named nodes of two kinds. The name "node1" would be the second node's default name, but is the first node's.
TEST(Exec, HostfilesUseTheNamesThatTheMachineKnows) {
  const TemporaryFolder folder;
  const auto figure = [](const std::string& name, const std::string& value_and_unit) {
    return name + ": {" + value_and_unit + ", source: measured}";
  };
  std::string yaml =
      "schema: strata.machine/1\nname: mixed\ndescription: three nodes\nsource: a test\nnodes:\n"
      "  - {count: 2, names: \"node[1-2]\", synthetic: \"core:2 pu:1\"}\n"
      "  - {count: 1, names: gpu1, synthetic: \"pack:2 core:2 pu:1\"}\nnetwork: {nodes: 3}\ncosts:\n  core: {" +
      figure("speed", "value: 1, unit: Gflop/s") + ", " + figure("copy_bandwidth", "value: 1, unit: GB/s") + "}\n  " +
      figure("eager_limit", "value: 4, unit: KiB") + "\n  levels:\n";
  for (const char* level : {"System - Cluster", "NUMANode", "Package"}) {
    yaml += std::string("    - {level: ") + level + ", " + figure("latency", "value: 1, unit: us") + ", " +
            figure("overhead", "value: 1, unit: us") + ", " + figure("bandwidth", "value: 1, unit: GB/s") + ", " +
            figure("link_bandwidth", "value: 1, unit: GB/s") + "}\n";
  }
  const std::string machine = folder.write("machine.yaml", yaml);
  const auto on = [&](const std::string& option, const std::string& text, const Words& program) {
    return run_strata(exec({"--machine", machine, option, folder.write("file", text)}, program, false));
  };
  const auto placed = [&](const std::string& option, const std::string& text) {
    const Ran ran = on(option, text, {"nodes"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    std::string nodes;
    for (const std::string& line : lines_of(ran.out)) {
      if (!line.empty()) nodes += line.substr(line.find(' ') + 1) + " ";
    }
    return nodes;
  };
  EXPECT_EQ(placed("--hostfile", "gpu1\nnode1 slots=1\n"), "node2 node2 node2 node2 node0 ");
  EXPECT_EQ(placed("--hostfile", "node2:1\nnode1:1\n"), "node1 node0 ");
  EXPECT_EQ(placed("--hostfile", "+n1:1\n+n2:1\n"), "node1 node2 ");
  EXPECT_EQ(placed("--hostfile", "node0:1\nnode1:1\n"), "node0 node1 ") << "numbers from the first line on";
  EXPECT_EQ(placed("--rankfile", "rank 0=gpu1 slot=1:1\nrank 1=node1 slot=0\n"), "node2 node0 ");
  const auto refused = [&](const std::string& text, const std::string& says) {
    const Ran ran = on("--hostfile", text, {"nodes"});
    EXPECT_EQ(ran.code, 2) << text;
    EXPECT_THAT(ran.err, HasSubstr(says));
    EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;
  };
  refused("gpu1\nlogin\n", "file:2: no node of the machine is called 'login'; its nodes are called node1 to gpu1");
  refused("gpu1\nnode0\n", "file:2: no node of the machine is called 'node0'; its nodes are called node1 to gpu1");
  refused("+n0\ngpu1\n", "file:2: 'gpu1' is beside names of another kind; call nodes node0, node1, ... throughout");
  refused("node2 slots=3\n", "--hostfile: node2 has 2 cores, but gets more ranks");
}

// --- the summary ---

// docs/simulated-time.md, on SMPI's collectives: the tables of Open MPI 4.1 choose the linear broadcast for 16 KiB on
// three ranks. In Open MPI rank 0 then sends two messages; in SMPI two pieces of 8 KiB go along a chain.
TEST(Exec, LinearBroadcastOfSmpiIsAChainOfPieces) {
  const Json found = json_of({"-n", "3"}, {"broadcast", "16384"});
  EXPECT_EQ(found["messages"], Json({{"count", 4}, {"bytes", 32768}}));
}

TEST(Exec, MessagesAreCountedByLevel) {
  const Json found = json_of({"-n", "4", "--map-by", "node"}, {"ring", "1000", "3"});
  EXPECT_EQ(found["schema"], "strata.exec/1");
  EXPECT_EQ(found["ranks"], 4);
  EXPECT_EQ(found["messages"], Json({{"count", 12}, {"bytes", 12000}}));
  EXPECT_EQ(found["levels"][0], Json({{"level", "System - Cluster"}, {"messages", 12}, {"bytes", 12000}}))
      << found["levels"].dump();
  const Json near = json_of({"-n", "4"}, {"ring", "1000", "3"});
  EXPECT_EQ(near["levels"][0]["messages"], 0);
  EXPECT_LT(near["simulated_time"]["value"].get<double>(), found["simulated_time"]["value"].get<double>());
  for (const Json& call : found["calls"]) {
    if (call["call"] == "MPI_Sendrecv") {
      EXPECT_EQ(call["count"], 12);
    }
  }
  double whole = 0;
  for (const char* part : {"computing", "communicating", "waiting"}) whole += found["time"][part].get<double>();
  EXPECT_NEAR(whole, 4 * found["simulated_time"]["value"].get<double>(), 1e-9 + 0.3 * whole);
}

TEST(Exec, TheSummaryNamesWhatToTryAndThatHelps) {
  // Partners are on different nodes; after reordering they are on the same node.
  const Ran before = run({"-n", "12"}, {"pairs", "1000000"});
  EXPECT_THAT(before.err,
              HasSubstr("100 % of the bytes cross the network; treematch would leave 0 %: --reorder treematch\n"));
  EXPECT_THAT(before.err, ContainsRegex("MPI_Sendrecv +12 "));
  EXPECT_THAT(before.err, HasSubstr("--compute measured"));
  const Json slow = json_of({"-n", "12"}, {"pairs", "1000000"});
  const TemporaryFolder folder;
  for (const char* method : {"treematch", "scotch"}) {
    const Json fast = json_of({"-n", "12", "--reorder", method}, {"pairs", "1000000"});
    EXPECT_EQ(fast["levels"][0]["messages"], 0) << method;
    EXPECT_EQ(fast["before_reordering"]["value"], slow["simulated_time"]["value"]);
    EXPECT_LT(fast["simulated_time"]["value"].get<double>(), slow["simulated_time"]["value"].get<double>());
  }
  const fs::path traffic = folder.path() / "traffic";
  EXPECT_EQ(run({"-n", "12", "--traffic", traffic}, {"pairs", "1000000"}).code, 0);
  const Json again = json_of({"-n", "12", "--reorder", traffic / "size.mtx"}, {"pairs", "1000000"});
  EXPECT_EQ(again["levels"][0]["messages"], 0);
}

TEST(Exec, ThePageHasTheNumbersOfTheRun) {
  const TemporaryFolder folder;
  const std::string page = folder.path() / "page.html", json = folder.path() / "run.json";
  const Ran ran = run({"-n", "4", "--report", page, "--json", json, "--no-summary"}, {"ring", "1000", "2"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("wrote " + page));
  const std::string html = read_text(page), begin = "id=\"data\">";
  const size_t from = html.find(begin) + begin.size();
  const Json data = Json::parse(html.substr(from, html.find("</script>", from) - from)),
             summary = Json::parse(read_text(json));
  const Json& shown = data.at("runs").at(0);
  EXPECT_EQ(shown.at("simulated_time_s"), summary.at("simulated_time").at("value"));
  EXPECT_EQ(shown.at("calls"), summary.at("calls"));
  EXPECT_EQ(shown.at("times").at("waiting"), summary.at("time_by_rank").at("waiting"));
  EXPECT_THAT(shown.at("command").get<std::string>(), StartsWith("strata exec --xml "));
  const Json& point = shown.at("points").at(0);
  EXPECT_EQ(point.at("matrix").at("bytes"), summary.at("messages").at("bytes"));
  EXPECT_EQ(point.at("matrix").at("messages"), summary.at("messages").at("count"));
  EXPECT_EQ(point.at("absent"), Json::array());
  ASSERT_EQ(point.at("timeline").at("sums").size(), summary.at("calls").size());
  for (size_t i = 0; i < 4; ++i) {
    const double end = point.at("timeline").at("times").at("end").at(i);
    EXPECT_NEAR(point.at("timeline").at("times").at("waiting").at(i).get<double>(),
                summary.at("time_by_rank").at("waiting").at(i).get<double>(), 1e-9 * end);
  }
  for (const Json& call : point.at("timeline").at("sums")) {
    const auto same = std::find_if(summary.at("calls").begin(), summary.at("calls").end(),
                                   [&](const Json& c) { return c.at("call") == call.at("call"); });
    ASSERT_NE(same, summary.at("calls").end()) << call;
    EXPECT_EQ(call.at("count"), same->at("count")) << call;
    EXPECT_NEAR(call.at("seconds").get<double>(), same->at("seconds").get<double>(), 1e-12) << call;
  }
  const Ran full = run({"-n", "2", "--report", "/dev/full/page.html", "--no-summary"}, {"ring", "10", "1"});
  EXPECT_EQ(full.code, 2);
  EXPECT_THAT(full.err, HasSubstr("/dev/full/page.html"));
}

TEST(Exec, TrafficAndTimelineAreKept) {
  const TemporaryFolder folder;
  const fs::path traffic = folder.path() / "deep/traffic", timeline = folder.path() / "run.paje";
  const Ran ran = run({"-n", "4", "--traffic", traffic, "--timeline", timeline, "--no-summary"}, {"ring", "1000", "2"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_THAT(read_text(traffic / "size.mtx"), HasSubstr("\n1 2 2000\n"));
  EXPECT_THAT(read_text(traffic / "levels.csv"), HasSubstr("\nPackage,4,4000\n"));
  EXPECT_THAT(read_text(traffic / "links.csv"), StartsWith("link,level,"));
  EXPECT_THAT(read_text(timeline), HasSubstr("PajePushState"));
}

TEST(Exec, TheSameRunGivesTheSameBytes) {
  EXPECT_EQ(json_of({"-n", "8"}, {"ring", "5000", "4"}), json_of({"-n", "8"}, {"ring", "5000", "4"}));
}

TEST(Exec, MeasuredComputationTakesTime) {
  const Ran ran =
      run({"-n", "2", "--compute", "measured", "--host-speed", "10 Gflop/s", "--repeat", "2"}, {"ring", "8", "1"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.err, StartsWith("strata: computation takes the processor time that it takes here, times "));
  EXPECT_THAT(ran.err, ContainsRegex("\n2 runs: [0-9.]+ [mu]?s to [0-9.]+ [mu]?s\n"));
  EXPECT_THAT(ran.err, ::testing::Not(HasSubstr("computation takes no simulated time")));
}

// Threads take turns on one core, and run side by side on the three cores of a socket, wherever they ran here.
TEST(Exec, MeasuredThreadsShareTheCoresOfTheirRank) {
  const auto computing_s = [&](const Words& binding, const std::string& threads,
                               const std::string& map_by = "package") {
    Words options = {"-n", "2", "--map-by", map_by, "--compute", "measured", "--host-speed", "10 Gflop/s"};
    options.insert(options.end(), binding.begin(), binding.end());
    const Json run = json_of(options, {"threads", threads, "20"});
    return run["time_by_rank"]["computing"][1].get<double>();
  };
  const double one = computing_s({}, "1");
  EXPECT_NEAR(computing_s({}, "3"), 3 * one, 0.5 * one);
  EXPECT_NEAR(computing_s({"--bind-to", "package"}, "3"), one, 0.4 * one);
  EXPECT_NEAR(computing_s({"--bind-to", "package"}, "6"), 2 * one, 0.4 * one);
  EXPECT_NEAR(computing_s({}, "3", "package:PE=3"), one, 0.4 * one);
  EXPECT_NEAR(computing_s({"--bind-to", "none"}, "3"), one, 0.4 * one);  // each rank has half of the six cores
}

TEST(Exec, WhatMeasuredThreadsCannotShowIsSaid) {
  Surroundings four;
  four.environment = {{"OMP_NUM_THREADS", "4"}};
  const Words measured = {"--compute", "measured", "--host-speed", "10 Gflop/s"};
  EXPECT_THAT(run(measured, {"ring", "8", "1"}, four).err,
              HasSubstr("strata: OMP_NUM_THREADS=4, and a rank has 1 core: its threads take turns; bind it"));
  Words wide = measured;
  wide.insert(wide.end(), {"--bind-to", "none"});
  EXPECT_THAT(run(wide, {"ring", "8", "1"}, four).err, ::testing::Not(HasSubstr("OMP_NUM_THREADS")));
  wide.insert(wide.end(), {"-x", "OMP_WAIT_POLICY=active"});
  EXPECT_THAT(run(wide, {"ring", "8", "1"}).err, HasSubstr("strata: OMP_WAIT_POLICY=active: threads that wait"));
  EXPECT_THAT(run({}, {"ring", "8", "1"}, four).err, ::testing::Not(HasSubstr("OMP_NUM_THREADS")));
}

TEST(Exec, AFullDiskIsSaid) {
  const Ran ran = run({"-n", "2", "--json", "/dev/full/x"}, {"ring", "8", "1"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("/dev/full/x"));
}

}  // namespace
}  // namespace strata
