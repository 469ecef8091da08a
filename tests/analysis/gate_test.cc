// SPDX-License-Identifier: LGPL-2.1-only
// Comparing two results of each kind: what is judged, what is only shown, what is refused, and the texts. Also damages
// every place of each document.
#include "analysis/gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/error.h"
#include "tests/analysis/small_study.h"

namespace strata::analysis {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// --- a document of each kind ---

Json exec_document() {
  return Json::parse(R"({"schema":"strata.exec/1","program":"app","arguments":["-n","3 4"],"machine":"toy","ranks":4,
    "compute":"none","simulated_time":{"value":0.002,"unit":"s"},"exit_code":0,"messages":{"count":12,"bytes":12000},
    "levels":[{"level":"System - Cluster","messages":10,"bytes":10000},{"level":"Machine","messages":2,"bytes":2000}],
    "calls":[{"call":"MPI_Sendrecv","count":12,"seconds":0.004,"waiting":0.001}],
    "time":{"computing":0.001,"communicating":0.003,"waiting":0.004},
    "time_by_rank":{"computing":[0],"communicating":[0],"waiting":[0]},
    "fullest_links":[{"link":"node_0","level":"Machine","direction":"up","bytes":5000,"utilisation":0.5}],
    "critical_path":{"by_kind":{"latency":0.0005,"transfer":0.0015}},
    "phases":[{"phase":null,"seconds":{"most":0.002}},{"phase":"solve","seconds":{"most":0.001}}],
    "before_reordering":{"value":0.003,"unit":"s"}})");
}

Json measured_document(const std::vector<double>& times) {
  Json d = exec_document();
  d["compute"] = "measured";
  d["simulated_time"]["value"] = times.front();
  d["repeats"] = {{"runs", times.size()}, {"least", 0}, {"most", 9}, {"unit", "s"}, {"times", times}};
  return d;
}

// 100 us, with a latency that is worth 10 us either way.
Json replay_document() {
  return Json::parse(R"({"schema":"strata.replay/1","program":"app","machine":"toy","machine_hash":"0","ranks":4,
    "simulated_time":{"value":1e-4,"unit":"s"},"messages":12,"bytes":12000,"order_may_differ":[],
    "error_bar":{"low":9e-5,"high":1.1e-4,"without_interval":3,"figures":[{"figure":"Package.latency","value":2,
      "unit":"us","plus_minus":0.2,"larger":1e-5,"smaller":-1e-5,"estimated":false}]}})");
}

Json hsplit_document() {
  return Json::parse(R"({"schema":"strata.hsplit/1","np":2,"ranks":[
    {"rank":0,"node":0,"cpuset":"0-3","levels":[{"type":"Package","members":[0,1],"num_comms":2,"index":0,"roots":[0,2]}]},
    {"rank":1,"node":0,"cpuset":"4-7","levels":[{"type":"Package","members":[0,1],"num_comms":2,"index":0,"roots":null}]}]})");
}

Json nodecart_document() {
  return Json::parse(R"({"schema":"strata.nodecart/1","dims":[2,2],"ppn":null,"nodes":2,"np":4,"node_sizes":[2,2],
    "intradims":[1,2],"interdims":[2,1],
    "cart":{"on_node":{"min":1,"max":2,"avg":1.5},"off_node":{"min":1,"max":2,"avg":1.25}},
    "nodecart":{"on_node":{"min":1,"max":2,"avg":1.5},"off_node":{"min":1,"max":2,"avg":1.0}},
    "levels":[{"level":"node","groups":2,
      "cart":{"inside":{"min":1,"max":2,"avg":1.5},"outside":{"min":1,"max":2,"avg":1.25}},
      "nodecart":{"inside":{"min":1,"max":2,"avg":1.5},"outside":{"min":1,"max":2,"avg":1.25}}}],
    "new_rank":[0,1,2,null]})");
}

Json map_document() {
  return Json::parse(R"({"schema":"strata.map/1","algorithm":"treematch","new_rank":[0,2,1],
    "cost":{"identity":{"hop_bytes":100},"mapped":{"hop_bytes":50}},"seconds":0.25})");
}

