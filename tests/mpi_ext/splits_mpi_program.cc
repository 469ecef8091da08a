// SPDX-License-Identifier: LGPL-2.1-only
// Tests of the MPI layer in an MPI program, which runs under SMPI, Open MPI and MPICH: guided splits, level hints, all
// levels at once, hierarchies of groups, resource info. Expected guided splits are computed with hwloc from the node
// and the bindings in STRATA_PLACEMENT; expected hinted splits from the pure core's whole hierarchy, member by member.
//
//   (none)      everything, compared with STRATA_PLACEMENT
//   strangers   6 ranks: 0 to 2 read one placement file and 3 to 5 another (see test_strangers)
//   private     ignored by the program: the launcher privatises globals
#include <hwloc.h>
#include <mpi.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "mpi_ext/hierarchy/split.h"
#include "mpi_ext/hierarchy/whole.h"
#include "mpi_ext/mpix.h"
#include "platforms/placement.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/counted_calls.h"
#include "tests/mpi_ext/expected.h"

namespace {

using namespace strata::mpix;           // NOLINT: the library under test
using namespace strata::mpix::testing;  // NOLINT: its checks

// An info object with these keys, freed at the end of its scope.
class Info {
 public:
  Info() { MPI_Info_create(&info_); }
  Info(const char* key, const std::string& value) : Info() { set(key, value); }
  ~Info() { MPI_Info_free(&info_); }
  Info(const Info&) = delete;
  Info& operator=(const Info&) = delete;
  void set(const char* key, const std::string& value) {
    MPI_Info_set(info_, const_cast<char*>(key), const_cast<char*>(value.c_str()));
  }
  operator MPI_Info() const { return info_; }  // NOLINT: it is one

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

std::string value_of(MPI_Info info, const char* key) {
  std::array<char, MPI_MAX_INFO_VAL + 1> value{};
  int found = 0;
  MPI_Info_get(info, const_cast<char*>(key), MPI_MAX_INFO_VAL, value.data(), &found);
  return found != 0 ? value.data() : "(none)";
}

constexpr const char* kLevel = "mpix_hlevel";
constexpr const char* kType = "mpi_hw_resource_type";
constexpr const char* kSet = "mpi_pset_name";

// ------------------------------------------------------------------------------------------------------ expected
// results

// By rank, a text that the members of a communicator share, and that sorts as the communicators do; "" for a rank
// without one.
using Groups = std::vector<std::string>;

std::string sortable(int number) {
  std::string digits = std::to_string(number);
  return std::string(8 - digits.size(), '0') + digits;
}

// The bindings in the file, and the node as hwloc loads it.
class Bindings {
 public:
  explicit Bindings(const Expected& e) {
    std::ifstream placement(std::getenv("STRATA_PLACEMENT"));
    std::string file, synthetic;
    for (std::string word, rest; placement >> word && std::getline(placement >> std::ws, rest);) {
      if (word == "bindings") file = rest;
      if (word == "node-synthetic") synthetic = rest;
    }
    list_ = strata::read_bindings(file, *e.topology);
    hwloc_topology_init(&node_);
    if (hwloc_topology_set_synthetic(node_, synthetic.c_str()) != 0) {
      hwloc_topology_set_synthetic(node_, (synthetic + " pu:1").c_str());
    }
    hwloc_topology_load(node_);
  }
  ~Bindings() { hwloc_topology_destroy(node_); }
  Bindings(const Bindings&) = delete;
  Bindings& operator=(const Bindings&) = delete;

  // By rank, the object of a type that includes its binding.
  Groups on(hwloc_obj_type_t type) const {
    Groups groups;
    for (int r = 0; r < size_of(MPI_COMM_WORLD); ++r) {
      groups.emplace_back();
      strata::Cpuset binding = list_[r].cpuset;
      for (hwloc_obj_t o = nullptr; (o = hwloc_get_next_obj_by_type(node_, type, o)) != nullptr;) {
        if (hwloc_bitmap_isincluded(binding.bitmap(), o->cpuset)) {
          groups.back() = sortable(list_[r].node) + " " + sortable(static_cast<int>(o->logical_index));
        }
      }
    }
    return groups;
  }
  // The types of which hwloc has objects, and whether a rank's binding is within one.
  std::map<std::string, bool> types(int rank) const {
    std::map<std::string, bool> result;
    for (int t = HWLOC_OBJ_TYPE_MIN; t < HWLOC_OBJ_TYPE_MAX; ++t) {
      const auto type = static_cast<hwloc_obj_type_t>(t);
      hwloc_obj_t first = hwloc_get_next_obj_by_type(node_, type, nullptr);
      if (first == nullptr) continue;
      std::array<char, 64> name{};
      hwloc_obj_type_snprintf(name.data(), name.size(), first, 0);
      result[name.data()] = !on(type)[rank].empty();
    }
    return result;
  }

