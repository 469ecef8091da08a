// SPDX-License-Identifier: LGPL-2.1-only
#include "check/protocols/catalog.h"

#include <sstream>
#include <utility>

namespace strata::check {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// Two nodes of two packages of two cores: three levels of the hierarchy.
const std::string kMachine = "node:2 pack:2 core:2";

class Table {
 public:
  explicit Table(std::string program) : program_(std::move(program)) {}

  // Adds a protocol with small messages and one in which sends wait for their receives. With `quick`, only the first is
  // in --quick.
  void add(const std::string& name, const std::string& arguments, int ranks, const std::string& shows,
           bool quick = false, const std::string& machine = kMachine) {
    for (const bool rendezvous : {false, true}) add_one(name, arguments, ranks, shows, rendezvous, quick, machine);
  }
  Protocol& add_one(const std::string& name, const std::string& arguments, int ranks, const std::string& shows,
                    bool rendezvous, bool quick, const std::string& machine = kMachine) {
    rows_.push_back({.name = program_ + "/" + name + (rendezvous ? ", rendezvous" : ""),
                     .program = program_ + "_protocol",
                     .arguments = words_of(arguments),
                     .ranks = ranks,
                     .machine = machine,
                     .rendezvous = rendezvous,
                     .quick = quick && !rendezvous,
                     .shows = shows});
    return rows_.back();
  }
  // Sets the placement of the two protocols of the latest add().
  void placed(const std::string& map_by, const std::string& bind_to) {
    for (size_t i = rows_.size() - 2; i < rows_.size(); ++i) {
      rows_[i].map_by = map_by;
      rows_[i].bind_to = bind_to;
    }
  }
  void append_to(std::vector<Protocol>& all) const { all.insert(all.end(), rows_.begin(), rows_.end()); }