Json check_document() {
  return Json::parse(R"({"schema":"strata.check/1","verdict":"violated",
    "areas":[{"name":"hsplit","verdict":"holds","bounds":{"ranks":3},"cases":100,"distinct":50,"random_cases":0,"seed":1,
      "seconds":0.5,"properties":[{"name":"roots","statement":"s","source":"t","kind":"always","cases":100,
      "verdict":"holds","counter_example":null}]}],
    "programs":[{"name":"orders","ranks":3,"progress_threads":0,"arguments":["--size","8"],"buffering":"all",
      "verdict":"holds","states":12,"transitions":10,"executions":2,"seconds":0.5,"limit":null,"counter_example":null}],
    "scenarios":[{"scenario":"small","machine":"toy","verdict":"holds","checks":[
      {"kind":"model","name":"hockney","verdict":"holds","why":"w"},
      {"kind":"claim","name":"best","verdict":"violated","why":"w"}]}]})");
}

std::map<std::string, Json> documents() {
  return {{"exec", exec_document()},         {"replay", replay_document()}, {"hsplit", hsplit_document()},
          {"nodecart", nodecart_document()}, {"map", map_document()},       {"check", check_document()}};
}

ResultFile file_of(const Json& document, const std::string& name = "new.json") {
  const std::string schema = document.at("schema");
  return {name, schema.substr(7, schema.size() - 9), document};
}

Gate gate_of(const Json& base, const Json& now, const Rules& rules = {}, bool force = false) {
  return compare_results(file_of(base, "base.json"), file_of(now), rules, force);
}

Gate gate_of(const Results& base, const Results& now, const Rules& rules = {}, bool force = false) {
  return compare_results({base.folder, "results", base}, {now.folder, "results", now}, rules, force);
}

template <class T>
std::string error(const T& base, const T& now, const Rules& rules = {}, bool force = false) {
  try {
    gate_of(base, now, rules, force);
    return "";
  } catch (const InputError& e) {
    return e.what();
  }
}

// For example "worse time at elements = 1"; the worst first, without equal quantities.
std::string changes(const Gate& gate) {
  std::string text;
  for (const Difference& d : gate.differences) {
    if (d.change == Change::kEqual) continue;
    const Quantity& q = gate.quantity(d);
    text += (text.empty() ? "" : "; ") + std::string(d.judged ? "" : "(") + word_of(kChangeWords, d.change) + " " +
            q.metric + (q.at.empty() ? "" : " at " + q.at) + (d.judged ? "" : ")");
  }
  return text;
}

// --- every kind ---

TEST(Gate, AResultEqualsItself) {
  for (const auto& [kind, document] : documents()) {
    const Gate gate = gate_of(document, document);
    EXPECT_EQ(gate.kind, kind);
    EXPECT_EQ(gate.judgement, Judgement::kEqual) << kind;
    EXPECT_EQ(changes(gate), "") << kind;
    EXPECT_THAT(gate_text(gate, 20), Not(HasSubstr("note"))) << kind;
  }
  EXPECT_EQ(summary_text(gate_of(exec_document(), exec_document())), "passed: 9 equal (tolerance 0.1 %)");
}

TEST(Gate, ASlowdownOfTwoPerCentIsFoundAndNoneIsNot) {
  Json slow = exec_document();
  slow["simulated_time"]["value"] = 0.00204;
  const Gate gate = gate_of(exec_document(), slow);
  EXPECT_EQ(gate.judgement, Judgement::kFailed);
  EXPECT_EQ(changes(gate), "worse simulated_time");
  EXPECT_EQ(gate_of(exec_document(), slow, {.tolerance = 0.02}).judgement, Judgement::kPassed);
  EXPECT_EQ(gate_of(slow, exec_document()).judgement, Judgement::kPassed) << "better";
  EXPECT_EQ(gate_of(slow, exec_document(), {.both = true}).judgement, Judgement::kFailed);
}