 private:
  std::vector<strata::Binding> list_;
  hwloc_topology_t node_ = nullptr;
};

// By rank, the vertex above its binding that has the name of a network level.
Groups on_network(const Expected& e, const std::string& level) {
  Groups groups;
  for (int v : e.vertices) {
    while (v >= 0 && (e.topology->object(v) != nullptr || e.topology->name(v) != level)) v = e.topology->parent(v);
    groups.push_back(v < 0 ? "" : sortable(v));
  }
  return groups;
}

// The communicators of groups that rank `me` sees, if only the ranks take part for which `asks` is true.
struct Seen {
  Ranks members, roots;
  int num_comms = 0, index = -1;
};

Seen seen_by(int me, const Groups& groups, const std::function<bool(int)>& asks) {
  std::map<std::string, Ranks> comms;
  for (int r = 0; r < static_cast<int>(groups.size()); ++r) {
    if (!groups[r].empty() && asks(r)) comms[groups[r]].push_back(r);
  }
  Seen seen;
  for (const auto& [name, members] : comms) {
    if (name == groups[me] && asks(me)) {
      seen.members = members;
      seen.index = seen.num_comms;
    }
    seen.roots.push_back(members.front());
    ++seen.num_comms;
  }
  std::sort(seen.roots.begin(), seen.roots.end());
  return seen;
}

bool everybody(int) { return true; }

// ------------------------------------------------------------------------------------------------------ guided splits

// Expects these groups from the split by `type` and `info`: with all ranks or only the odd ones, and in each order of
// keys.
void check_split(Checks& t, const Expected& e, int type, MPI_Info info, const Groups& groups) {
  const int me = rank_in(MPI_COMM_WORLD);
  const auto odd = [](int r) { return r % 2 == 1; };
  for (bool all : {true, false}) {
    const Seen expected = all ? seen_by(me, groups, everybody) : seen_by(me, groups, odd);
    const bool in = all || odd(me);
    enum Order { kNoKeys, kByRank, kReversed };
    for (Order order : {kNoKeys, kByRank, kReversed}) {
      const int key = order == kNoKeys ? 7 : order == kByRank ? me : -me;
      Ranks members = expected.members;
      if (order == kReversed) std::reverse(members.begin(), members.end());
      MPI_Comm comm = MPI_COMM_WORLD;
      forget_calls();
      CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(MPI_COMM_WORLD, in ? type : static_cast<int>(MPI_UNDEFINED), key,
                                                 in ? info : MPI_INFO_NULL, &comm));
      // The number of messages is that in hsplit.cc. (A single rank has no order of keys, and no other rank to ask.)
      const bool nobody = std::all_of(groups.begin(), groups.end(), [](const std::string& g) { return g.empty(); });
      const int size = size_of(MPI_COMM_WORLD);
      if (!(nobody || (!all && size == 1))) {
        const bool asked = !all || (order == kReversed && size > 1);
        CHECK_TRUE((calls() == Calls{1, asked ? 1 : 0, 0, members.empty() ? 0 : 1, 0}));
      }
      CHECK_EQ(members, members_of(comm));
      if (comm != MPI_COMM_NULL && !members.empty()) {
        check_info(t, comm, expected.num_comms, expected.index, e.name_of(expected.members));
        int sum = 0;  // no other ranks are in it
        MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
        CHECK_EQ(std::accumulate(members.begin(), members.end(), 0), sum);
      }
      release(comm);
    }
  }
}

struct Named {
  std::vector<std::string> names;
  hwloc_obj_type_t type;
};

void test_guided(Checks& t, const Expected& e) {
  const Bindings bindings(e);
  const int size = size_of(MPI_COMM_WORLD);
  const std::vector<Named> kTypes = {{{"Machine", "machine"}, HWLOC_OBJ_MACHINE},
                                     {{"Package", "Socket"}, HWLOC_OBJ_PACKAGE},
                                     {{"NUMANode", "numanode"}, HWLOC_OBJ_NUMANODE},
                                     {{"L3", "l3cache"}, HWLOC_OBJ_L3CACHE},
                                     {{"L2"}, HWLOC_OBJ_L2CACHE},
                                     {{"L1", "L1d"}, HWLOC_OBJ_L1CACHE},
                                     {{"Core", "CORE"}, HWLOC_OBJ_CORE},
                                     {{"PU"}, HWLOC_OBJ_PU},
                                     {{"Die"}, HWLOC_OBJ_DIE}};
  for (const Named& n : kTypes) {
    const Groups groups = bindings.on(n.type);
    for (const std::string& name : n.names) {
      check_split(t, e, MPIX_COMM_TYPE_HW_GUIDED, Info(kType, name), groups);
    }
    check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, Info(kType, n.names[0]), groups);
    check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, Info(kType, "hwloc://" + n.names[0]), groups);
  }
  const Groups nobody(size), nodes = bindings.on(HWLOC_OBJ_MACHINE);
  for (const char* unknown : {"", "Shelf", "L9", "hwloc://L3", "mpi://WORLD"}) {
    if (*unknown == '\0') continue;  // MPI may refuse an empty value
    check_split(t, e, MPIX_COMM_TYPE_HW_GUIDED, Info(kType, unknown), nobody);
  }
  check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, Info(kType, "pci://L3"), nobody);
  check_split(t, e, MPIX_COMM_TYPE_HW_GUIDED, MPI_INFO_NULL, nobody);
  check_split(t, e, MPIX_COMM_TYPE_HW_GUIDED, Info("key", "value"), nobody);
  check_split(t, e, MPIX_COMM_TYPE_HW_GUIDED, Info(kSet, "mpi://WORLD"), nobody);  // not a key of this type
  check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, MPI_INFO_NULL, nobody);
  for (int type : {MPIX_COMM_TYPE_HW_GUIDED, MPIX_COMM_TYPE_RESOURCE_GUIDED}) {
    check_split(t, e, type, Info(kType, "mpi_shared_memory"), nodes);
  }
  check_split(t, e, MPI_COMM_TYPE_SHARED, MPI_INFO_NULL, nodes);

  Groups together(size, "all"), alone;
  for (int r = 0; r < size; ++r) alone.push_back(sortable(r));
  check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, Info(kSet, "mpi://WORLD"), together);
  check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, Info(kSet, "mpi://SELF"), alone);
  check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, Info(kSet, "mpi://OTHER"), nobody);

  for (const char* level : {"Switch", "Pod"}) {
    const Groups groups = on_network(e, level);
    check_split(t, e, MPIX_COMM_TYPE_HW_GUIDED, Info(kType, level), groups);
    check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, Info(kType, std::string("strata://") + level), groups);
    check_split(t, e, MPIX_COMM_TYPE_RESOURCE_GUIDED, Info(kType, std::string("hwloc://") + level), nobody);
  }

  // Unguided: on return the info contains the name of the level, if there is one.
  const int me = rank_in(MPI_COMM_WORLD);
  Info unguided("untouched", "yes");
  MPI_Comm comm = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(MPI_COMM_WORLD, MPIX_COMM_TYPE_HW_UNGUIDED, 0, unguided, &comm));
  const std::vector<int>& levels = e.all.levels[me];
  CHECK_EQ(levels.empty() ? Ranks{} : e.all.comms[levels[0]].members, members_of(comm));
  CHECK_EQ(levels.empty() ? std::string("(none)") : e.topology->name(e.all.comms[levels[0]].cover),
           value_of(unguided, kType));
  CHECK_EQ(std::string("yes"), value_of(unguided, "untouched"));
  release(comm);
  comm = MPI_COMM_WORLD;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(MPI_COMM_WORLD, MPIX_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &comm));
  CHECK_EQ(levels.empty(), comm == MPI_COMM_NULL);
  release(comm);
}

