// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/csel_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "base/line_text.h"
#include "collectives/rules/lined_json.h"

namespace strata::collectives {
namespace {

using Kind = LinedJson::Kind;

constexpr const char* kEnds = "MPICH ends the program in MPI_Init";

// A key is one of these words, or begins with it if a number or a name follows.
struct Word3 {
  std::string_view text;
  CselTest test;
  std::int64_t value;
};

constexpr Word3 kWhole[] = {{"comm_type=intra", CselTest::kIntra, 1},
                            {"comm_type=inter", CselTest::kInter, 1},
                            {"is_multi_threaded=yes", CselTest::kThreaded, 1},
                            {"is_multi_threaded=no", CselTest::kThreaded, 0},
                            {"comm_size=pow2", CselTest::kRanksPowerOfTwo, 1},
                            {"comm_size=node_comm_size", CselTest::kRanksOfOneNode, 1},
                            {"count<pow2", CselTest::kCountBelowPowerOfTwo, 1},
                            {"is_commutative=yes", CselTest::kCommutative, 1},
                            {"is_commutative=no", CselTest::kCommutative, 0},
                            {"is_sendbuf_inplace=yes", CselTest::kInPlace, 1},
                            {"is_sendbuf_inplace=no", CselTest::kInPlace, 0},
                            {"is_op_built_in=yes", CselTest::kBuiltIn, 1},
                            {"is_op_built_in=no", CselTest::kBuiltIn, 0},
                            {"is_block_regular=yes", CselTest::kRegular, 1},
                            {"is_block_regular=no", CselTest::kRegular, 0},
                            {"is_node_consecutive=yes", CselTest::kConsecutive, 1},
                            {"is_node_consecutive=no", CselTest::kConsecutive, 0}};

// The longer of two that begin alike comes first.
constexpr Word3 kWithNumber[] = {{"comm_size<=", CselTest::kRanksAtMost, 0},
                                 {"comm_size<", CselTest::kRanksBelow, 0},
                                 {"count<=", CselTest::kCountAtMost, 0},
                                 {"avg_msg_size<=", CselTest::kMeanBytesAtMost, 0},
                                 {"avg_msg_size<", CselTest::kMeanBytesBelow, 0},
                                 {"total_msg_size<=", CselTest::kTotalBytesAtMost, 0},
                                 {"total_msg_size<", CselTest::kTotalBytesBelow, 0},
                                 {"comm_avg_ppn<=", CselTest::kRanksPerNodeAtMost, 0},
                                 {"comm_avg_ppn<", CselTest::kRanksPerNodeBelow, 0}};

constexpr Word3 kWithName[] = {{"collective=", CselTest::kCollective, 0},
                               {"algorithm=", CselTest::kLeaf, 0},
                               {"composition=", CselTest::kLeaf, 0},
                               {"comm_hierarchy=", CselTest::kHierarchy, 0}};

constexpr std::string_view kHierarchies[] = {"parent", "node_roots", "node", "flat"};

// The keys with which MPICH before 4.2 can end in "=any".
constexpr std::string_view kAnyOf40[] = {"comm_size", "count", "avg_msg_size", "total_msg_size", "comm_hierarchy"};

struct Algorithms {
  std::string_view collective;
  std::vector<std::string_view> names;  // without MPIR_Bcast_
};

// Source: MPII_CSEL_CONTAINER_TYPE__ALGORITHM__* in src/mpi/coll/include/csel_container.h of MPICH 4.0.2, without those
// of nonblocking and neighbourhood collectives.
const std::vector<Algorithms>& algorithms_of_40() {
  static const std::vector<Algorithms> table = {
      {"allgather",
       {"allcomm_nb", "inter_local_gather_remote_bcast", "intra_brucks", "intra_recursive_doubling", "intra_ring"}},
      {"allgatherv",
       {"allcomm_nb", "inter_remote_gather_local_bcast", "intra_brucks", "intra_recursive_doubling", "intra_ring"}},
      {"allreduce",
       {"allcomm_nb", "inter_reduce_exchange_bcast", "intra_recursive_doubling", "intra_reduce_scatter_allgather",
        "intra_smp"}},
      {"alltoall",
       {"allcomm_nb", "inter_pairwise_exchange", "intra_brucks", "intra_pairwise", "intra_pairwise_sendrecv_replace",
        "intra_scattered"}},
      {"alltoallv", {"allcomm_nb", "inter_pairwise_exchange", "intra_pairwise_sendrecv_replace", "intra_scattered"}},
      {"alltoallw", {"allcomm_nb", "inter_pairwise_exchange", "intra_pairwise_sendrecv_replace", "intra_scattered"}},
      {"barrier", {"allcomm_nb", "inter_bcast", "intra_dissemination", "intra_smp"}},
      {"bcast",
       {"allcomm_nb", "inter_remote_send_local_bcast", "intra_binomial", "intra_scatter_recursive_doubling_allgather",
        "intra_scatter_ring_allgather", "intra_smp"}},
      {"exscan", {"allcomm_nb", "intra_recursive_doubling"}},
      {"gather", {"allcomm_nb", "inter_linear", "inter_local_gather_remote_send", "intra_binomial"}},
      {"gatherv", {"allcomm_linear", "allcomm_nb"}},
      {"reduce",
       {"allcomm_nb", "inter_local_reduce_remote_send", "intra_binomial", "intra_reduce_scatter_gather", "intra_smp"}},
      {"reduce_scatter",
       {"allcomm_nb", "inter_remote_reduce_local_scatter", "intra_noncommutative", "intra_pairwise",
        "intra_recursive_doubling", "intra_recursive_halving"}},
      {"reduce_scatter_block",
       {"allcomm_nb", "inter_remote_reduce_local_scatter", "intra_noncommutative", "intra_pairwise",
        "intra_recursive_doubling", "intra_recursive_halving"}},
      {"scan", {"allcomm_nb", "intra_recursive_doubling", "intra_smp"}},
      {"scatter", {"allcomm_nb", "inter_linear", "inter_remote_send_local_scatter", "intra_binomial"}},
      {"scatterv", {"allcomm_linear", "allcomm_nb"}},
  };
  return table;
}

// Those that later versions add, from the same file of MPICH 4.1.3, 4.2.3, 4.3.2 and 5.0.1.
struct Added {
  std::string_view name;  // without MPIR_
  int major, minor;
};

constexpr Added kAdded[] = {{"Allgather_intra_k_brucks", 4, 1},
                            {"Allgather_intra_recexch_doubling", 4, 2},
                            {"Allgather_intra_recexch_halving", 4, 2},
                            {"Allreduce_intra_ccl", 5, 0},
                            {"Allreduce_intra_k_reduce_scatter_allgather", 4, 1},
                            {"Allreduce_intra_recexch", 4, 1},
                            {"Allreduce_intra_recursive_multiplying", 4, 3},
                            {"Allreduce_intra_ring", 4, 1},
                            {"Allreduce_intra_tree", 4, 1},
                            {"Alltoall_intra_k_brucks", 4, 1},
                            {"Barrier_intra_k_dissemination", 4, 1},
                            {"Barrier_intra_recexch", 4, 1},
                            {"Bcast_intra_pipelined_tree", 4, 1},
                            {"Bcast_intra_tree", 4, 1}};

// MPICH has it until 4.0.
constexpr std::string_view kRemovedIn41 = "Barrier_intra_dissemination";

// "bcast" of "MPIR_Bcast".
std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

std::string without_blanks(const std::string& text) {
  std::string key;
  std::copy_if(text.begin(), text.end(), std::back_inserter(key),
               [](char c) { return c != ' ' && (c < '\t' || c > '\r'); });
  return key;
}

std::vector<std::string> names_in(std::string_view collective, const Library& library) {
  std::vector<std::string> names;
  for (const Algorithms& a : algorithms_of_40()) {
    if (a.collective != collective) continue;
    std::string capital(a.collective);
    capital.front() = static_cast<char>(capital.front() - 'a' + 'A');
    for (const std::string_view name : a.names) {
      const std::string whole = fmt::format("{}_{}", capital, name);
      if (library.from(4, 1) && whole == kRemovedIn41) continue;
      names.push_back("MPIR_" + whole);
    }
    for (const Added& added : kAdded) {
      const bool is_of_it = added.name.starts_with(capital + "_intra_");
      if (is_of_it && library.from(added.major, added.minor)) names.push_back("MPIR_" + std::string(added.name));
    }
  }
  return names;
}

class CselReader {
 public:
  CselReader(const std::string& file, const Library& library, Reading reading) : library_(library), reading_(reading) {
    rules_.format = Format::kCsel;
    rules_.file = file;
  }