TEST(Gate, Exec) {
  Json now = exec_document();
  now["messages"] = {{"count", 13}, {"bytes", 12240}};
  now["levels"][0] = {{"level", "System - Cluster"}, {"messages", 11}, {"bytes", 10240}};
  now["time"]["waiting"] = 0.008;
  now["calls"][0]["call"] = "MPI_Send";
  now["fullest_links"][0]["bytes"] = 1;
  const Gate gate = gate_of(exec_document(), now);
  EXPECT_EQ(changes(gate),
            "changed messages at System - Cluster; changed messages; worse bytes at System - Cluster; worse bytes; "
            "(better link.bytes at node_0 up); (new call.count at MPI_Send); (new call.seconds at MPI_Send); "
            "(new call.waiting at MPI_Send); (missing call.count at MPI_Sendrecv); (missing call.seconds at "
            "MPI_Sendrecv); (missing call.waiting at MPI_Sendrecv); (worse time at waiting)");
  Json longer = exec_document();
  longer["critical_path"]["by_kind"] = {{"latency", 0.0005}, {"transfer", 0.0018}, {"contention", 0.0001}};
  longer["phases"][1]["seconds"]["most"] = 0.0013;
  longer["simulated_time"]["value"] = 0.0024;
  EXPECT_EQ(changes(gate_of(exec_document(), longer)),
            "worse simulated_time; (new critical_path at contention); (worse phase at solve); (worse critical_path at "
            "transfer)");
  Json failed = exec_document();
  failed["exit_code"] = 3;
  failed["failure"] = "deadlock: rank 0 waits";
  EXPECT_EQ(changes(gate_of(exec_document(), failed)), "changed exit_code; changed failure");
}

TEST(Gate, MeasuredTimesAreTested) {
  const Json base = measured_document({1.00, 1.04, 1.01, 1.03, 1.02});
  const Json slow = measured_document({1.12, 1.10, 1.14, 1.13, 1.11});
  const Gate gate = gate_of(base, slow);
  EXPECT_EQ(gate.judgement, Judgement::kFailed);
  EXPECT_THAT(gate_text(gate, 20), HasSubstr("worse  simulated_time       1.0200 s  1.1200 s  +9.8 %"));
  EXPECT_THAT(gate_text(gate, 20), HasSubstr("simulated_time: medians of 5 and 5 measured values; Mann-Whitney U = 25, "
                                             "p = 0.00397, level 0.01"));
  EXPECT_THAT(gate_text(gate, 20), Not(HasSubstr("undecided"))) << "what is only shown has one value";
  EXPECT_EQ(gate_of(base, slow, {.tolerance = 0.2}).judgement, Judgement::kPassed);

  Json few = measured_document({1.1, 1.2});
  const Gate undecided = gate_of(base, few);
  EXPECT_EQ(undecided.judgement, Judgement::kUndecided);
  EXPECT_THAT(gate_text(undecided, 20),
              HasSubstr("measured, with 5 and 2 values: too few for a verdict at the level 0.01; give each 5"));
  EXPECT_THAT(summary_text(undecided), StartsWith("UNDECIDED: 1 undecided, "));
  few.erase("repeats");  // a single run
  EXPECT_EQ(gate_of(base, few).judgement, Judgement::kUndecided);
  few["repeats"] = {{"runs", 9}, {"least", 1}, {"most", 2}, {"unit", "s"}};  // from an earlier version
  EXPECT_EQ(gate_of(base, few).judgement, Judgement::kUndecided);
  EXPECT_EQ(error(exec_document(), few),
            "new.json: is not comparable with base.json: compute is measured, but was none; "
            "compare results of one program on one machine, or add --force");
}

