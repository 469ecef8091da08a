// SPDX-License-Identifier: LGPL-2.1-only
#include "models/collective.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/allreduce.h"
#include "models/barrier.h"
#include "models/broadcast.h"
#include "models/gather.h"
#include "models/group.h"
#include "models/reduce.h"

namespace strata::models {
namespace {

constexpr std::array kBroadcasts = {Algorithm::kLinear,      Algorithm::kChain,  Algorithm::kPipeline,
                                    Algorithm::kSplitBinary, Algorithm::kBinary, Algorithm::kBinomial};
constexpr std::array kReduces = {Algorithm::kLinear, Algorithm::kChain,    Algorithm::kPipeline,
                                 Algorithm::kBinary, Algorithm::kBinomial, Algorithm::kInOrderBinary};
constexpr std::array kAllreduces = {Algorithm::kLinear, Algorithm::kChain,    Algorithm::kPipeline,
                                    Algorithm::kBinary, Algorithm::kBinomial, Algorithm::kRecursiveDoubling};
constexpr std::array kGathers = {Algorithm::kLinear, Algorithm::kBinomial};
constexpr std::array kAllgathers = {Algorithm::kLinear, Algorithm::kBinomial, Algorithm::kRing};
constexpr std::array kBarriers = {Algorithm::kLinear, Algorithm::kBinomial, Algorithm::kRecursiveDoubling};

void require(const CollectiveCase& what, int np, bool hierarchical) {
  if (np < 1) throw std::invalid_argument("a collective over " + std::to_string(np) + " ranks");
  if (what.root < 0 || what.root >= np) {
    throw std::invalid_argument("root " + std::to_string(what.root) + " of " + std::to_string(np) + " ranks");
  }
  if (!has_algorithm(what.collective, what.algorithm, hierarchical)) {
    throw std::invalid_argument("no " + std::string(hierarchical ? "hierarchical " : "") +
                                std::string(name_of(what.collective)) + " '" + std::string(name_of(what.algorithm)) +
                                "'");
  }
  const double p = np;
  const double messages = what.algorithm == Algorithm::kRing ? p * p
                          : what.algorithm == Algorithm::kLinear
                              ? 2 * p
                              : 2 * p * static_cast<double>(what.payload.num_segments());
  if (messages > kMaxMessages) {
    throw std::invalid_argument("about " + std::to_string(static_cast<long long>(messages)) +
                                " messages are more than a prediction follows one by one");
  }
}

std::vector<int> iota(int np) {
  std::vector<int> ranks(np);
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

// By bridge and member: the bytes that the member has gathered before the bridge's own gather.
std::vector<std::vector<double>> blocks_of(const Hierarchy& hierarchy, double bytes) {
  std::vector<double> below(hierarchy.np, bytes);  // by rank: the bytes gathered so far
  std::vector<std::vector<double>> blocks(hierarchy.bridges.size());
  for (size_t i = hierarchy.bridges.size(); i-- > 0;) {
    for (const int r : hierarchy.bridges[i]) blocks[i].push_back(below[r]);
    below[hierarchy.bridges[i].front()] = std::accumulate(blocks[i].begin(), blocks[i].end(), 0.0);
  }
  return blocks;
}

// Calls `step` with each bridge as a group, and its index.
template <class Step>
void down(const Hierarchy& hierarchy, Step step) {
  for (size_t i = 0; i < hierarchy.bridges.size(); ++i) step(Group(hierarchy.bridges[i]), i);
}
template <class Step>
void up(const Hierarchy& hierarchy, Step step) {
  for (size_t i = hierarchy.bridges.size(); i-- > 0;) step(Group(hierarchy.bridges[i]), i);
}

}  // namespace

std::optional<Collective> find_collective(std::string_view name) {
  for (const auto& [known, collective] : kCollectives) {
    if (known == name) return collective;
  }
  return std::nullopt;
}

std::string_view name_of(Collective collective) {
  for (const auto& [name, known] : kCollectives) {
    if (known == collective) return name;
  }
  return "";
}

std::span<const Algorithm> algorithms_of(Collective collective) {
  switch (collective) {
    case Collective::kBroadcast:
      return kBroadcasts;
    case Collective::kReduce:
      return kReduces;
    case Collective::kAllreduce:
      return kAllreduces;
    case Collective::kGather:
    case Collective::kScatter:
      return kGathers;
    case Collective::kAllgather:
      return kAllgathers;
    case Collective::kBarrier:
      return kBarriers;
  }
  return {};
}

bool has_algorithm(Collective collective, Algorithm algorithm, bool hierarchical) {
  const std::span<const Algorithm> known = algorithms_of(collective);
  if (std::find(known.begin(), known.end(), algorithm) == known.end()) return false;
  return !hierarchical || (algorithm != Algorithm::kRing && algorithm != Algorithm::kRecursiveDoubling);
}

Schedule flat_schedule(const CollectiveCase& what, int np) {
  require(what, np, false);
  Schedule s(np);
  const std::vector<int> ranks = iota(np);
  const Group group(ranks, what.root);
  const std::vector<double> blocks(np, what.payload.bytes());
  switch (what.collective) {
    case Collective::kBroadcast:
      add_broadcast(s, what.algorithm, group, what.payload);
      break;
    case Collective::kReduce:
      add_reduce(s, what.algorithm, group, what.payload);
      break;
    case Collective::kAllreduce:
      add_allreduce(s, what.algorithm, group, what.payload);
      break;
    case Collective::kGather:
      add_gather(s, what.algorithm, group, blocks);
      break;
    case Collective::kScatter:
      add_scatter(s, what.algorithm, group, blocks);
      break;
    case Collective::kAllgather:
      add_allgather(s, what.algorithm, group, blocks);
      break;
    case Collective::kBarrier:
      add_barrier(s, what.algorithm, group);
      break;
  }
  return s;
}

Schedule hierarchical_schedule(const CollectiveCase& what, const Hierarchy& hierarchy) {
  require(what, hierarchy.np, true);
  const Algorithm algorithm = what.algorithm;
  const double bytes = what.payload.bytes(), all_bytes = hierarchy.np * bytes;
  Schedule s(hierarchy.np);
  const auto broadcast = [&](const Group& g, size_t) { add_broadcast(s, algorithm, g, what.payload); };
  const auto reduce = [&](const Group& g, size_t) { add_reduce(s, algorithm, g, what.payload); };
  const std::vector<std::vector<double>> blocks = blocks_of(hierarchy, bytes);
  const auto gather = [&](const Group& g, size_t i) { add_gather(s, algorithm, g, blocks[i]); };
  const auto scatter = [&](const Group& g, size_t i) { add_scatter(s, algorithm, g, blocks[i]); };
  const auto from_root = [&](double size) {
    if (what.root != 0) message(s, what.root, 0, size);
  };
  const auto to_root = [&](double size) {
    if (what.root != 0) message(s, 0, what.root, size);
  };
  switch (what.collective) {
    case Collective::kBroadcast:
      from_root(bytes);
      down(hierarchy, broadcast);
      break;
    case Collective::kReduce:
      up(hierarchy, reduce);
      to_root(bytes);
      break;
    case Collective::kAllreduce:
      up(hierarchy, reduce);
      down(hierarchy, broadcast);
      break;
    case Collective::kGather:
      up(hierarchy, gather);
      to_root(all_bytes);
      break;
    case Collective::kScatter:
      from_root(all_bytes);
      down(hierarchy, scatter);
      break;
    case Collective::kAllgather:
      up(hierarchy, gather);
      down(hierarchy, [&](const Group& g, size_t) {
        add_broadcast(s, algorithm, g, {.elements = bytes > 0 ? 1 : 0, .element_bytes = all_bytes, .segment_bytes = 0});
      });
      break;
    case Collective::kBarrier:
      up(hierarchy, [&](const Group& g, size_t) { add_arrival(s, algorithm, g); });
      down(hierarchy, [&](const Group& g, size_t) { add_release(s, algorithm, g); });
      break;
  }
  return s;
}

}  // namespace strata::models