  RuleFile read(const LinedJson& root) {
    if (root.kind != Kind::kObject)
      fail(root.line, "the document is not an object", "write {\"collective=bcast\": {...}}");
    rules_.tree = read_nodes(root, "", true);
    return std::move(rules_);
  }

 private:
  [[noreturn]] void fail(int line, const std::string& what, const std::string& remedy) const {
    throw InputError(fmt::format("{}:{}", rules_.file, line), fmt::format("{}, so {}", what, kEnds), remedy);
  }
  void add(const Remark& what) { remark(rules_, reading_, what); }

  // The keys of an object. `is_before_messages`: only tests of the communicator are above it.
  std::vector<CselNode> read_nodes(const LinedJson& object, const std::string& collective, bool is_before_messages) {
    std::vector<CselNode> nodes;
    bool ends = false;
    for (const LinedJson& m : object.items) {
      const std::string key = without_blanks(m.key);
      if (m.kind != Kind::kObject) fail(m.key_line, shown(m.key) + " is not an object", "write {} after the key");
      const std::optional<CselKey> parsed = parse_csel_key(key, library_);
      if (!parsed) fail(m.key_line, shown(m.key) + " is unknown in " + title_of(library_), remedy_of(key));
      const auto same = std::find_if(nodes.begin(), nodes.end(), [&](const CselNode& n) { return n.key == key; });
      if (same != nodes.end()) {
        add({m.key_line, fmt::format("{} occurs twice", key), "MPICH reads the last one", "give it once"});
      }
      if (ends && same == nodes.end())
        fail(m.key_line, fmt::format("{} comes after a key that always holds", key), "make `any` the last key");
      CselNode node{.key = key, .children = {}, .line = m.key_line};
      if (parsed->test == CselTest::kLeaf) {
        if (object.items.size() > 1) {
          add({m.key_line, fmt::format("{} has other keys beside it", key),
               "MPICH does not read these, or ends the program", "give an algorithm alone"});
        }
        check_leaf(*parsed, key, collective, m.key_line);
        for (const LinedJson& p : m.items) {
          node.children.push_back({.key = without_blanks(p.key), .children = {}, .line = p.key_line});
        }
      } else {
        if (m.items.empty()) {
          fail(m.key_line, fmt::format("nothing is below {}", key), "give an algorithm or further tests");
        }
        check_place(*parsed, key, collective, is_before_messages, m.key_line);
        const bool is_collective = parsed->test == CselTest::kCollective;
        node.children = read_nodes(m, is_collective ? std::string(parsed->name) : collective,
                                   is_before_messages && may_be_above_messages(parsed->test));
      }
      ends = ends || parsed->test == CselTest::kAny;
      if (same == nodes.end()) {
        nodes.push_back(std::move(node));
      } else {
        *same = std::move(node);  // MPICH's parser keeps the place of the first one
      }
    }
    check_last(object, nodes);
    return nodes;
  }