TEST(Gate, PredictedTimesMayNotBeDistinguishable) {
  const auto difference = [](const Gate& gate) {
    for (const Difference& d : gate.differences) {
      if (gate.quantity(d).metric == "simulated_time") return d;
    }
    throw std::logic_error("no time");
  };
  // Another mapping on this machine: the latency is off by the same, although the bars overlap.
  Json now = replay_document();
  now["simulated_time"]["value"] = 1.1e-4;
  now["error_bar"]["figures"][0]["larger"] = 1.1e-5;
  now["error_bar"]["figures"][0]["smaller"] = -1.1e-5;
  const Gate mapping = gate_of(replay_document(), now);
  ASSERT_TRUE(difference(mapping).bar);
  EXPECT_NEAR(difference(mapping).bar->low, 9e-6, 1e-15);
  EXPECT_NEAR(difference(mapping).bar->high, 1.1e-5, 1e-15);
  EXPECT_TRUE(difference(mapping).bar->is_distinguishable());
  EXPECT_EQ(change_text(mapping, difference(mapping)), "+10 %");
  EXPECT_THAT(gate_text(mapping, 20), HasSubstr("simulated_time: the difference is 9.0 to 11.0 us in 95 % of "
                                                "cases, by the intervals of the machines' figures\n"));
  // Another machine, whose latency was measured on its own.
  now["machine"] = "other";
  now["error_bar"]["figures"][0]["value"] = 2.2;
  const Gate machines = gate_of(replay_document(), now, {}, true);
  EXPECT_NEAR(difference(machines).bar->low, 1e-5 - std::hypot(1e-5, 1.1e-5), 1e-15);
  EXPECT_NEAR(difference(machines).bar->high, 1e-5 + std::hypot(1e-5, 1.1e-5), 1e-15);
  EXPECT_EQ(change_text(machines, difference(machines)), "+10 %, not distinguishable");
  EXPECT_EQ(machines.judgement, Judgement::kFailed) << "the verdict is about what the simulator computes";
  for (const std::string& text : {gate_text(machines, 20), gate_markdown(machines, 20), gate_junit(machines)})
    EXPECT_THAT(text, HasSubstr("not distinguishable"));
  const Json written = gate_json(machines)["differences"][0];
  EXPECT_EQ(written["metric"], "simulated_time");
  EXPECT_EQ(written["error_bar"]["distinguishable"], false);
  EXPECT_FALSE(gate_json(machines)["differences"][1].contains("error_bar"));
  // Without a bar on one side, or without a difference, there is nothing to say.
  EXPECT_FALSE(difference(gate_of(now, now)).bar);
  for (const bool none : {false, true}) {
    Json without = replay_document();
    without["simulated_time"]["value"] = 1.1e-4;
    if (none) {
      without.erase("error_bar");
    } else {
      without["error_bar"] = {{"low", nullptr}, {"high", nullptr}, {"figures", Json::array()}, {"without_interval", 4}};
    }
    EXPECT_FALSE(difference(gate_of(replay_document(), without)).bar);
    EXPECT_EQ(gate_of(replay_document(), without).judgement, Judgement::kFailed);
  }
}

TEST(Gate, Hsplit) {
  Json now = hsplit_document();
  now["ranks"][0]["levels"][0]["members"] = {0, 1, 5};
  now["ranks"][1]["cpuset"] = "4-6";
  now["ranks"][1]["levels"] = Json::array();
  const Gate gate = gate_of(hsplit_document(), now);
  EXPECT_EQ(changes(gate),
            "changed communicator at rank 0, level 0; changed place at rank 1; "
            "missing communicator at rank 1, level 0");
  EXPECT_THAT(gate_text(gate, 20), HasSubstr("Package 0/2: ranks 0-1, roots 0,2"));
  EXPECT_THAT(gate_text(gate, 20), HasSubstr("Package 0/2: ranks 0-1,5, roots 0,2"));
}

TEST(Gate, Nodecart) {
  Json now = nodecart_document();
  now["nodecart"]["off_node"]["avg"] = 1.1;
  now["nodecart"]["on_node"]["avg"] = 1.4;
  now["cart"]["on_node"]["avg"] = 1.6;
  now["intradims"] = {2, 1};
  now["new_rank"] = {1, 0, 2, nullptr};
  EXPECT_EQ(
      changes(gate_of(nodecart_document(), now)),
      "changed intradims; changed new_rank at process 0; changed new_rank at process 1; worse partners.off_node at "
      "nodecart, avg; worse partners.on_node at nodecart, avg; better partners.on_node at cart, avg");
  Json other = nodecart_document();
  other["auto"] = other["nodecart"];
  other.erase("nodecart");
  other["levels"][0]["auto"] = other["levels"][0]["cart"];
  other["dims"] = {4, 1};
  EXPECT_EQ(
      error(nodecart_document(), other),
      "new.json: is not comparable with base.json: dims is [4,1], but was [2,2]; method is auto, but was nodecart; "
      "compare results of one program on one machine, or add --force");
}