// -------------------------------------------------------------------------------------------------------- level hints

// By rank, the group of its communicator at the level that `value` names, from `depth` on. Advances `depth` to the
// level below.
Groups hinted(const Expected& e, const std::string& value, std::vector<size_t>* depth) {
  const int number = std::atoi(value.c_str());
  Groups groups(depth->size());
  for (size_t r = 0; r < groups.size(); ++r) {
    const std::vector<int>& levels = e.all.levels[r];
    size_t d = (*depth)[r];
    if (number > 0) {
      d += number - 1;
    } else {
      while (d < levels.size() &&
             ::strcasecmp(e.topology->name(e.all.comms[levels[d]].cover).c_str(), value.c_str()) != 0) {
        ++d;
      }
    }
    // Sorted by the members' deepest objects.
    if (d < levels.size()) groups[r] = sortable(e.all.comms[levels[d]].cover) + " " + sortable(levels[d]);
    (*depth)[r] = d + 1;
  }
  return groups;
}

void test_hints(Checks& t, const Expected& e) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  std::set<std::string> values = {"1", "2", "3", "4", "7", "nosuch", "12345678901234567890"};
  for (const Communicator& c : e.all.comms) {
    std::string name = e.topology->name(c.cover);
    values.insert(name);
    for (char& letter : name) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    values.insert(name);
  }
  for (const std::string& value : values) {
    const Info info(kLevel, value);
    // Repeated until no communicator is left, and all levels at once.
    std::vector<MPI_Comm> comms, roots;
    std::vector<size_t> depth(size, 0);
    Groups before(size, "all");
    MPI_Comm parent = MPI_COMM_WORLD;
    while (parent != MPI_COMM_NULL) {
      const Groups groups = value == "12345678901234567890" ? Groups(size) : hinted(e, value, &depth);
      const auto sibling = [&](int r) { return before[r] == before[me]; };
      const Seen expected = seen_by(me, groups, sibling);
      MPI_Comm comm = MPI_COMM_WORLD, rootscomm = MPI_COMM_WORLD, other = MPI_COMM_WORLD;
      forget_calls();
      CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_with_roots(parent, info, &comm, &rootscomm));
      const bool root = !expected.members.empty() && expected.members.front() == me;
      CHECK_TRUE((calls() == Calls{1, 0, 0, (expected.members.empty() ? 0 : 1) + (root ? 1 : 0), 0}));
      CHECK_EQ(expected.members, members_of(comm));
      CHECK_EQ(root ? expected.roots : Ranks{}, members_of(rootscomm));
      for (int type : {MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, MPIX_COMM_TYPE_HW_UNGUIDED}) {
        CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(parent, type, 0, info, &other));
        CHECK_EQ(expected.members, members_of(other));
        if (other != MPI_COMM_NULL && comm != MPI_COMM_NULL) {
          check_info(t, other, expected.num_comms, expected.index, e.name_of(expected.members));
          check_info(t, comm, expected.num_comms, expected.index, e.name_of(expected.members));
        }
        release(other);
      }
      comms.push_back(comm);
      roots.push_back(rootscomm);
      before = groups;
      parent = comm;
    }
    std::array<MPI_Comm, 16> all, all_roots;
    int levels = -1;
    CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_all(MPI_COMM_WORLD, info, 16, all.data(), all_roots.data(), &levels));
    CHECK_EQ(static_cast<int>(comms.size()) - 1, levels);
    for (int i = 0; i < std::min(levels, static_cast<int>(comms.size())); ++i) {
      CHECK_EQ(members_of(comms[i]), members_of(all[i]));
      CHECK_EQ(members_of(roots[i]), members_of(all_roots[i]));
      int num = 0, index = 0;
      char* type = nullptr;
      MPIX_Comm_get_hlevel_info(comms[i], &num, &index, &type);
      check_info(t, all[i], num, index, type);
    }
    for (std::vector<MPI_Comm>* list : {&comms, &roots}) {
      for (MPI_Comm& c : *list) release(c);
    }
    for (int i = 0; i < 16; ++i) {
      CHECK_TRUE(i < levels || (all[i] == MPI_COMM_NULL && all_roots[i] == MPI_COMM_NULL));
      release(all[i]);
      release(all_roots[i]);
    }
  }
}

