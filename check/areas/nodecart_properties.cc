// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/nodecart_properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "check/areas/nodecart_judging.h"
#include "check/areas/slow_orders.h"

namespace strata::check {
namespace {

using mpix::CartMethod;
using mpix::Mapping;
using mpix::PartnerCount;
using mpix::PlaceLevel;
using mpix::Places;

using Case = NodecartCase;
using Outcome = NodecartOutcome;
using Mapped = NodecartOutcome::Mapped;
using namespace nodecart;

constexpr const char* kStencilPaper = "von Kirchbach et al., IEEE Cluster 2020";
constexpr const char* kPermutation = "permutation";
constexpr const char* kRefusals = "refusals";

// ----------------------------------------------------------------------------------------------------- of a case

bool has_equal_levels(const Case& c) {
  return std::all_of(c.places.levels.begin(), c.places.levels.end(),
                     [](const PlaceLevel& level) { return is_equal(level.group); });
}

// -------------------------------------------------------------------------------------------------- of an outcome

// Checks each method that has a mapping; returns the first violation.
template <class Look>
Judgement each_mapping(const Outcome& o, Look look) {
  bool asked = false;
  for (CartMethod method : mpix::cart_methods()) {
    const Mapped& mapped = of(o, method);
    if (!mapped.mapping) continue;
    const Judgement judgement = look(method, mapped, *mapped.mapping);
    if (judgement.violation()) {
      return Judgement::violated(fmt::format("{}: {}", name_of(method), *judgement.violation()));
    }
    asked = asked || judgement.asked();
  }
  return asked ? Judgement::holds() : Judgement::not_asked();
}

bool has_blocks(CartMethod method) {
  return method == CartMethod::kNodecart || method == CartMethod::kMultilevel || method == CartMethod::kBlocks;
}

// Whether all required mappings exist and all mappings are permutations. If not, another property reports it, and no
// other property can be checked.
bool is_sound(const Case& c, const Outcome& o) {
  for (CartMethod method : mpix::cart_methods()) {
    const std::optional<Mapping>& mapping = of(o, method).mapping;
    if (mapping ? !is_permutation_of_all(mapping->new_rank, ranks_of(c)) : !has_blocks(method)) return false;
  }
  return true;
}

// By position, the group of the rank at this position.
std::vector<int> seated(const Mapping& mapping, const std::vector<int>& group) {
  std::vector<int> by_position(group.size());
  for (size_t r = 0; r < group.size(); ++r) by_position[mapping.new_rank[r]] = group[r];
  return by_position;
}

long off_node(const Case& c, const Outcome& o, CartMethod method) {
  return o.slow.count_off(seated(*of(o, method).mapping, c.places.nodes()));
}

// Partners off the nodes, then off the other levels, outermost first.
std::vector<long> key_of(const Case& c, const Outcome& o, const Mapping& mapping) {
  std::vector<long> key = {o.slow.count_off(seated(mapping, c.places.nodes()))};
  for (int level = 0; level < static_cast<int>(c.places.levels.size()); ++level) {
    if (level != c.places.node_level) key.push_back(o.slow.count_off(seated(mapping, c.places.levels[level].group)));
  }
  return key;
}

// The extents of the positions of rank 0's group on a level.
Shape extents(const Outcome& o, const Mapping& mapping, const std::vector<int>& group) {
  Coords least = o.slow.coords()[mapping.new_rank[0]], most = least;
  for (size_t r = 0; r < group.size(); ++r) {
    if (group[r] != group[0]) continue;
    const Coords& at = o.slow.coords()[mapping.new_rank[r]];
    for (size_t i = 0; i < at.size(); ++i) {
      least[i] = std::min(least[i], at[i]);
      most[i] = std::max(most[i], at[i]);
    }
  }
  for (size_t i = 0; i < least.size(); ++i) most[i] -= least[i] - 1;
  return most;
}

bool divides(const Shape& shape, const Shape& whole) {
  for (size_t i = 0; i < whole.size(); ++i) {
    if (shape[i] < 1 || whole[i] % shape[i] != 0) return false;
  }
  return true;
}

// Whether the positions of each group are one block, if the mesh is cut into blocks of this shape.
Judgement are_blocks(const Outcome& o, const Mapping& mapping, const PlaceLevel& level, const Shape& shape) {
  if (!divides(shape, o.slow.dims())) return violated("blocks {} do not cut the mesh", text_of(shape));
  const std::vector<int> block = o.slow.blocks(shape), group = seated(mapping, level.group);
  std::map<int, int> group_of;  // by block
  for (int p = 0; p < o.slow.size(); ++p) {
    const int first = group_of.try_emplace(block[p], group[p]).first->second;
    if (first != group[p])
      return violated("position {} is of {} {}, others of its block {} are of {}", p, level.name, group[p],
                      text_of(shape), first);
  }
  if (group_of.size() != mpix::group_sizes(level.group).size())
    return violated("{} blocks {} for {} groups of {}", group_of.size(), text_of(shape),
                    mpix::group_sizes(level.group).size(), level.name);
  return Judgement::holds();
}

// Whether the i-th of `ranks` is at the i-th of these positions.
Judgement are_seated(const Outcome& o, const Mapping& mapping, const std::vector<int>& ranks,
                     const std::vector<Coords>& cells) {
  for (size_t i = 0; i < ranks.size(); ++i) {
    const int wanted = o.slow.position(cells[i]), is = mapping.new_rank.at(ranks[i]);
    if (wanted != is) return violated("rank {} goes to position {}, not {}", ranks[i], is, wanted);
  }
  return Judgement::holds();
}

// ---------------------------------------------------------------------------------------------- what must be true

using P = NodecartProperty;

void add_permutations(std::vector<P>& all) {
  all.push_back(
      {{kPermutation, "every method gives every rank a position of its own", "MPI 4.0, Section 8.5.8 (MPI_CART_MAP)"},
       [](const Case& c, const Outcome& o) {
         return each_mapping(o, [&](CartMethod, const Mapped&, const Mapping& m) {
           return is_permutation_of_all(m.new_rank, ranks_of(c)) ? Judgement::holds()
                                                                 : violated("positions {}", fmt::join(m.new_rank, " "));
         });
       }});
  all.push_back({{"cart-identity", "cart leaves rank r at position r", kHeader}, [](const Case& c, const Outcome& o) {
                   const std::vector<int>& is = of(o, CartMethod::kCart).mapping.value().new_rank;
                   for (int r = 0; r < ranks_of(c); ++r) {
                     if (is.at(r) != r) return violated("rank {} goes to position {}", r, is[r]);
                   }
                   return Judgement::holds();
                 }});
  all.push_back(
      {{kRefusals,
        "nodecart and blocks refuse nodes of unequal size, multilevel unequal groups of any level; nothing else is "
        "refused, and auto, cart, hyperplane, kdtree and strips never refuse",
        "EuroMPI'18, Section 2.1; mpi_ext/cart/cart_mapping.h"},
       [](const Case& c, const Outcome& o) {
         for (CartMethod method : mpix::cart_methods()) {
           const bool should =
               method == CartMethod::kMultilevel ? !has_equal_levels(c) : has_blocks(method) && !has_equal_nodes(c);
           const Mapped& mapped = of(o, method);
           if (should && mapped.mapping) return violated("{} takes groups of unequal size", name_of(method));
           if (!should && !mapped.mapping) return violated("{} refuses: {}", name_of(method), mapped.refusal);
           if (should && !mapped.refusal.starts_with(name_of(method)))
             return violated("{} refuses in the name of another: {}", name_of(method), mapped.refusal);
         }
         return Judgement::holds();
       }});
  all.push_back({{"method-named", "a mapping names the method that made it; that of auto one that it chose", kHeader},
                 [](const Case&, const Outcome& o) {
                   return each_mapping(o, [](CartMethod method, const Mapped&, const Mapping& m) {
                     const bool right = method == CartMethod::kAuto ? m.method != method : m.method == method;
                     return right ? Judgement::holds() : violated("names {}", name_of(m.method));
                   });
                 }});
}

void add_blocks(std::vector<P>& all) {
  all.push_back(
      {{"block-dims",
        "intradims x interdims is the mesh, intradims a node's processes, interdims the nodes; methods without blocks "
        "have none",
        "EuroMPI'18, Section 2.1; contract of strata nodecart"},
       [](const Case& c, const Outcome& o) {
         return each_mapping(o, [&](CartMethod, const Mapped&, const Mapping& m) {
           if (!has_blocks(m.method)) {
             return m.intradims.empty() && m.interdims.empty() ? Judgement::holds() : violated("has blocks");
           }
           const size_t dims = c.mesh.dims.size();
           if (m.intradims.size() != dims || m.interdims.size() != dims)
             return violated("blocks {} and {} of them", text_of(m.intradims), text_of(m.interdims));
           for (size_t i = 0; i < dims; ++i) {
             if (m.intradims[i] * m.interdims[i] != c.mesh.dims[i])
               return violated("{} times {} is not {} in dimension {}", m.intradims[i], m.interdims[i], c.mesh.dims[i],
                               i);
           }
           const std::vector<int> sizes = node_sizes(c);
           return product(m.intradims) == sizes[0] && product(m.interdims) == static_cast<long>(sizes.size())
                      ? Judgement::holds()
                      : violated("{} blocks {} for {} nodes of {}", text_of(m.interdims), text_of(m.intradims),
                                 sizes.size(), sizes[0]);
         });
       }});
  all.push_back({{"nodes-are-blocks", "the positions of a node are exactly one block of intradims", kNodecartPaper},
                 [](const Case& c, const Outcome& o) {
                   return each_mapping(o, [&](CartMethod, const Mapped&, const Mapping& m) {
                     if (!has_blocks(m.method)) return Judgement::not_asked();
                     return are_blocks(o, m, c.places.levels[c.places.node_level], m.intradims);
                   });
                 }});
  all.push_back(
      {{"levels-are-blocks",
        "multilevel gives the groups of every level a block each, blocks those of every level whose groups are equal",
        kMultilevelPaper},
       [](const Case& c, const Outcome& o) {
         return each_mapping(o, [&](CartMethod, const Mapped&, const Mapping& m) {
           if (m.method != CartMethod::kMultilevel && m.method != CartMethod::kBlocks) return Judgement::not_asked();
           for (const PlaceLevel& level : c.places.levels) {
             if (!is_equal(level.group)) continue;
             Judgement judgement = are_blocks(o, m, level, extents(o, m, level.group));
             if (judgement.violation()) return judgement;
           }
           return Judgement::holds();
         });
       }});
  all.push_back({{"block-order",
                  "groups and ranks, as they come, fill the blocks in row-major order in the one around, ranks the "
                  "innermost; where "
                  "groups of blocks are unequal they are put together as by hyperplane",
                  "contract of strata nodecart; mpi_ext/cart/order.h"},
                 [](const Case& c, const Outcome& o) {
                   return each_mapping(o, [&](CartMethod, const Mapped&, const Mapping& m) {
                     if (!has_blocks(m.method)) return Judgement::not_asked();
                     const bool nodes_alone = m.method == CartMethod::kNodecart;
                     const Places places = nodes_alone ? Places{{c.places.levels[c.places.node_level]}, 0} : c.places;
                     const std::vector<int> ranks = slow_ranks_by_place(places);
                     std::vector<Shape> shapes;
                     std::vector<std::vector<int>> parts(1);  // groups by place on the outermost unequal level after
                                                              // each equal one
                     for (const PlaceLevel& level : places.levels) {
                       if (is_equal(level.group)) {
                         const Shape shape = extents(o, m, level.group);
                         if (!divides(shape, shapes.empty() ? c.mesh.dims : shapes.back()))
                           return violated("{} reaches over {}, which does not cut what is around", level.name,
                                           text_of(shape));
                         shapes.push_back(shape);
                         parts.emplace_back();
                       } else if (parts.back().empty()) {
                         for (int r : ranks) parts.back().push_back(level.group[r]);
                       }
                     }
                     return are_seated(o, m, ranks, slow_blocks(c.mesh.dims, shapes, parts));
                   });
                 }});
  all.push_back(
      {{"factor-rule",
        "a node's block by the rule: prime factors, the largest first, each to the longest remaining extent that it "
        "divides, of equals to the shortest intradims, then to the first",
        "EuroMPI'18, Section 2.1; Table 3 for the equals"},
       [](const Case& c, const Outcome& o) {
         const std::optional<Mapping>& mapping = of(o, CartMethod::kNodecart).mapping;
         const std::optional<FactorRule> rule = slow_factor_rule(c.mesh.dims, node_sizes(c)[0]);
         if (o.block.has_value() != rule.has_value())
           return violated("a block of {} is {}", node_sizes(c)[0], rule ? "refused" : "made, and does not fit");
         if (rule && *o.block != rule->block)
           return violated("a block of {} is {}, not {}", node_sizes(c)[0], text_of(*o.block), text_of(rule->block));
         if (mapping && (!rule || mapping->intradims != rule->block))
           return violated("nodecart: intradims {}, not {}", text_of(mapping->intradims),
                           rule ? text_of(rule->block) : "refused");
         return Judgement::holds();
       }});
  all.push_back({{"factor-rule-of-levels", "multilevel's blocks are by that rule on each level, within the one before",
                  kMultilevelPaper},
                 [](const Case& c, const Outcome& o) {
                   const std::optional<Mapping>& m = of(o, CartMethod::kMultilevel).mapping;
                   if (!m) return Judgement::not_asked();
                   Shape around = c.mesh.dims;
                   for (int l = 0; l < static_cast<int>(c.places.levels.size()); ++l) {
                     const PlaceLevel& level = c.places.levels[l];
                     const std::optional<FactorRule> rule = slow_factor_rule(around, mpix::group_sizes(level.group)[0]);
                     if (!rule) return violated("no block of {} fits in {}", level.name, text_of(around));
                     around = rule->block;
                     const Shape is = l == c.places.node_level ? m->intradims : extents(o, *m, level.group);
                     if (is != around)
                       return violated("the block of {} is {}, not {}", level.name, text_of(is), text_of(around));
                   }
                   return Judgement::holds();
                 }});
  all.push_back(
      {{"blocks-best",
        "blocks has, of all blocks that fit into each other, those with the fewest partners off the node, then off the "
        "other levels, the outermost first; of equals the first in lexicographic order, the longest first",
        "mpi_ext/cart/node_blocks.h"},
       [](const Case& c, const Outcome& o) {
         const std::optional<Mapping>& m = of(o, CartMethod::kBlocks).mapping;
         if (!m) return Judgement::not_asked();
         std::vector<int> sizes;
         std::vector<long> off = {o.slow.count_off(seated(*m, c.places.nodes()))};
         int node = 0;
         for (int l = 0; l < static_cast<int>(c.places.levels.size()); ++l) {
           const std::vector<int>& group = c.places.levels[l].group;
           if (!is_equal(group)) continue;
           if (l == c.places.node_level) {
             node = static_cast<int>(sizes.size());
           } else {
             off.push_back(o.slow.count_off(seated(*m, group)));
           }
           sizes.push_back(mpix::group_sizes(group)[0]);
         }
         const BestBlocks best = slow_best_blocks(o.slow, sizes, node);
         if (off != best.off)
           return violated("{} partners off the node and other levels; {} are possible", fmt::join(off, " "),
                           fmt::join(best.off, " "));
         return m->intradims == best.node ? Judgement::holds()
                                          : violated("intradims {}, not {}", text_of(m->intradims), text_of(best.node));
       }});
}

void add_orders(std::vector<P>& all) {
  all.push_back({{"hyperplane-cuts",
                  "hyperplane: boxes are cut across the longest dimension, as near to the half as leaves whole nodes, "
                  "down to two nodes in slices",
                  kStencilPaper},
                 [](const Case& c, const Outcome& o) {
                   const std::vector<int> ranks = slow_ranks_by_place(c.places), sizes_of = node_sizes(c);
                   std::vector<int> sizes;  // of successive nodes
                   for (size_t i = 0; i < ranks.size(); i += sizes.back()) {
                     sizes.push_back(sizes_of[c.places.nodes()[ranks[i]]]);
                   }
                   return are_seated(o, of(o, CartMethod::kHyperplane).mapping.value(), ranks,
                                     slow_hyperplane(c.mesh.dims, Shape(c.mesh.dims.size(), 1), sizes));
                 }});
  all.push_back({{"kdtree-halves", "kdtree: boxes are halved across the longest dimension, down to single positions",
                  kStencilPaper},
                 [](const Case& c, const Outcome& o) {
                   return are_seated(o, of(o, CartMethod::kKdTree).mapping.value(), slow_ranks_by_place(c.places),
                                     slow_tree(c.mesh.dims));
                 }});
  all.push_back({{"strips-turn",
                  "strips: strips along the longest dimension as wide as a cube of a node's processes, each gone "
                  "through from the corner that is nearest, turning at every end",
                  kStencilPaper},
                 [](const Case& c, const Outcome& o) {
                   const double size = static_cast<double>(ranks_of(c)) / static_cast<double>(node_sizes(c).size());
                   return are_seated(o, of(o, CartMethod::kStrips).mapping.value(), slow_ranks_by_place(c.places),
                                     slow_strips(c.mesh.dims, size));
                 }});
  all.push_back({{"strips-in-line", "strips: from one position to the next one coordinate changes", kStencilPaper},
                 [](const Case& c, const Outcome& o) {
                   const std::vector<int> ranks = slow_ranks_by_place(c.places);
                   const std::vector<int>& position = of(o, CartMethod::kStrips).mapping.value().new_rank;
                   for (size_t i = 1; i < ranks.size(); ++i) {
                     const Coords &a = o.slow.coords().at(position.at(ranks[i - 1])),
                                  &b = o.slow.coords().at(position.at(ranks[i]));
                     int differ = 0;
                     for (size_t dim = 0; dim < a.size(); ++dim) differ += a[dim] != b[dim];
                     if (differ != 1)
                       return violated("positions {} and {} follow each other", position[ranks[i - 1]],
                                       position[ranks[i]]);
                   }
                   return Judgement::holds();
                 }});
}

void add_partners(std::vector<P>& all) {
  all.push_back(
      {{"partners-recounted",
        "partners on and off every level, least, most and all, are those that a search by coordinates finds: two per "
        "dimension, a shift off the mesh off the node",
        "EuroMPI'18, Table 3; contract of strata nodecart"},
       [](const Case& c, const Outcome& o) {
         return each_mapping(o, [&](CartMethod, const Mapped& mapped, const Mapping& m) {
           for (size_t level = 0; level < c.places.levels.size(); ++level) {
             const mpix::Partners slow = o.slow.count(seated(m, c.places.levels[level].group));
             const mpix::Partners& fast = mapped.partners.at(level);
             for (const auto& [where, a, b] :
                  {std::tuple<const char*, const PartnerCount&, const PartnerCount&>("on", fast.on, slow.on),
                   {"off", fast.off, slow.off}}) {
               if (a.min != b.min || a.max != b.max || a.total != b.total)
                 return violated("{} {}: least {}, most {}, in all {}; there are {}, {}, {}", where,
                                 c.places.levels[level].name, a.min, a.max, a.total, b.min, b.max, b.total);
             }
           }
           return Judgement::holds();
         });
       }});
  all.push_back(
      {{"block-partners", "the off-node partners of a block's shape, by its faces, are those that are counted",
        "mpi_ext/cart/node_blocks.h"},
       [](const Case& c, const Outcome& o) {
         return each_mapping(o, [&](CartMethod method, const Mapped& mapped, const Mapping& m) {
           if (!has_blocks(m.method)) return Judgement::not_asked();
           const long counted = off_node(c, o, method);
           return mapped.of_blocks == counted ? Judgement::holds()
                                              : violated("{} by the faces of {}; there are {}", mapped.of_blocks,
                                                         text_of(m.intradims), counted);
         });
       }});
  all.push_back({{"auto-not-above-cart", "auto has never more partners off the node than cart, on any input", kHeader},
                 [](const Case& c, const Outcome& o) {
                   const long is = off_node(c, o, CartMethod::kAuto), cart = off_node(c, o, CartMethod::kCart);
                   return is <= cart ? Judgement::holds() : violated("auto has {}, cart {}", is, cart);
                 }});
  all.push_back(
      {{"auto-best",
        "auto is, of the methods that are possible, the one with the fewest partners off the node, then off the other "
        "levels, the outermost first; of equals the first",
        kHeader},
       [](const Case& c, const Outcome& o) {
         const Mapping& is = of(o, CartMethod::kAuto).mapping.value();
         CartMethod best = CartMethod::kAuto;
         std::vector<long> least;
         for (CartMethod method : mpix::cart_methods()) {
           if (method == CartMethod::kAuto || !of(o, method).mapping) continue;
           std::vector<long> key = key_of(c, o, *of(o, method).mapping);
           if (!least.empty() && key >= least) continue;
           best = method;
           least = std::move(key);
         }
         if (is.method != best)
           return violated("auto took {} with {}; {} has {}", name_of(is.method), fmt::join(key_of(c, o, is), " "),
                           name_of(best), fmt::join(least, " "));
         return is.new_rank == of(o, best).mapping->new_rank ? Judgement::holds()
                                                             : violated("auto is not as {}", name_of(best));
       }});
  all.push_back({{"blocks-not-above-nodecart",
                  "blocks has never more partners off the node than nodecart or multilevel", kHeader},
                 [](const Case& c, const Outcome& o) {
                   if (!of(o, CartMethod::kBlocks).mapping) return Judgement::not_asked();
                   const long is = off_node(c, o, CartMethod::kBlocks);
                   for (CartMethod method : {CartMethod::kNodecart, CartMethod::kMultilevel}) {
                     if (!of(o, method).mapping) continue;
                     if (const long other = off_node(c, o, method); is > other)
                       return violated("blocks has {}, {} {}", is, name_of(method), other);
                   }
                   return Judgement::holds();
                 }});
  all.push_back(
      {{"not-below-optimum",
        fmt::format("no method has fewer partners off the node than the best of all assignments (up to {} positions)",
                    kMostForOptimum),
        "brute force"},
       [](const Case& c, const Outcome& o) {
         if (!o.fewest) return Judgement::not_asked();
         return each_mapping(o, [&](CartMethod, const Mapped& mapped, const Mapping&) {
           const long is = mapped.partners.at(c.places.node_level).off.total;
           return is >= *o.fewest ? Judgement::holds() : violated("{}, and {} are possible", is, *o.fewest);
         });
       }});
}

}  // namespace

std::vector<NodecartProperty> nodecart_properties() {
  std::vector<P> all;
  add_permutations(all);
  add_blocks(all);
  add_orders(all);
  add_partners(all);
  append(all, nodecart_mesh_properties());
  append(all, nodecart_sometimes());
  for (P& p : all) {
    if (p.info.name == kPermutation || p.info.name == kRefusals) continue;
    p.judge = [judge = std::move(p.judge)](const Case& c, const Outcome& o) {
      return is_sound(c, o) ? judge(c, o) : Judgement::not_asked();
    };
  }
  return all;
}

}  // namespace strata::check
