// SPDX-License-Identifier: LGPL-2.1-only
// The placement of ranks: the core on which each is simulated, and the cpuset to which it is bound.
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/words.h"
#include "platforms/topology.h"

namespace strata {

struct Binding {
  int node;       // index of the node
  Cpuset cpuset;  // OS indexes on that node: the whole binding, used by the communicator hierarchy
  int core;       // vertex: the first core of the binding, where the rank is simulated
};

enum class Dealing { kNode, kNuma, kPackage, kGroup, kL3, kL2, kCore, kSpread, kBlockCyclic, kRandom };
inline constexpr Word<Dealing> kDealingWords[] = {
    {Dealing::kNode, "node"},    {Dealing::kNuma, "numa"},     {Dealing::kPackage, "package"},
    {Dealing::kGroup, "group"},  {Dealing::kL3, "l3"},         {Dealing::kL2, "l2"},
    {Dealing::kCore, "core"},    {Dealing::kSpread, "spread"}, {Dealing::kBlockCyclic, "block-cyclic"},
    {Dealing::kRandom, "random"}};

enum class Bound { kNode, kNuma, kPackage, kGroup, kL3, kL2, kCore, kNone };
inline constexpr Word<Bound> kBoundWords[] = {
    {Bound::kNode, "node"}, {Bound::kNuma, "numa"}, {Bound::kPackage, "package"}, {Bound::kGroup, "group"},
    {Bound::kL3, "l3"},     {Bound::kL2, "l2"},     {Bound::kCore, "core"},       {Bound::kNone, "none"}};

/// The names that Open MPI's mpirun has for some of these objects (prterun(1), --map-by and --bind-to).
struct OpenMpiName {
  std::string_view name, ours;
};
inline constexpr OpenMpiName kOpenMpiNames[] = {
    {"socket", "package"}, {"slot", "core"}, {"l2cache", "l2"}, {"l3cache", "l3"}};

inline constexpr char kMapByOption[] = "--map-by";
inline constexpr char kBindToOption[] = "--bind-to";

/// Parses the value of an option that takes one of a few words. Throws InputError if the text is not one of them.
template <class E, const auto& kWords, const auto& kOption>
class Choice {
 public:
  constexpr Choice(E value) : value_(value) {}
  template <class Text>
  requires std::convertible_to<const Text&, std::string_view> Choice(const Text& text) : value_(parse(text)) {}

  constexpr E value() const { return value_; }
  std::string name() const { return word_of(kWords, value_); }
  static std::vector<std::string> names() { return names_of(kWords); }
  friend bool operator==(const Choice&, const Choice&) = default;

 private:
  static E parse(std::string_view text) {
    for (const OpenMpiName& other : kOpenMpiNames) {
      if (text == other.name) text = other.ours;
    }
    if (const std::optional<E> value = find_word(kWords, text)) return *value;
    throw InputError(kOption, "unknown level '" + std::string(text) + "'", "give " + choice_of(names()));
  }

  E value_;
};

using MapBy = Choice<Dealing, kDealingWords, kMapByOption>;
using BindTo = Choice<Bound, kBoundWords, kBindToOption>;

struct PlacementOptions {
  MapBy map_by = Dealing::kCore;
  BindTo bind_to = Bound::kCore;
  bool oversubscribe = false;  // when all cores are taken, start another round
  std::uint64_t seed = 1;      // for random
  int cores_per_rank = 1;      // PE=n of mpirun
};

/// Reads a value of --map-by, as "numa", or with the number of cores of each rank as Open MPI's mpirun has it: "PE=4",
/// "socket:PE=4". Throws InputError.
void read_map_by(std::string_view text, PlacementOptions& options);

/// The text for read_map_by, such as "core" or "package:PE=4".
std::string map_by_text(const PlacementOptions& options);

/// Places `np` ranks round-robin over all objects of type `map_by` in logical order, node after node, each on the next
/// free core of its object; full objects are skipped. Binds each rank to the smallest object of type `bind_to` that
/// contains its core, or to the node's whole cpuset for `none`. A `group` is an hwloc Group that is a level of the
/// loaded tree. Throws InputError: np < 1, more ranks than cores, a machine without objects of that type.
///
/// `spread` leaves the free cores evenly spread, as MPC does (IJHPCA'19, Section 4, Figure 1): every NUMA node gets the
/// same number of ranks (if that does not divide, the first ones get one more; a smaller one gets at most as many as
/// its cores), consecutive ranks in the order of the cores. With n ranks on N cores, the cores at positions ceil(k N /
/// (N - n)) - 1, k = 1 to N - n, stay free.
///
/// `block-cyclic` fills node after node, and within each deals the ranks round-robin over its packages. This is the
/// default of Open MPI and of Slurm (block:cyclic). `random` takes the first nodes with enough cores for all ranks, and
/// of these any cores in any order, all choices with the same probability.
///
/// With several cores per rank, each rank is bound to the next free cores of its object, and simulated on the first. On
/// a node with cores 0 to 7 and two packages, "core:PE=2" binds ranks 0 and 1 to 0-1 and 2-3, "package:PE=2" to 0-1 and
/// 4-5, "package:PE=3" places two ranks on 0-2 and 4-6. Throws InputError if it is combined with spread, block-cyclic,
/// random, or another binding than core.
std::vector<Binding> place(const Topology& topology, int np, const PlacementOptions& options = {});

/// The number of ranks that have room without oversubscription: one per core, or one per `cores_per_rank` cores of an
/// object.
int room_for_ranks(const Topology& topology, const PlacementOptions& options);

/// The cores near each memory, in logical order: those of each NUMA node (a core within several counts for the
/// innermost), or of the node for cores in no NUMA node. Ordered by their first cores.
std::vector<std::vector<int>> cores_by_numa_node(const Topology& topology);

/// The number of nodes that the bindings use.
int num_nodes(const std::vector<Binding>& bindings);

/// For each rank, the core on which it is simulated, as an index into topology.cores().
std::vector<int> core_indexes(const Topology& topology, const std::vector<Binding>& bindings);

/// For each rank, the number of cores that its threads have, at least 1: those of its binding, of which each is divided
/// by the number of ranks that are bound to it. For example, 2 if 6 ranks are bound to the same 12 cores.
std::vector<double> cores_per_rank(const Topology& topology, const std::vector<Binding>& bindings);

/// Reads a bindings file: one line per rank, `rank node cpuset`, with the cpuset in list syntax (`0-3,8`); `#` starts a
/// comment. Ranks may be in any order and must be 0 to n-1, each once. `np`, if not 0, is the required number of ranks.
/// Throws InputError with file and line.
std::vector<Binding> read_bindings(const std::filesystem::path& file, const Topology& topology, int np = 0);

/// The text of a bindings file, for read_bindings.
std::string format_bindings(const std::vector<Binding>& bindings);

}  // namespace strata