// ----------------------------------------------------------------------------------------------------- all levels at
// once

void test_all_levels(Checks& t, const Expected& e) {
  const int me = rank_in(MPI_COMM_WORLD);
  const std::vector<int>& levels = e.all.levels[me];
  const int depth = static_cast<int>(levels.size());
  for (int max_depth : {0, 1, 2, 12}) {
    for (bool with_roots : {true, false}) {
      std::array<MPI_Comm, 12> comms, roots;
      comms.fill(MPI_COMM_WORLD);
      roots.fill(MPI_COMM_WORLD);
      int got = -1;
      forget_calls();
      CHECK_EQ(MPI_SUCCESS,
               MPIX_Comm_hsplit_all(MPI_COMM_WORLD, MPI_INFO_NULL, max_depth, max_depth > 0 ? comms.data() : nullptr,
                                    with_roots && max_depth > 0 ? roots.data() : nullptr, &got));
      const Calls made = calls();
      CHECK_EQ(depth, got);
      int created = 0;
      for (int i = 0; i < 12; ++i) {
        if (i >= max_depth) {
          CHECK_TRUE(comms[i] == MPI_COMM_WORLD && roots[i] == MPI_COMM_WORLD);  // not changed by the function
          continue;
        }
        const Communicator* c = i < depth ? &e.all.comms[levels[i]] : nullptr;
        CHECK_EQ(c == nullptr ? Ranks{} : c->members, members_of(comms[i]));
        if (c != nullptr) check_info(t, comms[i], e.all.num_comms(*c), c->index, e.topology->name(c->cover));
        const bool root = c != nullptr && c->members.front() == me;
        if (with_roots) CHECK_EQ(root ? e.all.roots(*c) : Ranks{}, members_of(roots[i]));
        if (!with_roots) CHECK_TRUE(roots[i] == MPI_COMM_WORLD);
        created += (c != nullptr ? 1 : 0) + (root && with_roots ? 1 : 0);
        release(comms[i]);
        if (with_roots) release(roots[i]);
      }
      CHECK_TRUE((made == Calls{1, 0, 0, created, 0}));
    }
  }
  // The hierarchy object: the same communicators, one agreement, and a bridge for each family with ranks left out.
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  forget_calls();
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(MPI_COMM_WORLD, MPI_INFO_NULL, &h));
  const Calls made = calls();
  int created = 0;
  for (int i = 0; i < depth; ++i) {
    const Communicator& c = e.all.comms[levels[i]];
    MPI_Comm comm = MPI_COMM_NULL, roots = MPI_COMM_NULL;
    CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_level(h, i, &comm, &roots));
    CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_level(h, i, nullptr, nullptr));
    CHECK_EQ(c.members, members_of(comm));
    CHECK_EQ(c.members.front() == me ? e.all.roots(c) : Ranks{}, members_of(roots));
    created += 1 + (c.members.front() == me ? 1 : 0);
  }
  for (const Family& f : e.all.families) {  // bridges: the roots, and ranks that are left out
    const std::vector<int>& members = f.parent < 0 ? Ranks{} : e.all.comms[f.parent].members;
    const bool mine = f.parent < 0 || std::find(members.begin(), members.end(), me) != members.end();
    const auto in = [&](const Ranks& list) { return std::find(list.begin(), list.end(), me) != list.end(); };
    created += mine && !f.stragglers.empty() && (in(f.roots) || in(f.stragglers)) ? 1 : 0;
  }
  CHECK_TRUE((made == Calls{1, 0, 1, created, 0}));
  bool consecutive = true;
  for (const Communicator& c : e.all.comms) {
    consecutive = consecutive && c.members.back() - c.members.front() + 1 == static_cast<int>(c.members.size());
  }
  CHECK_EQ(consecutive, h->consecutive);
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
}