TEST(Gate, Map) {
  Json now = map_document();
  now["cost"]["mapped"]["hop_bytes"] = 51;
  now["seconds"] = 99;
  EXPECT_EQ(changes(gate_of(map_document(), now)), "worse hop_bytes at mapped; (undecided seconds)")
      << "wall time is shown only";
  EXPECT_EQ(gate_of(map_document(), now, {.metrics = {{"seconds", {.tolerance = 0.1}}}}).judgement, Judgement::kFailed);
  now["cost"]["mapped"]["hop_bytes"] = 49;
  EXPECT_EQ(gate_of(map_document(), now).judgement, Judgement::kPassed);
  now["new_rank"] = {0, 1, 2};
  EXPECT_EQ(gate_of(map_document(), now).judgement, Judgement::kFailed);
  EXPECT_EQ(gate_of(map_document(), now).counts()[Change::kEqual], 2u) << "process 0 and the cost of the identity";
}

TEST(Gate, Check) {
  Json now = check_document();
  now["areas"][0]["properties"][0]["cases"] = 90;
  now["areas"][0]["cases"] = 120;
  now["areas"][0]["seconds"] = 99;
  now["programs"][0]["states"] = 13;
  now["scenarios"][0]["checks"][1]["verdict"] = "holds";
  now["scenarios"][0]["checks"].erase(0);
  EXPECT_EQ(
      changes(gate_of(check_document(), now)),
      "missing model at small: hockney; changed claim at small: best; worse cases at hsplit/roots; better cases at "
      "hsplit; (changed states at orders --size 8, 3 ranks, buffering all)");
  EXPECT_EQ(gate_of(check_document(), now, {.allow_missing = true}).counts()[Change::kMissing], 1u);
  now["scenarios"][0]["machine"] = "other";
  EXPECT_THAT(error(check_document(), now), HasSubstr("machine of small is other, but was toy"));
}

// --- results folders ---

Results times(double factor) {
  Results r = small_results();
  r.folder = "new";
  for (Record& record : r.records) record.value *= factor;
  return r;
}

TEST(Gate, ResultsFolders) {
  EXPECT_EQ(gate_of(small_results(), times(1)).judgement, Judgement::kEqual);
  EXPECT_EQ(summary_text(gate_of(small_results(), times(1))), "passed: 8 equal (tolerance 0.1 %)");
  EXPECT_EQ(summary_text(gate_of(small_results(), times(1.0009))), "passed: 8 within (tolerance 0.1 %)");
  Results now = times(1);
  now.records[3].value *= 1.02;
  now.records[5].value *= 1.5;
  now.records[6].value *= 0.5;
  const Gate gate = gate_of(small_results(), now);
  EXPECT_EQ(gate.judgement, Judgement::kFailed);
  EXPECT_EQ(
      changes(gate),
      "worse time at algorithm = binomial, elements = 1, variant = hierarchical; worse time at algorithm = linear, "
      "elements = 1000, variant = hierarchical; better time at algorithm = binomial, elements = 1000, variant = "
      "native; (worse enhancement at algorithm = binomial, elements = 1000); (worse enhancement at algorithm = "
      "binomial, elements = 1); (worse enhancement at algorithm = linear, elements = 1000)");
  EXPECT_EQ(gate_of(small_results(), now, {.metrics = {{"enhancement", {.tolerance = 0.6}}}}).counts()[Change::kWithin],
            3u);
}

TEST(Gate, PointsAreFoundByTheirParameters) {
  Results now = times(1);
  std::swap(now.manifest.study.sweep[0], now.manifest.study.sweep[1]);
  now.manifest.study.sweep[0].values = {1000.0, 1.0};  // as a program may print them
  for (Record& r : now.records) {
    Json swapped = {{"variant", r.parameters["variant"]}, {"elements", r.parameters["elements"].get<double>()}};
    swapped["algorithm"] = r.parameters["algorithm"];
    r.parameters = swapped;
  }
  EXPECT_EQ(summary_text(gate_of(small_results(), now)), "passed: 8 equal (tolerance 0.1 %)");
}

TEST(Gate, MissingAndNewPoints) {
  Results now = times(1);
  now.records.pop_back();
  now.manifest.end.clear();
  const Gate gate = gate_of(small_results(), now);
  EXPECT_EQ(gate.judgement, Judgement::kFailed);
  EXPECT_EQ(changes(gate),
            "missing time at algorithm = binomial, elements = 1000, variant = hierarchical; (missing "
            "enhancement at algorithm = binomial, elements = 1000)");
  EXPECT_THAT(gate_text(gate, 20), HasSubstr("note: the new result is a run that is not finished\n"));
  EXPECT_EQ(gate_of(small_results(), now, {.allow_missing = true}).judgement, Judgement::kPassed);
  EXPECT_EQ(gate_of(now, small_results()).judgement, Judgement::kPassed) << "new points";
}