  // Keys that ask for a size must not be the last ones.
  void check_last(const LinedJson& object, const std::vector<CselNode>& nodes) const {
    if (nodes.empty()) fail(object.line, "the document has no keys", "write {\"collective=bcast\": {...}}");
    const CselTest test = parse_csel_key(nodes.back().key, library_)->test;
    switch (test) {
      case CselTest::kRanksAtMost:
      case CselTest::kRanksBelow:
      case CselTest::kRanksPowerOfTwo:
      case CselTest::kRanksOfOneNode:
      case CselTest::kRanksPerNodeAtMost:
      case CselTest::kRanksPerNodeBelow:
      case CselTest::kMeanBytesAtMost:
      case CselTest::kMeanBytesBelow:
      case CselTest::kTotalBytesAtMost:
      case CselTest::kTotalBytesBelow:
      case CselTest::kCountAtMost:
      case CselTest::kCountBelowPowerOfTwo:
        fail(nodes.back().line, fmt::format("{} is the last of its keys", nodes.back().key),
             "add a key beside it that always holds, such as avg_msg_size=any");
      default:
        break;
    }
  }

  static bool may_be_above_messages(CselTest test) { return test == CselTest::kAny || tests_communicator(test); }

  void check_place(const CselKey& key, const std::string& text, const std::string& collective, bool is_before_messages,
                   int line) {
    if (key.test == CselTest::kCollective) {
      const std::string name = blocking(std::string(key.name));
      if (openmpi_id(name) < 0) {
        fail(line, fmt::format("{} is not a collective", shown(key.name)), "write for example collective=bcast");
      }
      if (!collective.empty()) {
        add({line, fmt::format("{} is below collective={}", text, collective), "MPICH never finds what is below it",
             "write it beside the other"});
      }
      if (!is_before_messages) {
        fail(line, fmt::format("{} is below a test of the message", text), "write collectives first");
      }
    } else if (collective.empty() && !may_be_above_messages(key.test)) {
      fail(line, fmt::format("{} is above the collectives", text), "write collectives first");
    } else if (!suits(key.test, blocking(collective))) {
      add({line, fmt::format("{} does not exist for {}", text, collective),
           fmt::format("MPICH ends the program in its {}", collective), "leave it out"});
    }
    if (key.value > std::numeric_limits<int>::max()) {
      add({line, fmt::format("{} is more than an int holds", key.value), "MPICH compares with another number",
           fmt::format("write at most {}", std::numeric_limits<int>::max())});
    }
  }