// Hierarchies of groups, for all products of up to three numbers that are the size.
void test_groups(Checks& t) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  std::vector<std::vector<int>> lists;
  for (int a = 1; a <= size; ++a) {
    for (int b = 1; b <= size; ++b) {
      if (a == size && b == 1) lists.push_back({a});
      if (a * b == size) lists.push_back({a, b});
      for (int c = 1; c <= size; ++c) {
        if (a * b * c == size) lists.push_back({a, b, c});
      }
    }
  }
  if (size == 1) lists.emplace_back();
  for (const std::vector<int>& groups : lists) {
    MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
    const int levels = static_cast<int>(groups.size());
    CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create_groups(MPI_COMM_WORLD, levels, groups.data(), &h));
    int depth = -1, parent = size;
    CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_depth(h, &depth));
    CHECK_EQ(levels, depth);
    CHECK_TRUE(h->consecutive);
    for (int i = 0; i < levels; ++i) {
      const int block = parent / groups[i];
      Ranks members(block), roots(groups[i]);
      for (int m = 0; m < block; ++m) members[m] = me / block * block + m;
      for (int g = 0; g < groups[i]; ++g) roots[g] = me / parent * parent + g * block;
      MPI_Comm comm = MPI_COMM_NULL, rootscomm = MPI_COMM_NULL;
      CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_level(h, i, &comm, &rootscomm));
      CHECK_EQ(members, members_of(comm));
      CHECK_EQ(me % block == 0 ? roots : Ranks{}, members_of(rootscomm));
      parent = block;
    }
    // It works: a broadcast from the last rank reaches all ranks.
    int word = me == size - 1 ? 4711 : 0;
    CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_bcast(&word, 1, MPI_INT, size - 1, h, MPIX_ALGORITHM_BINOMIAL, 0));
    CHECK_EQ(4711, word);
    CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  }
}

void test_resource_info(Checks& t, const Expected& e) {
  const int me = rank_in(MPI_COMM_WORLD);
  std::map<std::string, std::string> expected;
  for (const auto& [name, inside] : Bindings(e).types(me)) expected["hwloc://" + name] = inside ? "true" : "false";
  for (int v = 1; v < e.topology->num_vertices(); ++v) {
    if (e.topology->object(v) != nullptr) continue;
    const std::string& level = e.topology->name(v);
    expected["strata://" + level] = on_network(e, level)[me].empty() ? "false" : "true";
  }
  MPI_Info info = MPI_INFO_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Get_hw_resource_info(&info));
  int keys = 0;
  MPI_Info_get_nkeys(info, &keys);
  std::map<std::string, std::string> got;
  for (int i = 0; i < keys; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    MPI_Info_get_nthkey(info, i, key.data());
    got[key.data()] = value_of(info, key.data());
  }
  const auto text = [](const std::map<std::string, std::string>& map) {
    std::string all;
    for (const auto& [key, value] : map) all += key + "=" + value + " ";
    return all;
  };
  CHECK_EQ(text(expected), text(got));
  MPI_Info_free(&info);
}

// ------------------------------------------------------------------------------------------------------------- errors