TEST(Gate, DifferentRunsAreRefused) {
  Results now = times(1);
  now.manifest.machine = "other";
  now.manifest.study.program = "/home/user/reduce_bench";
  now.manifest.study.arguments = {"--root", "3 4"};
  EXPECT_EQ(
      error(small_results(), now),
      "new: is not comparable with small: program is reduce_bench, but was bcast_bench; arguments is --root '3 4', "
      "but was none; machine is other, but was toy_4x8; compare results of one program on one machine, or add "
      "--force");
  const Gate forced = gate_of(small_results(), now, {}, true);
  EXPECT_EQ(forced.judgement, Judgement::kEqual);
  EXPECT_THAT(gate_text(forced, 20),
              HasSubstr("note: machine differs: toy_4x8 in the base, other in the new result\n"));

  Results ms = times(1);
  ms.manifest.study.unit = "ms";
  for (Record& r : ms.records) r.unit = "ms";
  EXPECT_THAT(error(small_results(), ms), HasSubstr("unit of time is ms, but was s"));
  EXPECT_EQ(gate_of(small_results(), ms, {}, true).counts()[Change::kChanged], 8u);

  Results root = times(1);
  root.manifest.study.sweep.push_back({"root", {0}});
  for (Record& r : root.records) r.parameters["root"] = 0;
  EXPECT_THAT(error(small_results(), root, {}, true),
              HasSubstr("has the parameters algorithm, elements, variant, but new has"));

  Results far = times(1);
  far.manifest.study.sweep[1].values = {7, 8};
  for (Record& r : far.records) r.parameters["elements"] = r.parameters["elements"] == 1 ? 7 : 8;
  EXPECT_EQ(error(small_results(), far),
            "new: has no quantity in common with small; compare results of the same metrics "
            "at the same points");
}

TEST(Gate, ADescriptionOfTheMachineThatChangedIsANote) {
  Results now = times(1.05);
  now.manifest.machine_hash = "ffeeddccbbaa99887766554433221100";
  now.manifest.versions["simgrid"] = "4.0";
  const std::string text = gate_text(gate_of(small_results(), now), 1);
  EXPECT_THAT(
      text, HasSubstr("note: the description of toy_4x8 differs: 00112233 in the base, ffeeddcc in the new result\n"));
  EXPECT_THAT(text, HasSubstr("note: version of simgrid: 3.32 in the base, 4.0 in the new result\n"));
  EXPECT_THAT(text, HasSubstr("\n... and 7 more; --json has all\n"));
}

TEST(Gate, AMetricThatIsNotThere) {
  EXPECT_EQ(error(small_results(), times(1), {.metrics = {{"speed", {}}}}),
            "--metric: neither result has a metric 'speed'; give one of enhancement, time");
}

TEST(Gate, NothingToCompareIsNoSuccess) {
  Json empty = check_document();
  for (const char* list : {"areas", "programs", "scenarios"}) empty[list] = Json::array();
  EXPECT_EQ(error(empty, empty),
            "new.json: has no quantity in common with base.json; compare results of the same metrics "
            "at the same points");
}

TEST(Gate, KindsAreNotMixed) {
  EXPECT_THROW(compare_results(file_of(map_document()), file_of(exec_document()), {}, true), InputError);
}

// --- matrices ---

ResultFile matrix(const std::vector<Flow>& flows, int order = 4, std::optional<std::vector<Flow>> messages = {}) {
  MatrixFile m{MatrixFormat::kMatrixMarket, Pattern(order, flows), {}};
  if (messages) m.messages = Pattern(order, *messages);
  return {"m.mtx", "matrix", m};
}