  // MPICH's nonblocking collectives have the tests of the blocking ones.
  static std::string blocking(const std::string& name) { return name.starts_with('i') ? name.substr(1) : name; }

  // Whether a test makes sense for a collective. Source: get_avg_msgsize, get_count, is_commutative, is_op_built_in,
  // is_block_regular and is_sendbuf_inplace in csel.c.
  static bool suits(CselTest test, const std::string& collective) {
    const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
      return std::find(names.begin(), names.end(), collective) != names.end();
    };
    switch (test) {
      case CselTest::kMeanBytesAtMost:
      case CselTest::kMeanBytesBelow:
        return is_one_of({"allreduce", "bcast", "reduce", "alltoall"});
      case CselTest::kCountAtMost:
      case CselTest::kCountBelowPowerOfTwo:
        return is_one_of(
            {"bcast", "allreduce", "reduce", "allgather", "allgatherv", "reduce_scatter", "reduce_scatter_block"});
      case CselTest::kTotalBytesAtMost:
      case CselTest::kTotalBytesBelow:
        return !is_one_of({"barrier", "scan", "exscan", "gatherv", "scatterv"});
      case CselTest::kCommutative:
        return is_one_of({"allreduce", "reduce", "reduce_scatter", "reduce_scatter_block"});
      case CselTest::kBuiltIn:
        return is_one_of({"allreduce", "reduce"});
      case CselTest::kRegular:
        return collective == "reduce_scatter";
      case CselTest::kInPlace:
        return is_one_of({"alltoall", "alltoallv", "alltoallw"});
      default:
        return true;
    }
  }