void test_errors(Checks& t) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Comm quiet = quiet_world();
  CountedErrors errors(t);
  errors.handle(quiet);
  std::array<MPI_Comm, 4> comms, roots;
  MPI_Comm comm = MPI_COMM_WORLD;
  int depth = 0;
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  // Arguments that are wrong on all ranks, and then only on one: all ranks get the error.
  for (bool wrong : {true, me == size - 1}) {
    MPI_Comm* null = wrong ? nullptr : &comm;
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_type(quiet, MPIX_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL, null));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_type(quiet, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, null));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_hsplit_with_roots(quiet, MPI_INFO_NULL, null, &comm));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_hsplit_with_roots(quiet, MPI_INFO_NULL, &comm, null));
    CHECK_ERROR(MPI_ERR_ARG,
                MPIX_Comm_hsplit_all(quiet, MPI_INFO_NULL, 4, wrong ? nullptr : comms.data(), roots.data(), &depth));
    CHECK_ERROR(MPI_ERR_ARG,
                MPIX_Comm_hsplit_all(quiet, MPI_INFO_NULL, 4, comms.data(), roots.data(), wrong ? nullptr : &depth));
    CHECK_ERROR(MPI_ERR_ARG,
                MPIX_Comm_hsplit_all(quiet, MPI_INFO_NULL, wrong ? -1 : 4, comms.data(), roots.data(), &depth));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create(quiet, MPI_INFO_NULL, wrong ? nullptr : &h));
    CHECK_TRUE(h == MPIX_HIERARCHY_NULL);
    for (const char* bad : {"0", "-1", "1.5", "3rd"}) {
      const Info info(kLevel, wrong ? bad : "1");
      CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_split_type(quiet, MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, 0, info, &comm));
      CHECK_TRUE(comm == MPI_COMM_NULL);
      CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_hsplit_with_roots(quiet, info, &comm, &roots[0]));
      CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_hsplit_all(quiet, info, 4, comms.data(), roots.data(), &depth));
      CHECK_ERROR(MPI_ERR_INFO, MPIX_Hierarchy_create(quiet, info, &h));
      CHECK_TRUE(h == MPIX_HIERARCHY_NULL);
    }
    Info both(kType, "Package");
    if (wrong) both.set(kSet, "mpi://WORLD");
    CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_split_type(quiet, MPIX_COMM_TYPE_RESOURCE_GUIDED, 0, both, &comm));
    CHECK_TRUE(comm == MPI_COMM_NULL);

    const std::array<int, 2> right = {1, size};
    const std::array<int, 2> groups = {1, wrong ? size + 1 : size};
    const std::array<int, 2> zero = {wrong ? 0 : 1, size};
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create_groups(quiet, 2, groups.data(), &h));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create_groups(quiet, 2, zero.data(), &h));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create_groups(quiet, 2, wrong ? nullptr : right.data(), &h));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create_groups(quiet, wrong ? -1 : 2, right.data(), &h));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create_groups(quiet, 2, right.data(), wrong ? nullptr : &h));
    CHECK_TRUE(h == MPIX_HIERARCHY_NULL);
  }
  // Valid arguments that differ between ranks.
  if (size > 1) {
    const bool last = me == size - 1;
    for (const char* one : {"1", "Core"}) {
      const Info info(kLevel, one);
      const MPI_Info some = last ? MPI_INFO_NULL : info;
      CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_split_type(quiet, MPIX_COMM_TYPE_HW_UNGUIDED, 0, some, &comm));
      CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_hsplit_with_roots(quiet, some, &comm, &roots[0]));
      CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_hsplit_all(quiet, some, 4, comms.data(), roots.data(), &depth));
      CHECK_ERROR(MPI_ERR_INFO, MPIX_Hierarchy_create(quiet, some, &h));
    }
    const Info type(kType, last ? "Package" : "Core"), set(kSet, last ? "mpi://WORLD" : "mpi://SELF");
    CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_split_type(quiet, MPIX_COMM_TYPE_HW_GUIDED, 0, type, &comm));
    CHECK_ERROR(MPI_ERR_INFO,
                MPIX_Comm_split_type(quiet, MPIX_COMM_TYPE_HW_GUIDED, 0, last ? MPI_INFO_NULL : type, &comm));
    CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_split_type(quiet, MPIX_COMM_TYPE_RESOURCE_GUIDED, 0, set, &comm));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_type(quiet, last ? MPIX_COMM_TYPE_HW_GUIDED : MPIX_COMM_TYPE_HW_UNGUIDED,
                                                  0, MPI_INFO_NULL, &comm));
    CHECK_ERROR(MPI_ERR_ARG,
                MPIX_Comm_hsplit_all(quiet, MPI_INFO_NULL, last ? 3 : 4, comms.data(), roots.data(), &depth));
    CHECK_ERROR(MPI_ERR_ARG,
                MPIX_Comm_hsplit_all(quiet, MPI_INFO_NULL, 4, comms.data(), last ? nullptr : roots.data(), &depth));
    for (MPI_Comm c : comms) CHECK_TRUE(c == MPI_COMM_NULL);
    const std::array<int, 2> groups = {last ? 1 : size, last ? size : 1};
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create_groups(quiet, 2, groups.data(), &h));
    // A rank that does not take part need not know the arguments of the others.
    MPI_Comm part = MPI_COMM_WORLD;
    CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(quiet, last ? static_cast<int>(MPI_UNDEFINED) : MPIX_COMM_TYPE_HW_GUIDED,
                                               0, last ? static_cast<MPI_Info>(MPI_INFO_NULL) : type, &part));
    CHECK_TRUE(!last || part == MPI_COMM_NULL);
    release(part);
  }
  const int one = 1;
  if (size > 1) CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_create_groups(quiet, 1, &one, &h));
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(quiet, MPI_INFO_NULL, &h));
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_depth(h, &depth));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_level(h, -1, &comm, &comm));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_level(h, depth, &comm, &comm));
  for (int i = 0; i < depth; ++i) {  // the communicators have the same handler
    MPI_Comm level = MPI_COMM_NULL, level_roots = MPI_COMM_NULL;
    CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_level(h, i, &level, &level_roots));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_get_hlevel_info(level_roots == MPI_COMM_NULL ? quiet : level_roots, nullptr,
                                                       nullptr, nullptr));
    CHECK_EQ(MPI_SUCCESS, MPIX_Comm_get_hlevel_info(level, nullptr, nullptr, nullptr));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_type(level, MPIX_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL, nullptr));
  }
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  // Given groups are not a level of the topology.
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create_groups(quiet, 1, &size, &h));
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_level(h, 0, &comm, nullptr));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_get_hlevel_info(comm, nullptr, nullptr, nullptr));
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  errors.handle(MPI_COMM_WORLD);
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_hsplit_all(MPI_COMM_NULL, MPI_INFO_NULL, 4, comms.data(), roots.data(), &depth));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Hierarchy_create_groups(MPI_COMM_NULL, 1, &one, &h));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_level(MPIX_HIERARCHY_NULL, 0, &comm, &comm));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_free(&h));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_free(nullptr));
  MPI_Comm self_handler = MPI_COMM_SELF;
  MPI_Comm_set_errhandler(self_handler, MPI_ERRORS_RETURN);
  CHECK_EQ(static_cast<int>(MPI_ERR_ARG), class_of(MPIX_Get_hw_resource_info(nullptr)));
  MPI_Comm_set_errhandler(self_handler, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_free(&quiet);
}