 private:
  std::string program_;
  std::vector<Protocol> rows_;
};

Table hierarchy() {
  const std::string members = "members, order, names; a ring on each communicator at once";
  Table t("hierarchy");
  t.add("split", "--method split --bytes 8", 5, members, true);
  t.add("roots", "--method roots --bytes 8", 5, members + ", roots'", true);
  t.add("all", "--method all --bytes 8", 5, members + ", roots'");
  t.add("kept", "--method kept --bytes 8", 5, members + ", roots'");
  t.add("wishes", "--method wishes --bytes 8", 5, members + "; keys, and a rank that takes no part", true);
  t.add("roots under switches", "--method roots --bytes 8", 5, members + ", roots'", false, "switch:2 node:2 core:2");
  t.placed("node", "core");
  t.add("roots, bound to packages", "--method roots --bytes 8", 5, "two ranks with one binding are split no further");
  t.placed("core", "package");
  t.add("all, not bound", "--method all --bytes 8", 5, "nodes alone");
  t.placed("core", "none");
  return t;
}

// All algorithms of each collective: flat, with two calls in a row, and over both kinds of hierarchy.
Table collectives() {
  struct Algorithms {
    std::string collective, flat, over;  // `over`: algorithms that a hierarchy may use
  };
  const std::vector<Algorithms> all = {
      {"bcast", "linear chain pipeline split-binary binary binomial", "linear split-binary binomial"},
      {"reduce", "linear chain pipeline binary binomial in-order", "linear binomial"},
      {"allreduce", "linear binomial doubling", "linear binomial"},
      {"gather", "linear binomial", "linear binomial"},
      {"scatter", "linear binomial", "linear binomial"},
      {"allgather", "linear binomial ring", "linear binomial"},
      {"barrier", "linear binomial doubling", "linear binomial"},
  };
  Table t("hierarchical_collectives");
  for (const Algorithms& a : all) {
    // Elements of 8 bytes. Messages of bcast, reduce and allreduce have two segments.
    const bool segments = a.collective == "bcast" || a.collective == "reduce" || a.collective == "allreduce";
    const bool rooted = a.collective != "allreduce" && a.collective != "allgather";
    const std::string common = std::string(rooted ? "--root 1 " : "") + (segments ? "--count 4 --segment 16 " : "") +
                               "--calls 2 --collective " + a.collective + " --algorithm ";
    const std::string shows = a.collective == "barrier" ? "nobody is through before all have come" : "every element";
    for (const std::string& algorithm : words_of(a.flat)) {
      t.add(a.collective + ", " + algorithm, common + algorithm, 5, shows, algorithm == "binomial");
    }
    for (const std::string& algorithm : words_of(a.over)) {
      t.add(a.collective + ", " + algorithm + " over the topology", common + algorithm + " --over topology", 5, shows);
      t.add(a.collective + ", " + algorithm + " over 2x2", common + algorithm + " --over 2x2", 4, shows);
    }
  }
  for (const std::string over : {"flat", "topology", "2x2"}) {
    const int ranks = over == "2x2" ? 4 : 5;
    const std::string common = "--algorithm binomial --over " + over + " --collective ";
    t.add("reduce, composition, " + over, common + "reduce --op compose --root 2", ranks,
          "an operation that does not commute, in the order of the ranks", over == "topology");
    t.add("allreduce, floating-point, " + over, common + "allreduce --op float", ranks,
          "a sum that depends on who is added first has the same bits in every order");
  }
  t.add("allreduce, doubling, composition", "--collective allreduce --algorithm doubling --op compose", 5,
        "an operation that does not commute, in the order of the ranks");
  return t;
}

Table nodecart() {
  const std::string blocks = "places, counts of partners, every neighbour's block";
  Table t("nodecart");
  t.add("2x2", "--dims 2x2 --periods 1x0 --sub 0x1 --calls 2", 4, blocks + "; rows", true);
  t.placed("node", "core");
  t.add("2x2, one process beyond", "--dims 2x2 --periods 1x1 --calls 2", 5,
        blocks + "; two at once from one neighbour");
  t.add("a ring", "--dims 5 --periods 1 --calls 2", 5, blocks);
  t.add("1x5", "--dims 1x5 --periods 1x0", 5, blocks + "; a process is its own neighbour");
  for (const std::string method : {"nodecart", "blocks", "kdtree", "cart"})
    t.add("2x2, " + method, "--dims 2x2 --periods 0x1 --method " + method, 4, blocks);
  return t;
}

// Programs that wait for any of several messages have many orders, so these use few ranks and few collectives.
Table nonblocking() {
  const std::string two = "node:2 core:2";
  const std::string results = "every result, waited for in another order than started";
  Table t("nonblocking");
  t.add("broadcast, compared first", "--start bcast", 2, "what processes have started is compared; the result", true,
        two);
  t.placed("node", "core");
  t.add("broadcast", "--start bcast --unchecked --root 1", 3, "the result, of long messages within a node too", false,
        two);
  t.add("scatter, gather, scan", "--start scatter,gather,scan --wait backward --unchecked", 2, results, false, two);
  t.placed("node", "core");
  t.add_one("allreduce, barrier", "--start allreduce,barrier --wait all --unchecked", 2, results, false, false, two);
  t.add_one("reduce, broadcast", "--start reduce,bcast --wait backward --unchecked", 3, results, false, false, two);
  t.add("broadcast, tested", "--start bcast --tests 1 --unchecked", 2, "MPIX_Test, whatever it finds", false, two);
  const auto threaded = [&](const std::string& name, const std::string& arguments, bool rendezvous, bool quick) {
    t.add_one(name, "--threads --unchecked " + arguments, 2, "progress threads do it, and end", rendezvous, quick,
              "node:2 core:2")
        .threads = true;
  };
  threaded("broadcast, threads", "--start bcast", false, true);
  threaded("reduce, broadcast, threads", "--start reduce,bcast --wait backward", false, false);
  threaded("reduce, split between threads", "--start reduce --steps all", false, false);
  threaded("reduce, split between threads", "--start reduce --steps all", true, false);
  return t;
}

Table reordering() {
  const std::string all = "one permutation, no dearer than before; data is where its rank is";
  Table t("reordering");
  t.add("matrix", "--from matrix --count 4 --use", 4, all, true);
  t.add("matrix, uneven", "--from matrix --count 4 --use", 5, all);
  for (const std::string algorithm : {"treematch", "scotch", "roundrobin", "random", "identity"}) {
    t.add("rows, " + algorithm, "--from rows --count 4 --algorithm " + algorithm, algorithm == "treematch" ? 5 : 4,
          algorithm == "treematch" || algorithm == "scotch" || algorithm == "identity" ? all : "one permutation; data");
  }
  return t;
}

Table sessions() {
  const std::string meanwhile = "counts and bytes, with the program's messages under way";
  Table t("sessions");
  for (const std::string get : {"data", "all", "root", "flush", "rootflush"}) {
    t.add(get, "--root 1 --get " + get, 4, meanwhile, get == "root");
  }
  t.add("two at once", "--get all --two", 5, meanwhile + "; a second session over some ranks");
  t.add("received from anywhere", "--get root --root 1 --wildcard", 3,
        meanwhile + ", whose receives take any message: none of the session's");
  return t;
}

}  // namespace

std::vector<Protocol> all_protocols() {
  std::vector<Protocol> all;
  for (const Table& table : {collectives(), hierarchy(), nodecart(), nonblocking(), reordering(), sessions()})
    table.append_to(all);
  return all;
}

}  // namespace strata::check
