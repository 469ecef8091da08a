// SPDX-License-Identifier: LGPL-2.1-only
// Where ranks run: which core each is simulated on, and the cpuset that it is bound to.
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/error.h"
#include "platforms/topology.h"
#include "platforms/words.h"

namespace strata {

struct Binding {
  int node;       // index of the node
  Cpuset cpuset;  // OS indexes on that node: the whole binding, which the communicator hierarchy sees
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

inline constexpr char kMapByOption[] = "--map-by";
inline constexpr char kBindToOption[] = "--bind-to";

/// A value of an option that takes one of a few words. A text becomes one, or InputError where it is none of them.
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
  bool oversubscribe = false;  // when all cores are taken, deal another round
  std::uint64_t seed = 1;      // of random
};

/// Deals `np` ranks round-robin over all objects of type `map_by` in logical order, node after node, each to the next
/// free core of its object; full objects are skipped. Binds each to the smallest object of type `bind_to` that holds
/// its core, or to the node's whole cpuset for `none`. A `group` is an hwloc Group that is a level of the loaded tree.
/// Throws InputError: np < 1, more ranks than cores, a machine without objects of that type.
///
/// `spread` leaves the free cores evenly spread, as MPC does (IJHPCA'19, Section 4, Figure 1): every NUMA node gets as
/// many ranks as every other (the first ones one more where that does not divide, a smaller one no more than its
/// cores), consecutive ones in the order of the cores. Of N cores with n ranks those at the positions
/// ceil(k N / (N - n)) - 1, k = 1 to N - n, stay free.
///
/// `block-cyclic` fills node after node, in each dealing the ranks round-robin over its packages: what Open MPI does
/// by default, and Slurm (block:cyclic). `random` takes the first nodes that have cores for all, and
/// of these any cores in any order: every choice is as likely as every other.
std::vector<Binding> place(const Topology& topology, int np, const PlacementOptions& options = {});

/// The cores that are near to the same memory, in logical order: those of each NUMA node (a core that several hold
/// counts for the innermost), or, for cores that none holds, those of their node. In the order of their first cores.
std::vector<std::vector<int>> cores_by_numa_node(const Topology& topology);

/// How many nodes they are on.
int num_nodes(const std::vector<Binding>& bindings);

/// By rank, the core that it is simulated on, as an index into topology.cores().
std::vector<int> core_indexes(const Topology& topology, const std::vector<Binding>& bindings);

/// Reads a bindings file: a line a rank, `rank node cpuset`, the cpuset in list syntax (`0-3,8`); `#` starts a comment.
/// Ranks may come in any order and must be 0 to n-1, each once. Throws InputError with file and line. `np`, if not 0,
/// is how many there must be.
std::vector<Binding> read_bindings(const std::filesystem::path& file, const Topology& topology, int np = 0);

/// A bindings file for read_bindings.
std::string format_bindings(const std::vector<Binding>& bindings);

}  // namespace strata