// A communicator of some ranks in a different order: ranks are those of the communicator, places those of the world.
void test_on_a_part(Checks& t, const Expected& e) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Comm part;
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &part);
  const Groups nodes = Bindings(e).on(HWLOC_OBJ_MACHINE);
  Seen expected = seen_by(me, nodes, [&](int r) { return r % 2 == me % 2; });
  std::reverse(expected.members.begin(), expected.members.end());
  MPI_Comm comm = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(part, MPI_COMM_TYPE_SHARED, 3, MPI_INFO_NULL, &comm));
  CHECK_EQ(expected.members, members_of(comm));
  check_info(t, comm, expected.num_comms, expected.index, e.name_of(expected.members));
  release(comm);
  // All its levels: the pure core's for the places of its members in their order.
  Ranks order;
  for (int r = size - 1; r >= 0; --r) {
    if (r % 2 == me % 2) order.push_back(r);
  }
  std::vector<int> vertices;
  for (int r : order) vertices.push_back(e.vertices[r]);
  const Hierarchy all = split_all(e.topology->parents(), vertices);
  std::array<MPI_Comm, 12> comms, roots;
  int depth = -1;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_all(part, MPI_INFO_NULL, 12, comms.data(), roots.data(), &depth));
  const std::vector<int>& levels = all.levels[rank_in(part)];
  CHECK_EQ(static_cast<int>(levels.size()), depth);
  const auto in_world = [&](Ranks ranks) {
    for (int& r : ranks) r = order[r];
    return ranks;
  };
  for (int i = 0; i < std::min<int>(depth, static_cast<int>(levels.size())); ++i) {
    const Communicator& c = all.comms[levels[i]];
    CHECK_EQ(in_world(c.members), members_of(comms[i]));
    CHECK_EQ(c.members.front() == rank_in(part) ? in_world(all.roots(c)) : Ranks{}, members_of(roots[i]));
    check_info(t, comms[i], all.num_comms(c), c.index, e.topology->name(c.cover));
  }
  for (int i = 0; i < 12; ++i) {
    release(comms[i]);
    release(roots[i]);
  }
  MPI_Comm_free(&part);
}