TEST(Gate, Matrices) {
  const ResultFile base = matrix({{0, 1, 100}, {1, 2, 200}, {2, 3, 300}, {3, 3, 5}});
  const Gate same = compare_results(base, base, {}, false);
  EXPECT_EQ(same.judgement, Judgement::kEqual);
  EXPECT_EQ(summary_text(same), "passed: 5 equal (tolerance 0.1 %)") << "four pairs and the sum";
  const Gate gate = compare_results(base, matrix({{0, 1, 102}, {1, 2, 190}, {2, 0, 7}, {3, 3, 5}}), {}, false);
  EXPECT_EQ(changes(gate),
            "worse bytes at 2 -> 0; worse bytes at 0 -> 1; better bytes at 2 -> 3; better bytes; better "
            "bytes at 1 -> 2");
  EXPECT_EQ(gate.sides.equal, 1u);
  EXPECT_THAT(gate_text(gate, 20), HasSubstr("+7.00 B")) << "from 0";
  EXPECT_THROW(compare_results(base, matrix({{0, 1, 100}}, 5), {}, false), InputError);
  EXPECT_EQ(compare_results(base, matrix({{0, 1, 100}}, 5), {}, true).judgement, Judgement::kPassed);
}

TEST(Gate, MessagesOfMatrices) {
  const std::vector<Flow> bytes = {{0, 1, 100}};
  const Gate more = compare_results(matrix(bytes, 2, {{{0, 1, 10}}}), matrix(bytes, 2, {{{0, 1, 11}}}), {}, false);
  EXPECT_EQ(changes(more), "changed messages; changed messages at 0 -> 1");
  const Gate fewer = compare_results(matrix(bytes, 2, {{{0, 1, 10}}}), matrix(bytes, 2), {}, false);
  EXPECT_EQ(fewer.judgement, Judgement::kEqual);
  EXPECT_THAT(gate_text(fewer, 1), HasSubstr("only one of the two has numbers of messages"));
}

TEST(Gate, RandomMatricesAgainstDenseOnes) {
  unsigned state = 12345;
  const auto random = [&](unsigned below) { return (state = state * 1664525u + 1013904223u) / 65536u % below; };
  for (int round = 0; round < 100; ++round) {
    const int order = 1 + static_cast<int>(random(6));
    const auto dense = [&] {
      std::vector<std::vector<double>> m(order, std::vector<double>(order));
      for (auto& row : m) {
        for (double& v : row) v = random(2) == 0 ? 0 : random(3) * 10;
      }
      return m;
    };
    const auto sparse = [&](const std::vector<std::vector<double>>& m) {
      std::vector<Flow> flows;
      for (int r = 0; r < order; ++r) {
        for (int c = 0; c < order; ++c) flows.push_back({r, c, m[r][c]});
      }
      return matrix(flows, order);
    };
    const auto a = dense(), b = dense();
    size_t equal = 0, worse = 0, better = 0;
    for (int r = 0; r < order; ++r) {
      for (int c = 0; c < order; ++c) {
        equal += a[r][c] == b[r][c] && a[r][c] != 0 ? 1 : 0;
        worse += b[r][c] > a[r][c] ? 1 : 0;
        better += b[r][c] < a[r][c] ? 1 : 0;
      }
    }
    const Gate gate = compare_results(sparse(a), sparse(b), {}, false);
    ASSERT_EQ(gate.sides.equal, equal) << "round " << round;
    size_t pairs[2] = {0, 0};
    for (const Difference& d : gate.differences) {
      if (!gate.quantity(d).at.empty()) ++pairs[d.change == Change::kWorse ? 0 : 1];
    }
    ASSERT_EQ(pairs[0], worse) << "round " << round;
    ASSERT_EQ(pairs[1], better) << "round " << round;
  }
}

// --- texts ---

TEST(Gate, Text) {
  Results now = times(1);
  now.records[3].value *= 1.02;
  EXPECT_EQ(
      gate_text(gate_of(small_results(), now), 20),
      "base: small\nnew:  new\n\n"
      "         metric  at                                                                 base        new  change\n"
      "  worse  time    algorithm = linear, elements = 1000, variant = hierarchical   20.000 us  20.400 us    +2 %\n\n"
      "Not judged:\n"
      "         metric       at                                    base      new   change\n"
      "  worse  enhancement  algorithm = linear, elements = 1000     15  14.7059  -1.96 %\n\n"
      "FAILED: 1 worse, 7 equal (tolerance 0.1 %)\n");
}

TEST(Gate, MarkdownEscapesWhatItIsGiven) {
  Results now = times(1);
  now.folder = "a|b_c";
  now.records[3].value *= 1.02;
  const std::string text = gate_markdown(gate_of(small_results(), now), 20);
  EXPECT_THAT(text, StartsWith("### strata compare: FAILED: 1 worse, 7 equal (tolerance 0.1 %)\n"));
  EXPECT_THAT(text, HasSubstr("new: a\\|b\\_c"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "| **worse** | time | algorithm = linear, elements = 1000, variant = hierarchical | 20.000 us | 20.400 us "
          "| +2 % |\n"));
}