  void check_leaf(const CselKey& key, const std::string& text, const std::string& collective, int line) {
    if (collective.empty())
      fail(line, fmt::format("{} is not below a collective", text), "write it below collective=...");
    if (has_mpich_algorithm(collective, key.name, library_)) return;
    fail(line, fmt::format("{} has no {} in {}", collective, shown(key.name), title_of(library_)),
         fmt::format("write one of {}", fmt::join(names_in(collective, library_), ", ")));
  }

  std::string remedy_of(const std::string& key) const {
    const size_t end = key.find_first_of("<=");
    if (key.ends_with("=any")) return "MPICH 4.2 and later know it";
    if (key.starts_with("comm_avg_ppn<") && !library_.from(4, 2)) return "write comm_avg_ppn<=";
    if (end != std::string::npos && end + 1 < key.size()) return "write a test such as comm_size<=8 or comm_size=any";
    return "write a test such as comm_size<=8, or algorithm=NAME";
  }

  const Library& library_;
  const Reading reading_;
  RuleFile rules_;
};

Json to_json(const std::vector<CselNode>& nodes) {
  Json object = Json::object();
  for (const CselNode& n : nodes) object[n.key] = to_json(n.children);
  return object;
}

}  // namespace

bool tests_communicator(CselTest test) {
  switch (test) {
    case CselTest::kCollective:
    case CselTest::kIntra:
    case CselTest::kInter:
    case CselTest::kRanksAtMost:
    case CselTest::kRanksBelow:
    case CselTest::kRanksPowerOfTwo:
    case CselTest::kRanksOfOneNode:
    case CselTest::kHierarchy:
    case CselTest::kConsecutive:
    case CselTest::kRanksPerNodeAtMost:
    case CselTest::kRanksPerNodeBelow:
      return true;
    default:
      return false;
  }
}

std::optional<CselKey> parse_csel_key(std::string_view key, const Library& library) {
  for (const Word3& w : kWhole) {
    if (key == w.text) return CselKey{w.test, w.value};
  }
  for (const Word3& w : kWithNumber) {
    if (!key.starts_with(w.text)) continue;
    if (w.test == CselTest::kRanksPerNodeBelow && !library.from(4, 2)) return std::nullopt;
    const std::string_view digits = key.substr(w.text.size());
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 0) return std::nullopt;
    return CselKey{w.test, value};
  }
  for (const Word3& w : kWithName) {
    const std::string_view name = key.substr(std::min(key.size(), w.text.size()));
    if (!key.starts_with(w.text) || name.empty()) continue;
    const bool is_hierarchy = w.test == CselTest::kHierarchy;
    if (is_hierarchy && std::find(std::begin(kHierarchies), std::end(kHierarchies), name) == std::end(kHierarchies)) {
      continue;
    }
    return CselKey{w.test, 0, name};
  }
  const std::string_view word = key.substr(0, key.find('='));
  const bool is_known =
      library.from(4, 2) || std::find(std::begin(kAnyOf40), std::end(kAnyOf40), word) != std::end(kAnyOf40);
  if (key.ends_with("=any") && is_known) return CselKey{CselTest::kAny, 0, word};
  if (key == "any" && library.from(4, 2)) return CselKey{CselTest::kAny};
  return std::nullopt;
}

bool has_mpich_algorithm(std::string_view collective, std::string_view name, const Library& library) {
  if (name.starts_with("MPIDI_")) return true;
  const std::vector<std::string> names = names_in(lower(collective), library);
  const bool is_checked = std::any_of(algorithms_of_40().begin(), algorithms_of_40().end(),
                                      [&](const Algorithms& a) { return a.collective == collective; });
  return is_checked ? std::find(names.begin(), names.end(), name) != names.end() : name.starts_with("MPIR_");
}

RuleFile read_csel(const std::string& text, const std::string& file, const Library& library, Reading reading) {
  const LinedJson root = parse_lined_json(text, file, "MPICH finds no algorithm and ends the program");
  return CselReader(file, library, reading).read(root);
}

std::string write_csel(const RuleFile& file) { return to_json(file.tree).dump(4) + "\n"; }

}  // namespace strata::collectives