// Six ranks that know only their own nodes: 0 and 1 are on the two packages of a node of RR-9077, Figure 1, and 2 is on
// core 1 of another such node. 3 to 5 read another file: 3 and 4 are on cores 0 and 1 of such a node, 5 is unbound
// there. The expected results are written by hand.
void test_strangers(Checks& t) {
  const int me = rank_in(MPI_COMM_WORLD);
  struct Wanted {
    Ranks members;
    int num_comms, index;
    const char* type;
    Ranks roots;
  };
  const auto check = [&](MPI_Info info, const std::map<int, Wanted>& wanted, int allgathers) {
    MPI_Comm comm = MPI_COMM_WORLD, roots = MPI_COMM_WORLD;
    forget_calls();
    CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_with_roots(MPI_COMM_WORLD, info, &comm, &roots));
    const auto mine = wanted.find(me);
    const bool in = mine != wanted.end(), root = in && mine->second.members.front() == me;
    CHECK_TRUE((calls() == Calls{1, allgathers, 0, (in ? 1 : 0) + (root ? 1 : 0), 0}));
    CHECK_EQ(in ? mine->second.members : Ranks{}, members_of(comm));
    CHECK_EQ(root ? mine->second.roots : Ranks{}, members_of(roots));
    if (in && comm != MPI_COMM_NULL) {
      check_info(t, comm, mine->second.num_comms, mine->second.index, mine->second.type);
    }
    release(comm);
    release(roots);
  };
  const Ranks b = {3, 4, 5}, first = {0, 2, 3};
  check(MPI_INFO_NULL,
        {{0, {{0, 1}, 3, 0, "Machine", first}},
         {1, {{0, 1}, 3, 0, "Machine", first}},
         {2, {{2}, 3, 1, "Core", first}},
         {3, {b, 3, 2, "Machine", first}},
         {4, {b, 3, 2, "Machine", first}},
         {5, {b, 3, 2, "Machine", first}}},
        1);
  const Ranks five = {0, 1, 2, 3, 4};
  check(Info(kLevel, "Core"),
        {{0, {{0}, 5, 0, "Core", five}},
         {1, {{1}, 5, 1, "Core", five}},
         {2, {{2}, 5, 2, "Core", five}},
         {3, {{3}, 5, 3, "Core", five}},
         {4, {{4}, 5, 4, "Core", five}}},
        2);
  check(Info(kLevel, "l1d"), {{3, {{3, 4}, 1, 0, "L1d", {3}}}, {4, {{3, 4}, 1, 0, "L1d", {3}}}}, 2);
  check(Info(kLevel, "2"),
        {{0, {{0}, 3, 0, "Core", {0, 1, 3}}},
         {1, {{1}, 3, 1, "Core", {0, 1, 3}}},
         {3, {{3, 4}, 3, 2, "L1d", {0, 1, 3}}},
         {4, {{3, 4}, 3, 2, "L1d", {0, 1, 3}}}},
        2);
  check(Info(kLevel, "Pod"), {}, 2);

  // Guided splits: also without rank 3, and with keys that reverse the order.
  const auto guided = [&](const char* type, const Ranks& index, bool without_3, bool reversed) {
    Ranks members;
    std::set<int> all;
    for (int r = 0; r < 6; ++r) {
      if (index[r] < 0 || (without_3 && r == 3)) continue;
      all.insert(index[r]);
      if (index[r] == index[me]) members.push_back(r);
    }
    const bool in = index[me] >= 0 && !(without_3 && me == 3);
    if (reversed) std::reverse(members.begin(), members.end());
    MPI_Comm comm = MPI_COMM_WORLD;
    CHECK_EQ(MPI_SUCCESS,
             MPIX_Comm_split_type(MPI_COMM_WORLD,
                                  without_3 && me == 3 ? static_cast<int>(MPI_UNDEFINED) : MPIX_COMM_TYPE_HW_GUIDED,
                                  reversed ? -me : 0, Info(kType, type), &comm));
    CHECK_EQ(in ? members : Ranks{}, members_of(comm));
    if (in && comm != MPI_COMM_NULL) {
      int num = 0, got = -1;
      CHECK_EQ(MPI_SUCCESS, MPIX_Comm_get_hlevel_info(comm, &num, &got, nullptr));
      CHECK_EQ(static_cast<int>(all.size()), num);
      CHECK_EQ(static_cast<int>(std::distance(all.begin(), all.find(index[me]))), got);
    }
    release(comm);
  };
  for (bool without_3 : {false, true}) {
    for (bool reversed : {false, true}) {
      guided("Machine", {0, 0, 1, 2, 2, 2}, without_3, reversed);
      guided("mpi_shared_memory", {0, 0, 1, 2, 2, 2}, without_3, reversed);
      guided("Package", {0, 1, 2, 3, 3, -1}, without_3, reversed);
      guided("PU", {0, 1, 2, 3, 4, -1}, without_3, reversed);
      guided("System - Cluster", {0, 0, 0, 0, 0, 0}, without_3, reversed);
      guided("Switch", {-1, -1, -1, -1, -1, -1}, without_3, reversed);
    }
  }
  // A hint without rank 3: of {3, 4} only rank 4 is left, on its core.
  MPI_Comm comm = MPI_COMM_WORLD;
  CHECK_EQ(
      MPI_SUCCESS,
      MPIX_Comm_split_type(MPI_COMM_WORLD, me == 3 ? static_cast<int>(MPI_UNDEFINED) : MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY,
                           0, me == 3 ? static_cast<MPI_Info>(MPI_INFO_NULL) : Info(kLevel, "L1d"), &comm));
  CHECK_EQ(me == 4 ? Ranks{4} : Ranks{}, members_of(comm));
  if (me == 4 && comm != MPI_COMM_NULL) check_info(t, comm, 1, 0, "Core");
  release(comm);

  // Names across nodes and within a node.
  const auto lowest = [&](Ranks ranks) {
    char* type = nullptr;
    CHECK_EQ(MPI_SUCCESS,
             MPIX_Comm_get_min_hlevel(MPI_COMM_WORLD, static_cast<int>(ranks.size()), ranks.data(), &type));
    return std::string(type == nullptr ? "(null)" : type);
  };
  const char* with_0[] = {
      "Core", "Machine", "System - Cluster", "System - Cluster", "System - Cluster", "System - Cluster"};
  CHECK_EQ(std::string(with_0[me]), lowest({me, 0}));
  const char* with_3[] = {"System - Cluster", "System - Cluster", "System - Cluster", "Core", "L1d", "Machine"};
  CHECK_EQ(std::string(with_3[me]), lowest({3, me}));

  // All levels, and the hierarchy object, whose ranks are consecutive.
  const std::vector<std::vector<Ranks>> levels = {{{0, 1}, {0}},    {{0, 1}, {1}},    {{2}},
                                                  {b, {3, 4}, {3}}, {b, {3, 4}, {4}}, {b}};
  std::array<MPI_Comm, 8> comms, roots;
  int depth = -1;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_all(MPI_COMM_WORLD, MPI_INFO_NULL, 8, comms.data(), roots.data(), &depth));
  CHECK_EQ(static_cast<int>(levels[me].size()), depth);
  for (int i = 0; i < depth && i < static_cast<int>(levels[me].size()); ++i) {
    CHECK_EQ(levels[me][i], members_of(comms[i]));
  }
  for (int i = 0; i < 8; ++i) {
    release(comms[i]);
    release(roots[i]);
  }
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(MPI_COMM_WORLD, MPI_INFO_NULL, &h));
  CHECK_TRUE(h->consecutive);
  for (int root = 0; root < 6; ++root) {
    int word = me == root ? 100 + root : 0;
    CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_bcast(&word, 1, MPI_INT, root, h, MPIX_ALGORITHM_BINOMIAL, 0));
    CHECK_EQ(100 + root, word);
  }
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  // In the order 0, 2, 4, 1, 3, 5 neither node has consecutive ranks, and all ranks know this.
  MPI_Comm mixed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, me % 2 * 10 + me, &mixed);
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(mixed, MPI_INFO_NULL, &h));
  CHECK_TRUE(!h->consecutive);
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  MPI_Comm_free(&mixed);
}

}  // namespace

int main(int argc, char** argv) {
  const std::set<std::string> words(argv + 1, argv + argc);
  MPI_Init(&argc, &argv);
  Checks t(rank_in(MPI_COMM_WORLD));
  if (words.count("strangers") != 0) {
    t.run("strangers", [&] { test_strangers(t); });
  } else {
    const Expected e(std::getenv("STRATA_PLACEMENT"));
    t.run("guided", [&] { test_guided(t, e); });
    t.run("hints", [&] { test_hints(t, e); });
    t.run("all levels", [&] { test_all_levels(t, e); });
    t.run("groups", [&] { test_groups(t); });
    t.run("resource info", [&] { test_resource_info(t, e); });
    t.run("errors", [&] { test_errors(t); });
    t.run("on a part", [&] { test_on_a_part(t, e); });
  }
  const int result = t.finish();
  MPI_Finalize();
  return result;
}