TEST(Gate, Junit) {
  Json now = exec_document();
  now["simulated_time"]["value"] = 0.00204;
  now["failure"] = "a <b> & \"c\"\x01 \xff \n end";
  const std::string text = gate_junit(gate_of(exec_document(), now));
  EXPECT_THAT(
      text,
      StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"strata compare exec\" tests=\"9\" "
                 "failures=\"2\" errors=\"0\" time=\"0\">\n"));
  EXPECT_THAT(
      text,
      HasSubstr("    <testcase classname=\"strata.exec.simulated_time\" name=\"simulated_time\" time=\"0\">\n"
                "      <failure type=\"worse\" message=\"simulated_time worse: 2.0000 ms -&gt; 2.0400 ms (+2 %)\">"
                "base: base.json: 2.0000 ms\nnew: new.json: 2.0400 ms\nchange: +2 %\ntolerance: 0.1 %\n"
                "</failure>\n    </testcase>\n"));
  EXPECT_THAT(text, HasSubstr("a &lt;b&gt; &amp; &quot;c&quot;  ?   end"));
  EXPECT_THAT(text, HasSubstr("<testcase classname=\"strata.exec.bytes\" name=\"bytes at Machine\" time=\"0\"/>\n"));
  const std::string undecided = gate_junit(gate_of(measured_document({1, 2}), measured_document({1, 3})));
  EXPECT_THAT(undecided, HasSubstr("<error type=\"undecided\""));
  EXPECT_THAT(undecided, HasSubstr("errors=\"1\""));
}

// --- damage ---

// All places of a document, as JSON pointers.
void add_places(const Json& json, const Json::json_pointer& at, std::vector<Json::json_pointer>& all) {
  all.push_back(at);
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) add_places(value, at / key, all);
  } else if (json.is_array()) {
    for (size_t i = 0; i < json.size(); ++i) add_places(json[i], at / i, all);
  }
}

TEST(Gate, DamageIsRefusedOrCompared) {
  int refused = 0, compared = 0;
  for (const auto& [kind, document] : documents()) {
    std::vector<Json::json_pointer> places;
    add_places(document, Json::json_pointer(), places);
    for (const Json::json_pointer& place : places) {
      if (place.empty() || place.back() == "schema") continue;
      for (const Json& damage :
           std::vector<Json>{nullptr, -1, 1e300, "x", Json::array(), Json::object(), true, Json::array({-1, "x"})}) {
        Json damaged = document;
        damaged[place] = damage;
        for (const bool as_base : {true, false}) {
          try {
            const Gate gate = as_base ? gate_of(damaged, document, {}, true) : gate_of(document, damaged, {}, true);
            gate_text(gate, 100);
            gate_markdown(gate, 100);
            gate_junit(gate);
            gate_json(gate).dump();
            ++compared;
          } catch (const InputError& e) {
            const bool common = std::string(e.what()).find("in common") != std::string::npos;
            EXPECT_THAT(e.what(), StartsWith(as_base && !common ? "base.json: " : "new.json: ")) << place.to_string();
            ++refused;
          }
        }
      }
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(compared, 500);
}

TEST(Gate, DamageIsNamed) {
  Json now = exec_document();
  now["simulated_time"].erase("value");
  EXPECT_EQ(error(exec_document(), now),
            "new.json: /simulated_time/value is missing; is it a document of schema strata.exec/1?");
  now["simulated_time"]["value"] = -1;
  EXPECT_EQ(error(exec_document(), now),
            "new.json: /simulated_time/value is not a number of at least 0; is it a document of schema strata.exec/1?");
  now = exec_document();
  now["levels"][1]["bytes"] = "many";
  EXPECT_THAT(error(exec_document(), now), HasSubstr("/levels/1/bytes is not a number"));
  EXPECT_THAT(error(check_document(), Json::parse(R"({"schema":"strata.check/1","verdict":"holds","key":"k"})")),
              HasSubstr("new.json: is a replay of one counter-example"));
}

}  // namespace
}  // namespace strata::analysis
